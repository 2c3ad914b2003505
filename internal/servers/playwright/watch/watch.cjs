// Runs inside Playwright MCP (--init-page), once for each tab. It tells PlayGuard
// which tabs there are and when a browser, a context or a page has died, hands out
// the session's storage and puts it back. It must never fail: upstream would fail
// the call.
'use strict';
const net = require('node:net');
const { port, token, remote } = require('./watch.json');
const storage = require('./storage.cjs');

let socket, greeted, lastContext = 0, lastPage = 0, restorations = 0;
const contexts = new Map(); // of Playwright, to { id, timer, closed }
const crashed = new Map(); // context to pages
const loads = new Map(); // page to the address that it is to show and does not yet
const refused = new WeakMap(); // page to the address instead of which it shows an error
const ids = new WeakMap(); // page to what names it among all there were
const mourned = new WeakSet(); // pages whose crash will be told
const asked = new WeakMap(); // page to the end of askId
let opened = new WeakMap(); // page to the address that it was restored to, in the last restoration
const fragile = new Map(); // address to how often its page has crashed in the attempts of that
const fragileTimes = 2, closeLimit = 2000, openerLimit = 1000, askLimit = 2000, oursLimit = 5000;
const putLimit = 20000, newLimit = 8000, setLimit = 2000, stopLimit = 2000, commitLimit = 10000, parseLimit = 10000, loadLimit = 2000, othersLimit = 3000;
const changeDelay = 300, changeSpacing = 1000;

function connect() {
  greeted = new Promise(resolve => {
    const gone = () => { socket = undefined; resolve(); };
    socket = net.connect(port, '127.0.0.1', () => { send({ token, pid: process.pid }); resolve(); });
    socket.unref();
    socket.on('error', gone);
    socket.on('close', gone);
    socket.setEncoding('utf8');
    let rest = '';
    socket.on('data', data => {
      const lines = (rest + data).split('\n');
      rest = lines.pop();
      for (const line of lines)
        answer(JSON.parse(line));
    });
    setTimeout(resolve, 2000).unref();
  });
}

function send(message) {
  if (socket && !socket.destroyed)
    socket.write(JSON.stringify(message) + '\n');
}

const living = () => [...contexts].filter(([, known]) => !known.closed).pop();

function tell(context, known) {
  clearTimeout(known.timer);
  if (known.closed)
    return;
  const tabs = tabsOf(context);
  send({ event: 'pages', context: known.id, pages: tabs.map(shown), ids: tabs.map(idOf), unopened: unopened(tabs), current: currentOf(context) });
}

// ownList is upstream's own list of its tabs (as of 0.0.83), undefined where it has
// another form. Pages that were opened again get their places back in it.
function ownList(context) {
  for (const page of context.pages()) {
    for (const symbol of Object.getOwnPropertySymbols(page)) {
      const list = page[symbol] && page[symbol].context && page[symbol].context._tabs;
      if (Array.isArray(list) && list.every(tab => tab.page))
        return list;
    }
  }
}

// tabsOf are the pages in the order in which upstream counts them.
function tabsOf(context) {
  const list = ownList(context);
  return list ? list.map(tab => tab.page) : context.pages();
}

// currentOf is the place of the tab that upstream works on, -1 if that is not known.
function currentOf(context) {
  const list = ownList(context) || [];
  return list.findIndex(tab => tab === tab.context._currentTab);
}

function idOf(page) {
  if (!ids.has(page))
    ids.set(page, `${process.pid}/${++lastPage}`);
  return ids.get(page);
}

// askId asks the user's own browser what it calls a page: that is the same page for
// the next connection, wherever it has gone meanwhile.
async function askId(context, page) {
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  ids.set(page, targetInfo.targetId);
  await session.detach();
}

// inOrder gives pages their places; what else there is comes behind them.
function inOrder(context, pages) {
  const list = ownList(context);
  if (!list)
    return;
  const place = tab => pages.includes(tab.page) ? pages.indexOf(tab.page) : pages.length;
  const sorted = [...list].sort((a, b) => place(a) - place(b));
  list.splice(0, list.length, ...sorted);
}

// shown is the address of a page, also of one that could not be opened yet.
const shown = page => loads.has(page) ? loads.get(page).url :
  page.url().startsWith('chrome-error:') && refused.get(page) || page.url();

const unopened = tabs => [...tabs.entries()].filter(([, page]) => loads.has(page))
    .map(([at, page]) => ({ at, url: loads.get(page).url, reason: loads.get(page).reason || 'no answer yet' }));

// What a page has fetched may have changed what it stores, at any time.
function changedSoon(known) {
  if (known.change || known.closed)
    return;
  known.change = setTimeout(() => {
    known.change = undefined;
    known.changedAt = Date.now();
    if (!known.closed)
      send({ event: 'changed', context: known.id });
  }, Math.max(changeDelay, (known.changedAt || 0) + changeSpacing - Date.now()));
  known.change.unref();
}

// When a browser dies its pages close one by one; that is no change of the tabs.
function tellSoon(context, known) {
  clearTimeout(known.timer);
  known.timer = setTimeout(() => tell(context, known), 100);
  known.timer.unref();
}

// mourn tells that a page has crashed, also one that does so before upstream has set it up.
function mourn(context, known, page) {
  if (mourned.has(page))
    return;
  mourned.add(page);
  page.on('crash', () => {
    crashed.set(context, [...crashed.get(context) || [], page]);
    const url = opened.get(page);
    if (url)
      fragile.set(url, (fragile.get(url) || 0) + 1);
    send({ event: 'crashed', context: known.id, places: [tabsOf(context).indexOf(page)], ids: [idOf(page)] });
  });
}

function follow(context) {
  const known = { id: ++lastContext };
  contexts.set(context, known);
  const closed = () => {
    if (known.closed)
      return;
    known.closed = true;
    clearTimeout(known.timer);
    contexts.delete(context);
    crashed.delete(context);
    send({ event: 'closed', context: known.id });
  };
  context.once('close', closed);
  const browser = context.browser && context.browser();
  if (browser)
    browser.once('disconnected', closed);
  // A cookie comes with the head of an answer; what a page makes of the rest comes
  // behind its end, which is not told of a body that nobody reads.
  const fetched = request => {
    if (request.resourceType() === 'fetch' || request.resourceType() === 'xhr')
      changedSoon(known);
  };
  context.on('response', response => fetched(response.request()));
  context.on('requestfinished', fetched);
  context.on('page', page => mourn(context, known, page));
  storage.follow(context);
  known.greeted = (remote ? isOurs(context) : Promise.resolve(false)).then(ours => {
    known.ours = ours;
    if (!known.closed)
      send({ event: 'opened', context: known.id, ours });
  });
  return known;
}

// isOurs reports whether a context of somebody else's browser was made for this
// connection: it is none of a profile, and nothing was ever done in it.
async function isOurs(context) {
  const look = async () => {
    const [page] = context.pages();
    if (context.pages().some(page => page.url() !== 'about:blank'))
      return false;
    const session = await context.newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    await session.detach();
    const browser = await context.browser().newBrowserCDPSession();
    const { browserContextIds } = await browser.send('Target.getBrowserContexts');
    await browser.detach();
    if (!browserContextIds.includes(targetInfo.browserContextId))
      return false;
    const { cookies, origins } = await context.storageState();
    return cookies.length === 0 && origins.length === 0;
  };
  return Promise.race([look().catch(() => false), pause(oursLimit).then(() => false)]);
}

async function answer(request) {
  try {
    const [context, known] = living() || [];
    if (!context)
      throw new Error('there is no browser');
    const result = await actions[request.do](context, request);
    send({ answer: request.id, context: known.id, ...result });
  } catch (e) {
    send({ answer: request.id, error: String(e && e.message || e) });
  }
}

async function save(context, { cookiesOnly }) {
  return { state: await storage.collect(context, cookiesOnly, crashed.get(context) || [], tabsOf(context)[currentOf(context)]) };
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms).unref());
// within is what a promise gives, if that comes in time.
const within = (limit, promise, failure) =>
  Promise.race([promise, pause(limit).then(() => { throw new Error(`${failure} in ${limit / 1000} s`); })]);
const firstLine = e => String(e && e.message || e).split('\n')[0];

// load lets a page go to an address. What is under way goes on; what has failed is
// tried once more. A server that does not answer is left, since upstream can do
// nothing on a page that waits for one.
function load(context, page, url) {
  const before = loads.get(page);
  if (before && before.url === url && !before.reason)
    return before;
  const one = { url, reason: '' };
  loads.set(page, one);
  const go = () => page.goto(url, { waitUntil: 'commit', timeout: commitLimit });
  one.done = go().catch(e => {
    if (!/interrupted by another navigation to "chrome-error:/.test(e && e.message))
      throw e;
    return go(); // the error page of the try before came only now
  }).then(() => {
    if (loads.get(page) === one)
      loads.delete(page);
  }, async e => {
    if (loads.get(page) === one && e && e.name === 'TimeoutError') {
      one.stopping = true; // what comes of it, however late, is not where the agent goes
      const stopped = page.goto('about:blank', { waitUntil: 'commit' }).catch(() => {}).then(() => { one.stopping = false; });
      await Promise.race([stopped, pause(stopLimit)]);
    }
    one.reason = e && e.name === 'TimeoutError' ? `no answer in ${commitLimit / 1000} s` :
      firstLine(e).replace(/^page\.goto: /, '').replace(` at ${url}`, '');
    const known = contexts.get(context);
    if (known)
      tellSoon(context, known);
  });
  return one;
}

// arrived waits until a page can be looked at. A picture or a frame that never
// comes, a dialog and a server that does not answer end the waiting.
async function arrived(page, loading) {
  let met;
  const dialog = new Promise(resolve => page.once('dialog', met = resolve));
  const limits = [[() => loading && loading.done, commitLimit + stopLimit]];
  for (const [state, limit] of [['domcontentloaded', parseLimit], ['load', loadLimit]])
    limits.push([() => loads.has(page) || page.waitForLoadState(state, { timeout: limit }).catch(() => {}), limit]);
  let stop = false;
  dialog.then(() => { stop = true; });
  for (const [wait, limit] of limits) {
    if (!stop)
      await Promise.race([wait(), dialog, pause(limit)]);
  }
  page.off('dialog', met);
}

// match finds, for each tab of the plan, the page that it is. In a browser that has
// not died the living stay, and in one of the user's all. Otherwise, and for those
// that are missing, an empty page is used that upstream has made for itself, or the
// first one of a context that was made for this connection; what of these is left is
// closed.
async function match(context, pages, { ids: wanted, same, adopt }) {
  const dead = crashed.get(context) || [];
  const free = new Set(tabsOf(context).filter(page => !dead.includes(page)));
  const found = pages.map(() => undefined);
  const take = is => pages.forEach((url, i) => {
    const page = found[i] ? undefined : [...free].find(page => is(page, url, i));
    if (page && free.delete(page))
      found[i] = page;
  });
  if (same || adopt) {
    if (adopt)
      await Promise.race([Promise.all([...free].map(page => asked.get(page))), pause(askLimit)]);
    take((page, url, i) => wanted[i] && idOf(page) === wanted[i]);
    take((page, url) => !wanted.includes(idOf(page)) && shown(page) === url);
  }
  const kept = found.map(page => !!page);
  const own = new Set();
  for (const page of free) {
    if (!same && !adopt || await madeByUpstream(page, wanted))
      own.add(page);
  }
  take(page => own.has(page));
  const superfluous = adopt ? [] : [...free].filter(page => own.has(page));
  return { open: pages.map((_, i) => ({ page: found[i], kept: kept[i] })), closing: [...dead, ...superfluous] };
}

// closeEmpty closes empty pages that calls which were under way have made upstream open
// meanwhile.
async function closeEmpty(context, pages, wanted) {
  await Promise.all(tabsOf(context).map(async page => {
    if (!pages.includes(page) && await madeByUpstream(page, wanted))
      await Promise.race([page.close().catch(() => {}), pause(closeLimit)]);
  }));
}

// madeByUpstream reports whether a page that the plan does not know is an empty one that
// no other has opened.
const madeByUpstream = async (page, wanted) =>
  !wanted.includes(idOf(page)) && page.url() === 'about:blank' && !loads.has(page) && !await openerOf(page);

// openerOf is the page that has opened another one; where that can't be told the page
// itself.
const openerOf = page => Promise.race([page.opener().catch(() => page), pause(openerLimit).then(() => page)]);

// newPage opens an empty page. One that dies while it is made may never come; if it
// comes late it is closed.
async function newPage(context) {
  const made = context.newPage();
  try {
    return await within(newLimit, made, 'a new tab did not come');
  } catch (e) {
    made.then(late => late.close()).catch(() => {});
    throw e;
  }
}

async function restore(context, { state, pages, ids, tabs, current, cookiesOnly, same, adopt, attempt }) {
  if (attempt === 1) {
    opened = new WeakMap();
    fragile.clear();
  }
  const known = contexts.get(context);
  const users = adopt && !known.ours; // whose tabs are the user's, too
  const mine = ++restorations;
  const latest = () => {
    if (mine !== restorations)
      throw new Error('another attempt has begun');
  };
  const alive = () => {
    latest();
    if (contexts.get(context) !== known || known.closed)
      throw new Error('the browser died while it was restored');
    if (crashed.has(context))
      throw new Error('a page crashed while it was restored');
  };
  if (state)
    await within(putLimit, storage.putBack(context, state, cookiesOnly), 'the storage could not be put back');
  latest();
  const { open, closing } = await match(context, pages, { ids, same, adopt: users });
  for (const one of open) {
    if (one.page)
      continue;
    one.page = await newPage(context);
    if (mine !== restorations)
      one.page.close().catch(() => {});
    latest();
  }
  crashed.set(context, (crashed.get(context) || []).filter(page => !closing.includes(page)));
  if (crashed.get(context).length === 0)
    crashed.delete(context);
  send({ event: 'mended', context: known.id });
  await Promise.all(closing.map(page => Promise.race([page.close().catch(() => {}), pause(closeLimit)])));
  inOrder(context, open.map(({ page }) => page));
  alive();
  const setUp = async i => {
    const { page, kept } = open[i];
    const tab = tabs[i] || {};
    if (kept && same)
      return loads.get(page);
    opened.set(page, pages[i]);
    if (i !== current && fragile.get(pages[i]) >= fragileTimes) {
      loads.set(page, { url: pages[i], reason: 'its page crashes' }); // the other tabs must not suffer from it
      return;
    }
    const set = [tab.viewport && page.setViewportSize(tab.viewport), tab.media && page.emulateMedia(tab.media)];
    await Promise.race([Promise.allSettled(set), pause(setLimit)]);
    return kept ? loads.get(page) : load(context, page, pages[i]);
  };
  const others = [];
  if (open[current]) {
    const loading = await setUp(current);
    if (!open[current].kept)
      await arrived(open[current].page, loading);
    alive();
  }
  for (const i of pages.keys()) {
    if (i !== current)
      others.push(setUp(i).then(loading => loading && loading.done));
  }
  await Promise.race([Promise.all(others), pause(othersLimit)]);
  if (!users)
    await closeEmpty(context, open.map(({ page }) => page), ids);
  alive();
  tell(context, known);
  const now = tabsOf(context);
  // What an attempt before this one has opened is new for the agent.
  return { places: open.map(({ page }) => now.indexOf(page)), kept: open.map(({ page, kept }) => kept && (!same || ids.includes(idOf(page)))) };
}

// retry tries again to open the page at a place, if it does not show its address.
async function retry(context, { at }) {
  const page = tabsOf(context)[at];
  const waiting = page && loads.get(page);
  if (waiting)
    await arrived(page, load(context, page, waiting.url));
  if (page && !page.isClosed() && contexts.has(context))
    tell(context, contexts.get(context));
  return {};
}

const actions = { save, restore, retry, pulse: async context => { await context.cookies(); } };

module.exports.default = async ({ page }) => {
  try {
    if (!socket)
      connect();
    await greeted;
    const context = page.context();
    const known = contexts.get(context) || follow(context);
    await known.greeted;
    page.on('framenavigated', frame => {
      if (frame !== page.mainFrame())
        return;
      // It has come, or the agent has gone elsewhere.
      const { reason, stopping } = loads.get(page) || {};
      if (!page.url().startsWith('chrome-error:') && (page.url() !== 'about:blank' || reason && !stopping))
        loads.delete(page);
      tell(context, known);
    });
    page.on('requestfailed', request => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame())
        refused.set(page, request.url());
    });
    mourn(context, known, page); // the first page was there before its context was followed
    page.on('close', () => { loads.delete(page); tellSoon(context, known); });
    if (remote)
      asked.set(page, askId(context, page).then(() => tell(context, known), () => {})); // its address then tells it
    tell(context, known);
  } catch {
    // PlayGuard then notices what it can from the answers.
  }
};
