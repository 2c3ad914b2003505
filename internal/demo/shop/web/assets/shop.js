// Behaviour of the shop's pages. Every form also works without this script.
'use strict';

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

function toast(text) {
  const box = document.createElement('div');
  box.className = 'toast';
  box.textContent = text;
  $('[data-toasts]').replaceChildren(box);
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => box.remove(), 5000);
}

// Cards: put into the cart without leaving the page; save for later.
document.addEventListener('submit', async (event) => {
  const form = event.target.closest('[data-add]');
  if (!form) return;
  event.preventDefault();
  const button = $('button', form);
  button.disabled = true;
  const answer = await fetch(form.action, {
    method: 'POST', headers: { Accept: 'application/json' }, body: new URLSearchParams(new FormData(form)),
  });
  button.disabled = false;
  if (!answer.ok) {
    toast(await answer.text());
    return;
  }
  const { name, count } = await answer.json();
  $('[data-cart-count]').textContent = count;
  $('.cartlink').setAttribute('aria-label', `Cart, ${count} ${count === 1 ? 'item' : 'items'}`);
  toast(`${name} was added to your cart`);
});

document.addEventListener('click', (event) => {
  const heart = event.target.closest('[data-save]');
  if (heart) heart.setAttribute('aria-pressed', heart.getAttribute('aria-pressed') !== 'true');
});

// Product list: the filters reload the list alone.
const filters = $('[data-filters]');
if (filters) {
  const listing = $('[data-listing]');
  let latest = 0;
  const show = async (url, push) => {
    const mine = ++latest;
    listing.setAttribute('aria-busy', 'true');
    const answer = await fetch(url, { headers: { 'X-Fragment': '1' } });
    const html = await answer.text();
    if (mine !== latest) return; // a later choice is on its way
    listing.innerHTML = html;
    listing.removeAttribute('aria-busy');
    if (push) history.pushState(null, '', url);
  };
  const address = () => {
    const query = new URLSearchParams(new FormData(filters));
    for (const [name, value] of [...query]) if (!value) query.delete(name);
    return query.size ? `/products?${query}` : '/products';
  };
  filters.addEventListener('submit', (event) => { event.preventDefault(); show(address(), true); });
  filters.addEventListener('change', () => show(address(), true));
  listing.addEventListener('click', (event) => {
    const link = event.target.closest('[data-page]');
    if (!link) return;
    event.preventDefault();
    show(link.getAttribute('href'), true);
    $('#results-title').scrollIntoView();
  });
  addEventListener('popstate', () => location.reload());
}

// Cart: quantities, the question before removing, the question before emptying.
for (const form of $$('[data-quantity]')) form.addEventListener('change', () => form.submit());

const dialog = $('#remove-dialog');
if (dialog) {
  let pending = null;
  for (const form of $$('[data-remove]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      pending = form;
      $('[data-dialog-name]', dialog).textContent = form.dataset.remove;
      dialog.showModal();
    });
  }
  for (const button of $$('[data-dialog]', dialog)) {
    button.addEventListener('click', () => {
      dialog.close();
      if (button.dataset.dialog === 'confirm') pending.submit();
    });
  }
}

for (const form of $$('[data-confirm]')) {
  form.addEventListener('submit', (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}

// Checkout: what can be seen wrong here is not sent.
const checkout = $('[data-checkout]');
if (checkout) {
  const alertBox = $('[data-problems]', checkout);
  const mark = (field, message) => {
    const element = $(`#${field}`);
    const line = $(`#${field}-error`);
    line.textContent = message;
    if (message) element.setAttribute('aria-invalid', 'true');
    else element.removeAttribute('aria-invalid');
  };
  const rules = {
    name: (e) => (e.value.trim() ? '' : 'Enter your full name'),
    email: (e) => (/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(e.value.trim()) ? '' : 'Enter an email address like name@example.com'),
    street: (e) => (e.value.trim() ? '' : 'Enter your street and number'),
    postal: (e) => (e.value.trim() ? '' : 'Enter your postal code'),
    city: (e) => (e.value.trim() ? '' : 'Enter your city'),
    country: (e) => (e.value ? '' : 'Choose the country to deliver to'),
    terms: (e) => (e.checked ? '' : 'Accept the terms of sale to place the order'),
  };
  const check = () => Object.entries(rules)
    .map(([field, rule]) => [field, rule($(`#${field}`))])
    .filter(([, message]) => message);
  checkout.addEventListener('submit', (event) => {
    for (const field of Object.keys(rules)) mark(field, '');
    const problems = check();
    if (problems.length === 0) return;
    event.preventDefault();
    $('.alert__list', alertBox).replaceChildren(...problems.map(([field, message]) => {
      mark(field, message);
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = `#${field}`;
      link.textContent = message;
      item.append(link);
      return item;
    }));
    alertBox.hidden = false;
    alertBox.focus();
  });
  checkout.addEventListener('change', (event) => {
    const rule = rules[event.target.id];
    if (rule && event.target.hasAttribute('aria-invalid')) mark(event.target.id, rule(event.target));
  });
  alertBox.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link) return;
    event.preventDefault();
    $(link.getAttribute('href')).focus();
  });
  if (!alertBox.hidden) alertBox.focus();
}

// Orders: sort by a column.
const sortable = $('[data-sortable]');
if (sortable) {
  const body = sortable.tBodies[0];
  const heads = $$('thead th', sortable);
  heads.forEach((head, column) => $('button', head).addEventListener('click', (event) => {
    const ascending = head.getAttribute('aria-sort') !== 'ascending';
    const numeric = event.currentTarget.dataset.sort === 'number';
    const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
    const rows = [...body.rows].sort((a, b) => (numeric ? value(a) - value(b) : value(a).localeCompare(value(b))));
    if (!ascending) rows.reverse();
    body.append(...rows);
    heads.forEach((other) => other.setAttribute('aria-sort', 'none'));
    head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
    $('[data-sort-status]').textContent = `Sorted by ${head.textContent.trim()}, ${ascending ? 'ascending' : 'descending'}`;
  }));
}

// Live stock: new figures each second, until paused.
const live = $('[data-live]');
if (live) {
  const feed = $('[data-live-feed]');
  const pause = $('[data-live-pause]');
  let count = 0;
  const refresh = async () => {
    if (pause.getAttribute('aria-pressed') === 'true') return;
    const rows = await (await fetch('/api/live')).json();
    count += 1;
    for (const row of rows) {
      const line = $(`tr[data-slug="${row.slug}"]`, live);
      for (const cell of $$('[data-cell]', line)) cell.textContent = row[cell.dataset.cell];
      $('[data-cell="change"]', line).className = `trend trend--${row.trend}`;
    }
    const busiest = rows.reduce((a, b) => (b.viewers > a.viewers ? b : a));
    const item = document.createElement('li');
    item.textContent = `Update ${count}: ${busiest.viewers} people look at ${busiest.name}`;
    if (count === 1) feed.replaceChildren();
    feed.prepend(item);
    while (feed.children.length > 6) feed.lastChild.remove();
  };
  pause.addEventListener('click', () => {
    const paused = pause.getAttribute('aria-pressed') !== 'true';
    pause.setAttribute('aria-pressed', paused);
    pause.textContent = paused ? 'Resume' : 'Pause';
  });
  setInterval(refresh, 1000);
}
