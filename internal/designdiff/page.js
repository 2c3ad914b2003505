// Runs in the page and only reads. arg.found[k] is the element of target
// arg.index[k], or null where its selector is to be looked up; arg.param.targets
// says of each target what is asked.
(arg) => {
  const squeeze = (s) => (s || '').replace(/\s+/g, ' ').trim();
  const roots = () => {
    // The document and every open shadow root: a component may be inside one.
    const out = [document];
    for (let i = 0; i < out.length; i++)
      for (const e of out[i].querySelectorAll('*')) if (e.shadowRoot) out.push(e.shadowRoot);
    return out;
  };
  const query = (selector) => {
    let found = [...document.querySelectorAll(selector)];
    if (!found.length) found = roots().slice(1).flatMap((r) => [...r.querySelectorAll(selector)]);
    return found;
  };
  const isField = (e) => /^(INPUT|TEXTAREA|SELECT)$/.test(e.tagName);
  const hidden = (e) => !e.getClientRects().length;
  const unseen = (e) => hidden(e) || getComputedStyle(e).visibility !== 'visible' || !!e.checkVisibility && !e.checkVisibility();
  const ownText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const skipped = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|TITLE)$/;
  const bearers = (e) => {
    if (isField(e)) return [e];
    return [e, ...e.querySelectorAll('*')].filter((x) => !skipped.test(x.tagName) && !hidden(x) && (isField(x) || ownText(x)));
  };

  const backProps = ['background-image', 'background-clip', 'background-size', 'background-position', 'background-repeat', 'background-blend-mode', 'mix-blend-mode'];
  const boxProps = [...backProps, 'background-color', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left',
    'margin-top', 'margin-right', 'margin-bottom', 'margin-left', 'border-top-width', 'border-right-width', 'border-bottom-width', 'border-left-width',
    'border-top-style', 'border-right-style', 'border-bottom-style', 'border-left-style', 'border-top-color', 'border-right-color', 'border-bottom-color', 'border-left-color',
    'border-top-left-radius', 'border-top-right-radius', 'border-bottom-right-radius', 'border-bottom-left-radius',
    'outline-width', 'outline-style', 'outline-color', 'box-shadow', 'opacity', 'filter', 'backdrop-filter', 'display', 'row-gap', 'column-gap', 'flex-direction'];
  const textProps = ['font-family', 'font-size', 'font-weight', 'font-style', 'line-height', 'letter-spacing', 'color', '-webkit-text-fill-color',
    'text-align', 'direction', 'text-transform', 'text-shadow', 'font-variant-caps', ...backProps];
  const styles = (e, props) => {
    const computed = getComputedStyle(e), out = {};
    for (const p of props) out[p] = computed.getPropertyValue(p);
    return out;
  };
  // fade is the opacity of an element and those around it, below top.
  const fade = (e, top) => {
    let o = 1;
    for (; e && e !== top; e = e.parentElement || (e.getRootNode() && e.getRootNode().host)) o *= Number(getComputedStyle(e).opacity);
    return o;
  };
  const typeKey = (e) => JSON.stringify([styles(e, textProps), fade(e, null)]);
  let pen;
  const normalHeight = (e) => {
    pen = pen || new OffscreenCanvas(1, 1).getContext('2d');
    const c = getComputedStyle(e);
    pen.font = c.fontStyle + ' ' + c.fontWeight + ' ' + c.fontSize + ' ' + c.fontFamily;
    const m = pen.measureText('x');
    return m.fontBoundingBoxAscent + m.fontBoundingBoxDescent;
  };
  const around = (e) => e.assignedSlot || e.parentElement || (e.getRootNode() && e.getRootNode().host);
  // decoration is the lines that are drawn on an element's text: its own and those
  // of what is around it, up to a box that they do not reach into (CSS Text
  // Decoration 3, 2.1).
  const decoration = (e) => {
    const lines = new Set();
    for (let x = e; x; x = around(x)) {
      const c = getComputedStyle(x);
      for (const l of c.textDecorationLine.split(' ')) if (l !== 'none') lines.add(l);
      if (/inline-/.test(c.display) || c.float !== 'none' || /^(absolute|fixed)$/.test(c.position)) break;
    }
    return [...lines].sort().join(' ');
  };
  // label is the element that carries the text which a Figma layer is about.
  const label = (e, want) => {
    const all = bearers(e);
    if (!all.length) return { texts: 0 };
    let chosen = null;
    if (want) {
      const same = all.filter((x) => squeeze(isField(x) ? x.value || x.placeholder : x.textContent).toLowerCase() === want.toLowerCase());
      chosen = same[same.length - 1] || null; // the innermost
      if (same.length > 1 && !same.every((x, i) => !i || same[i - 1].contains(x))) chosen = null;
    }
    if (!chosen && (all.length === 1 || all.every((x) => typeKey(x) === typeKey(all[0])))) chosen = all[0];
    if (!chosen) return { texts: all.length };
    let style = styles(chosen, textProps), height = 0;
    if (isField(chosen) && !chosen.value && chosen.placeholder) style.color = style['-webkit-text-fill-color'] = getComputedStyle(chosen, '::placeholder').color;
    try { height = normalHeight(chosen); } catch (_) { /* then it is unknown */ }
    const box = chosen.getBoundingClientRect();
    return {
      texts: all.length, style, decoration: decoration(chosen), opacity: fade(chosen, e), normalHeight: height,
      text: squeeze(chosen.textContent).slice(0, 200), width: box.width, height: box.height,
    };
  };
  const clear = /^rgba\(.*, 0\)$|^transparent$/;
  // behind is the colour that shows through an element without one of its own,
  // empty where a picture or something half transparent makes it many.
  const behind = (e) => {
    for (let p = e.parentElement; p; p = p.parentElement) {
      const c = getComputedStyle(p);
      if (c.backgroundImage !== 'none' || c.opacity !== '1') return '';
      if (!clear.test(c.backgroundColor)) return c.backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const read = (e, want) => {
    const painted = ['::before', '::after'].some((p) => {
      const c = getComputedStyle(e, p);
      return c.content !== 'none' && c.content !== 'normal' && c.display !== 'none' &&
        (c.backgroundImage !== 'none' || !clear.test(c.backgroundColor) || c.boxShadow !== 'none' || parseFloat(c.borderTopWidth) > 0);
    });
    return {
      tag: e.tagName.toLowerCase(), style: styles(e, boxProps), behind: behind(e), width: e.offsetWidth || e.getBoundingClientRect().width,
      height: e.offsetHeight || e.getBoundingClientRect().height, painted, hidden: unseen(e), label: label(e, want),
    };
  };

  // byText gives the innermost elements with a text.
  let texts;
  const byText = () => {
    if (texts) return texts;
    texts = new Map();
    for (const e of document.body ? document.body.querySelectorAll('*') : []) {
      if (skipped.test(e.tagName) || hidden(e)) continue;
      const t = squeeze(e.textContent);
      if (!t || t.length > 300) continue;
      const known = texts.get(t) || [];
      if (known.length && known[known.length - 1].contains(e)) known.pop();
      known.push(e);
      texts.set(t, known);
    }
    return texts;
  };

  // map finds the element of each layer below one that is known; it never guesses.
  const map = (scope, layers) => {
    const attr = (name, values) => values.map((v) => '[' + name + '="' + CSS.escape(v) + '"]').join(',');
    const within = (root, selector) => [...(root === document ? document : root).querySelectorAll(selector)];
    const ways = (l) => [
      ['data-figma-id', (r) => within(r, attr('data-figma-id', l.ids))],
      ['data-testid', (r) => l.keys.length ? within(r, attr('data-testid', l.keys)) : []],
      ['id', (r) => l.keys.length ? within(r, attr('id', l.keys)) : []],
      ['class', (r) => l.keys.length ? within(r, l.keys.map((k) => '.' + CSS.escape(k)).join(',')) : []],
      ['text', (r) => l.text ? (byText().get(l.text) || []).filter((e) => r === document || r.contains(e)) : []],
    ];
    const at = new Map(), taken = new Map();
    const out = layers.map((l) => {
      let p = l.parent;
      while (p >= 0 && !at.has(p)) p = layers[p].parent;
      const root = p >= 0 ? at.get(p) : scope;
      let several = '';
      for (const [how, find] of ways(l)) {
        const found = find(root);
        if (found.length === 1) {
          at.set(l.at, found[0]);
          return { element: found[0], how };
        }
        if (found.length > 1 && !several) several = found.length + ' elements by ' + how;
      }
      return { why: several || 'no element' };
    });
    for (const o of out) if (o.element) taken.set(o.element, (taken.get(o.element) || 0) + 1);
    return out.map((o, i) => {
      if (!o.element) return { why: o.why };
      // By id nothing is guessed; otherwise two layers must not share an element.
      if (o.how !== 'data-figma-id' && taken.get(o.element) > 1 && !wraps(layers, out, i)) return { why: 'shares its element with another layer' };
      return { how: o.how, selector: describe(o.element, o.how), element: read(o.element, layers[i].label) };
    });
  };
  // wraps reports whether the layers that share an element lie in each other: a
  // layer around nothing but one other is often one element.
  const wraps = (layers, out, i) => {
    const above = (a, b) => {
      for (let p = layers[b].parent; p >= 0; p = layers[p].parent) if (p === a) return true;
      return false;
    };
    return out.every((o, j) => j === i || o.element !== out[i].element || above(i, j) || above(j, i));
  };
  const describe = (e, how) => {
    if (how === 'text') return e.tagName.toLowerCase() + ' "' + squeeze(e.textContent).slice(0, 40) + '"';
    if (how === 'id') return '#' + e.id;
    if (how === 'class') return '.' + [...e.classList].join('.').slice(0, 60);
    return '[' + how + '="' + e.getAttribute(how) + '"]';
  };

  return arg.index.map((i, k) => {
    const target = arg.param.targets[i];
    try {
      let e = arg.found[k];
      if (!e && target.selector) {
        const all = query(target.selector);
        if (all.length !== 1) return { error: all.length ? 'matches ' + all.length + ' elements: make it match one' : 'matches no element' };
        e = all[0];
      }
      if (target.layers) return { layers: map(e || document, target.layers) };
      return { element: read(e, target.label) };
    } catch (err) {
      return { error: err && err.name === 'SyntaxError' ? 'is no valid CSS selector' : String(err && err.message || err) };
    }
  });
}
