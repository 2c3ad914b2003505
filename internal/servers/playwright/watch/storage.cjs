// Collects what the pages of a context store, without opening one: Playwright's own
// storageState() opens a hidden page for each origin that no tab shows, and takes
// every page that appears meanwhile for its own, so that no tool ever sees it.
'use strict';
const { readFile } = require('node:fs/promises');

const contexts = new WeakMap(); // of Playwright, to what is known of each origin
const reading = new WeakSet(); // frames that have not answered yet
const pageLimit = 700; // ms for the databases of an origin
const frameLimit = 1500; // ms for all of a frame, which may be busy or stand behind a dialog
const maxDatabase = 8 << 20; // characters

function originsOf(context) {
  if (!contexts.has(context))
    contexts.set(context, new Map());
  return contexts.get(context);
}

// read runs in the page. It returns local storage and IndexedDB in the form that
// context.setStorageState() takes (as of Playwright 1.62), and the names of databases
// that hold what has no such form, are too large or do not answer.
async function read({ limit, maxSize }) {
  const until = performance.now() + limit;
  const settled = request => new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
  const typed = { Int8Array: 'i8', Uint8Array: 'ui8', Uint8ClampedArray: 'ui8c', Int16Array: 'i16', Uint16Array: 'ui16', Int32Array: 'i32',
    Uint32Array: 'ui32', Float32Array: 'f32', Float64Array: 'f64', BigInt64Array: 'bi64', BigUint64Array: 'bui64' };
  const base64 = bytes => {
    let text = '';
    for (let i = 0; i < bytes.length; i += 8192)
      text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(text);
  };

  // encoded adds a key or a value to a record: as it is where JSON holds it, else in
  // Playwright's encoding.
  const encoded = (record, name, value, count) => {
    const ids = new Map();
    let plain = true;
    const coded = form => { plain = false; return form; };
    const begun = object => { ids.set(object, ids.size + 1); return ids.size; };
    const bytes = view => { const text = base64(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)); count(text.length); return text; };
    const encode = v => {
      count(8);
      switch (typeof v) {
        case 'string': count(v.length); return v;
        case 'boolean': return v;
        case 'number': return Number.isFinite(v) && !Object.is(v, -0) ? v : coded({ v: Object.is(v, -0) ? '-0' : String(v) });
        case 'undefined': return coded({ v: 'undefined' });
        case 'bigint': return coded({ bi: String(v) });
      }
      if (v === null)
        return { v: 'null' };
      if (ids.has(v))
        return coded({ ref: ids.get(v) });
      if (Array.isArray(v) && Object.keys(v).length <= v.length) {
        const id = begun(v), a = [];
        for (let i = 0; i < v.length; i++)
          a.push(encode(v[i]));
        return { a, id };
      }
      if (Object.getPrototypeOf(v) === Object.prototype && !Object.keys(v).includes('__proto__')) {
        const id = begun(v);
        return { o: Object.keys(v).map(k => { count(k.length); return { k, v: encode(v[k]) }; }), id };
      }
      const kind = Object.prototype.toString.call(v).slice(8, -1);
      if (typed[kind])
        return coded({ ta: { b: bytes(v), k: typed[kind] } });
      switch (kind) {
        case 'Date': return coded({ d: isNaN(v) ? 'Invalid Date' : v.toISOString() });
        case 'RegExp': return coded({ r: { p: v.source, f: v.flags } });
        case 'Error': return coded({ e: { n: v.name, m: v.message, s: String(v.stack) } });
        case 'ArrayBuffer': return coded({ ab: { b: bytes(new Uint8Array(v)) } });
        case 'Map': return coded({ id: begun(v), m: [...v].map(([k, w]) => ({ k: encode(k), v: encode(w) })) });
        case 'Set': return coded({ id: begun(v), s: [...v].map(encode) });
      }
      throw new Error(`${kind} has no form`);
    };
    const form = encode(value);
    if (plain && value !== null)
      record[name] = value;
    else
      record[name + 'Encoded'] = form;
  };

  const path = keyPath => Array.isArray(keyPath) ? { keyPathArray: [...keyPath] } : typeof keyPath === 'string' ? { keyPath } : {};

  async function readStore(store, count) {
    const out = { name: store.name, records: [], autoIncrement: store.autoIncrement, ...path(store.keyPath) };
    out.indexes = [...store.indexNames].map(name => store.index(name))
        .map(index => ({ name: index.name, multiEntry: index.multiEntry, unique: index.unique, ...path(index.keyPath) }));
    const batch = 100;
    for (let range, keys = { length: batch }; keys.length === batch; range = IDBKeyRange.lowerBound(keys[batch - 1], true)) {
      let values;
      [keys, values] = await Promise.all([settled(store.getAllKeys(range, batch)), settled(store.getAll(range, batch))]);
      keys.forEach((key, i) => {
        const record = {};
        if (store.keyPath === null)
          encoded(record, 'key', key, count);
        encoded(record, 'value', values[i], count);
        out.records.push(record);
      });
      if (keys.length < batch)
        break;
    }
    return out;
  }

  async function readDatabase({ name, version }) {
    const opening = indexedDB.open(name);
    let db, over = false;
    opening.addEventListener('upgradeneeded', () => opening.transaction.abort()); // it was deleted meanwhile, and stays so
    opening.addEventListener('success', () => {
      db = opening.result;
      db.onversionchange = () => db.close(); // the page goes first
      if (over)
        db.close();
    });
    let size = 0;
    const count = n => {
      if ((size += n) > maxSize || performance.now() > until)
        throw new Error('it is too large');
    };
    const all = async () => {
      await settled(opening);
      const names = [...db.objectStoreNames];
      const transaction = names.length && db.transaction(names, 'readonly');
      return { name, version: db.version || version, stores: await Promise.all(names.map(each => readStore(transaction.objectStore(each), count))) };
    };
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('it does not answer')), limit));
    try {
      return await Promise.race([all(), late]);
    } finally {
      over = true;
      if (db)
        db.close();
    }
  }

  const out = { origin: location.origin, localStorage: [] };
  for (let i = 0; i < localStorage.length; i++)
    out.localStorage.push({ name: localStorage.key(i), value: localStorage.getItem(localStorage.key(i)) });
  try {
    const found = await indexedDB.databases();
    const results = await Promise.allSettled(found.map(readDatabase));
    out.indexedDB = results.filter(r => r.status === 'fulfilled').map(r => r.value);
    out.unread = found.map(db => db.name).filter((_, i) => results[i].status === 'rejected');
  } catch {
    // What was known of the databases then stays.
  }
  return out;
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms).unref());

// originOf is the origin of an address that has storage of its own, else undefined.
function originOf(url) {
  try {
    const { protocol, origin } = new URL(url);
    return protocol === 'http:' || protocol === 'https:' ? origin : undefined;
  } catch {
    return undefined;
  }
}

// sameSite tells, without the list of public suffixes, that two addresses share one
// site for certain.
function sameSite(a, b) {
  const { protocol, hostname } = new URL(a), other = new URL(b);
  return protocol === other.protocol &&
    (hostname === other.hostname || hostname.endsWith('.' + other.hostname) || other.hostname.endsWith('.' + hostname));
}

// firstParty reports whether a frame has the storage that its origin has in a tab of
// its own: inside of another site's page it may have another one.
function firstParty(frame) {
  for (let above = frame.parentFrame(); above; above = above.parentFrame()) {
    if (!originOf(above.url()) || !sameSite(frame.url(), above.url()))
      return false;
  }
  return true;
}

// keep notes what a frame's origin stores, and reports whether it was told in time.
// A frame that still owes an answer is not asked once more.
async function keep(context, frame) {
  if (reading.has(frame))
    return false;
  reading.add(frame);
  const origin = originOf(frame.url());
  const answer = frame.evaluate(read, { limit: pageLimit, maxSize: maxDatabase }).catch(() => undefined);
  answer.then(() => reading.delete(frame));
  const got = await Promise.race([answer, pause(frameLimit)]);
  // A page may say what it likes, of its own origin only.
  if (!got || got.origin !== origin || originOf(frame.url()) !== origin || !Array.isArray(got.localStorage))
    return false;
  const text = entry => entry && typeof entry.name === 'string' && typeof entry.value === 'string';
  originsOf(context).set(origin, { ...got, localStorage: got.localStorage.filter(text) });
  return true;
}

// follow notes what is put into a context by others, too.
function follow(context) {
  const set = context.setStorageState;
  if (typeof set !== 'function')
    return;
  context.setStorageState = async function(state, ...rest) {
    const result = await set.call(this, state, ...rest);
    try {
      const put = typeof state === 'string' ? JSON.parse(await readFile(state, 'utf8')) : state;
      const origins = originsOf(context);
      for (const origin of origins.keys())
        origins.set(origin, { origin, localStorage: [], indexedDB: [] });
      for (const { origin, localStorage = [], indexedDB = [] } of put && put.origins || [])
        origins.set(origin, { origin, localStorage, indexedDB });
    } catch {
      // What the pages show is collected all the same.
    }
    return result;
  };
}

// collect returns the cookies and what is known of each origin: that of the living
// frames as it is now, of others as it was last. (A page that goes to another site
// can't be asked any more: from the start of its navigation the browser passes on
// nothing.) Of databases that could not be read only the names are told. The current tab
// goes first: what it has stored gets to the other tabs' processes some time later.
async function collect(context, cookiesOnly, crashed, current) {
  const cookies = await context.cookies();
  if (cookiesOnly)
    return { cookies, origins: [] };
  const frames = new Map(); // origin to those that show it, tabs first
  const pages = context.pages().filter(page => !crashed.includes(page)).sort((a, b) => (b === current) - (a === current));
  const all = [...pages.map(page => page.mainFrame()), ...pages.flatMap(page => page.frames().slice(1))];
  for (const frame of all) {
    const origin = originOf(frame.url());
    if (origin && firstParty(frame))
      frames.set(origin, [...frames.get(origin) || [], frame]);
  }
  await Promise.all([...frames.values()].map(async candidates => {
    for (const frame of candidates) {
      if (await keep(context, frame))
        return;
    }
  }));
  return { cookies, origins: [...originsOf(context).values()] };
}

// putBack fills an empty browser with what was stored. A profile on disk has kept
// its own; it only misses cookies that were not written.
async function putBack(context, state, cookiesOnly) {
  if (!cookiesOnly && context.setStorageState) {
    const origins = [...state.origins || [], ...await begunWith(context, state)];
    for (const form of [origins, origins.map(({ indexedDB, ...rest }) => rest)]) {
      try {
        return await context.setStorageState({ ...state, origins: form });
      } catch {
        // What has no form that this version knows must not cost the login.
      }
    }
  }
  const name = c => JSON.stringify([c.name, c.domain, c.path, c.partitionKey]);
  const there = new Set((await context.cookies()).map(name));
  const now = Date.now() / 1000;
  const missing = state.cookies.filter(c => !there.has(name(c)) && !(c.expires > 0 && c.expires < now));
  if (missing.length)
    await context.addCookies(missing);
}

// begunWith is what a new context was given to begin with (--storage-state) for
// origins that have never been shown. No page can appear while it is asked for.
async function begunWith(context, state) {
  if (context.pages().some(page => page.url() !== 'about:blank'))
    return [];
  const known = new Set((state.origins || []).map(({ origin }) => origin));
  try {
    return (await context.storageState({ indexedDB: true })).origins.filter(({ origin }) => !known.has(origin));
  } catch {
    return [];
  }
}

module.exports = { follow, collect, putBack };
