// Runs inside Playwright MCP (--init-page), once for each tab. It tells PlayGuard
// which tabs there are and when a browser, a context or a page has died, hands out
// the session's storage and puts it back. It must never fail: upstream would fail
// the call.
'use strict';
const net = require('node:net');
const { port, token } = require('./watch.json');

let socket, greeted, lastContext = 0;
const contexts = new Map(); // of Playwright, to { id, timer, closed }
const crashed = new Map(); // context to pages

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
  if (!known.closed)
    send({ event: 'pages', context: known.id, pages: context.pages().map(page => page.url()) });
}

// When a browser dies its pages close one by one; that is no change of the tabs.
function tellSoon(context, known) {
  clearTimeout(known.timer);
  known.timer = setTimeout(() => tell(context, known), 100);
  known.timer.unref();
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
  send({ event: 'opened', context: known.id });
  return known;
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

async function save(context) {
  let state;
  try {
    state = await context.storageState({ indexedDB: true });
  } catch {
    state = await context.storageState(); // one that cannot be read must not cost the login
  }
  return { state, pages: context.pages().map(page => page.url()) };
}

// setUp gives a page what tools had set, and its URL; what fails is said.
async function setUp(page, url, tab, failed) {
  try {
    if (tab.viewport)
      await page.setViewportSize(tab.viewport);
    if (tab.media)
      await page.emulateMedia(tab.media);
    if (page.url() !== url)
      await page.goto(url, { waitUntil: 'load' });
  } catch (e) {
    failed.push(url + ': ' + String(e && e.message || e).split('\n')[0]);
  }
}

async function putBack(context, state) {
  if (context.setStorageState) {
    try {
      return await context.setStorageState(state);
    } catch {
      // What has no form that this version knows must not cost the login.
    }
  }
  await context.addCookies(state.cookies);
}

async function restore(context, { state, pages, tabs, adopt }) {
  if (state)
    await putBack(context, state);
  for (const page of crashed.get(context) || [])
    await page.close().catch(() => {});
  crashed.delete(context);
  const failed = [];
  const there = context.pages();
  const open = [];
  for (const [i, url] of pages.entries()) {
    // A browser that is not ours keeps its tabs; only what is missing is opened.
    const found = adopt ? there.findIndex(page => page.url() === url) : 0;
    const page = found < 0 ? undefined : there.splice(found, 1)[0];
    open.push([page || await context.newPage(), url, tabs[i] || {}]);
  }
  await Promise.all(open.map(([page, url, tab]) => setUp(page, url, tab, failed)));
  const now = context.pages();
  return { failed, places: open.map(([page]) => now.indexOf(page)) };
}

const actions = { save, restore, pulse: async context => { await context.cookies(); } };

module.exports.default = async ({ page }) => {
  try {
    if (!socket)
      connect();
    await greeted;
    const context = page.context();
    const known = contexts.get(context) || follow(context);
    page.on('framenavigated', frame => { if (frame === page.mainFrame()) tell(context, known); });
    page.on('crash', () => {
      crashed.set(context, [...crashed.get(context) || [], page]);
      send({ event: 'crashed', context: known.id, places: [context.pages().indexOf(page)] });
    });
    page.on('close', () => tellSoon(context, known));
    tell(context, known);
  } catch {
    // PlayGuard then notices what it can from the answers.
  }
};
