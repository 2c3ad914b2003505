// Records what is interactive on a page and which handlers fire.
//
// __path(el) names an element so that the same thing has the same name after the
// page was rendered anew: by ids and data-keys where there are any.
// __interactive() are the paths of all elements that something can be done with.
// With __dry set, handlers are recorded instead of run, and nothing that the
// browser would do happens, so that every element can be tried on one state of
// the page. __gestures are the presses of the mouse since the last __reset(), each
// with the handlers it fired.
(() => {
  const kinds = /^(click|dblclick|mousedown|mouseup|pointerdown|pointerup|keydown|keyup|change|input|dragstart|submit)$/;
  const listening = new Set();
  window.__dry = false;
  window.__gestures = [];
  window.__reset = () => { window.__gestures = []; };
  window.__path = el => {
    const parts = [];
    for (let e = el; e instanceof Element;) {
      if (e.id) parts.unshift('#' + e.id);
      else if (e.dataset && e.dataset.key) parts.unshift('[' + e.dataset.key + ']');
      else {
        const same = e.parentNode ? [...e.parentNode.children].filter(c => c.localName === e.localName) : [e];
        parts.unshift(e.localName + (same.length > 1 ? same.indexOf(e) : ''));
      }
      const parent = e.parentNode;
      if ((e.id || e.dataset && e.dataset.key) && parent instanceof Element) break;
      e = parent instanceof ShadowRoot ? parent.host : parent;
    }
    return location.host + location.pathname + location.search + ' ' + parts.join('>');
  };
  const fired = (kind, el) => {
    const last = window.__gestures.at(-1);
    if (last && el instanceof Element) last.fired.push(kind + ' ' + window.__path(el));
  };
  const wrappers = new WeakMap();
  const wrapper = (kind, fn) => {
    if (!fn || !kinds.test(kind)) return fn;
    if (!wrappers.has(fn)) wrappers.set(fn, new Map());
    const made = wrappers.get(fn);
    if (!made.has(kind)) made.set(kind, function (event) {
      fired(kind, event.currentTarget);
      if (!window.__dry) return typeof fn === 'function' ? fn.call(this, event) : fn.handleEvent(event);
    });
    return made.get(kind);
  };
  const {addEventListener, removeEventListener} = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (kind, fn, options) {
    if (kinds.test(kind) && this instanceof Element) listening.add(this);
    return addEventListener.call(this, kind, this instanceof Element ? wrapper(kind, fn) : fn, options);
  };
  EventTarget.prototype.removeEventListener = function (kind, fn, options) {
    return removeEventListener.call(this, kind, this instanceof Element ? wrapper(kind, fn) : fn, options);
  };
  // A page that changes by itself stands still.
  const {setInterval} = window;
  window.setInterval = (fn, ...rest) => setInterval(() => { if (!window.__dry) fn(); }, ...rest);
  const handlerKinds = ['click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'keydown', 'change', 'input', 'submit'];
  const wrapped = new WeakSet();
  addEventListener.call(window, 'pointerdown', () => window.__gestures.push({at: performance.timeOrigin + performance.now(), fired: []}), true);
  for (const kind of handlerKinds) {
    addEventListener.call(window, kind, event => {
      // Handlers in attributes and properties, just before they would run.
      for (const el of event.composedPath()) {
        const fn = el instanceof Element && el['on' + kind];
        if (!fn || wrapped.has(fn)) continue;
        const mine = wrapper(kind, fn);
        wrapped.add(mine);
        el['on' + kind] = mine;
      }
      const target = event.composedPath()[0];
      if (kind === 'click' && target instanceof Element) fired('on', target.closest('a,button,input,select,textarea,summary,[contenteditable],label') || document.body);
      // A label's click is followed by one of its control, which must not happen
      // by itself either.
      if (window.__dry && kind !== 'pointerdown') event.preventDefault();
    }, true);
  }
  window.__interactive = () => {
    const found = [];
    const native = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex],[contenteditable],[draggable=true],[role=button],[role=option],[role=textbox]';
    const walk = root => {
      for (const el of root.querySelectorAll('*')) {
        if (listening.has(el) || el.matches(native) || handlerKinds.some(k => el['on' + k])) found.push(window.__path(el));
        if (el.shadowRoot) walk(el.shadowRoot);
      }
    };
    walk(document);
    return found;
  };
})();
