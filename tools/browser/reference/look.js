// What the page shows and what can be acted on, with CSS paths. Reads only.
(wantControls) => {
  const MOST = 1500, shorten = (text, most = 160) => text.replace(/\s+/g, ' ').trim().slice(0, most);
  const paths = new Map();
  const path = (element) => {
    if (element === document.documentElement) return 'html';
    if (element === document.body) return 'body';
    const known = paths.get(element);
    if (known) return known;
    const parent = element.parentElement;
    if (!parent) return element.localName;
    let number = 1;
    for (let one = element.previousElementSibling; one; one = one.previousElementSibling) {
      if (one.localName === element.localName) number += 1;
    }
    const said = path(parent) + ' > ' + CSS.escape(element.localName) + ':nth-of-type(' + number + ')';
    paths.set(element, said);
    return said;
  };
  const shownCache = new Map();
  const shown = (element) => {
    if (!element || element === document.documentElement) return true;
    if (shownCache.has(element)) return shownCache.get(element);
    const style = getComputedStyle(element);
    const here = style.display !== 'none' && style.visibility !== 'hidden' && style.opacity !== '0' && shown(element.parentElement);
    shownCache.set(element, here);
    return here;
  };
  const there = (element) => { const style = getComputedStyle(element); return style.display !== 'none' && style.visibility !== 'hidden'; };
  const boxed = (element) => { const box = element.getBoundingClientRect(); return box.width > 1 && box.height > 1; };

  const texts = [], seen = new Map();
  const walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && texts.length < MOST; node = walker.nextNode()) {
    const parent = node.parentElement, said = shorten(node.data, 300);
    if (!said || !parent || /^(script|style|noscript|template|option)$/i.test(parent.localName) || !shown(parent)) continue;
    const place = path(parent), at = seen.get(place);
    if (at === undefined) { seen.set(place, texts.length); texts.push([place, said]); }
    else texts[at][1] += ' ' + said;
  }
  const fields = [];
  for (const field of document.querySelectorAll('input, textarea, select, [contenteditable="true"], [aria-pressed], [aria-checked]')) {
    if (fields.length >= 300 || field.type === 'hidden') continue;
    const said = [];
    if (field.type === 'checkbox' || field.type === 'radio') said.push(field.checked ? 'on' : 'off');
    else if (field.type === 'password') said.push('*'.repeat((field.value || '').length));
    else if ('value' in field && field.localName !== 'button') said.push(shorten(String(field.value), 200));
    for (const name of ['aria-pressed', 'aria-checked']) if (field.hasAttribute(name)) said.push(name + '=' + field.getAttribute(name));
    if (field.disabled) said.push('disabled');
    if (document.activeElement === field) said.push('focused');
    fields.push([path(field), said.join(' ')]);
  }
  const collections = [];
  for (const holder of document.querySelectorAll('body, body *')) {
    if (collections.length >= 300 || holder.childElementCount < 2 || holder.closest('svg, head, select')) continue;
    const kinds = new Map();
    for (const child of holder.children) {
      if (/^(script|style|br|option|template)$/i.test(child.localName) || !shown(child)) continue;
      kinds.set(child.localName, (kinds.get(child.localName) || 0) + 1);
    }
    for (const [kind, count] of kinds) if (count > 1) collections.push([path(holder) + ' > ' + kind, count]);
  }
  const storage = [];
  for (const [name, store] of [['local', localStorage], ['session', sessionStorage]]) {
    for (const key of Object.keys(store).sort().slice(0, 60)) storage.push([name + ':' + key, String(store.getItem(key)).slice(0, 4000)]);
  }
  const told = { address: location.pathname + location.search + location.hash, texts, fields, collections, storage,
    sounds: globalThis.__assay_sounds || 0 };
  if (!wantControls) return told;

  const name = (element) => shorten(element.getAttribute('aria-label') || (element.labels && element.labels[0] && element.labels[0].innerText)
    || element.innerText || element.getAttribute('placeholder') || element.getAttribute('title') || element.getAttribute('alt')
    || element.getAttribute('name') || element.id || element.className.toString() || element.localName, 60);
  const controls = [];
  const wanted = 'a[href], button, input, select, textarea, summary, label, canvas, li, td, [contenteditable="true"], [onclick],'
    + ' [tabindex], [role=button], [role=tab], [role=checkbox], [role=switch], [role=radio], [role=option], [role=menuitem],'
    + ' [role=combobox], [role=slider], [draggable=true]';
  for (const element of document.querySelectorAll(wanted)) {
    if (controls.length >= 250 || element.disabled || element.type === 'hidden' || element.type === 'file') continue;
    const passive = /^(li|td|label)$/i.test(element.localName);
    const away = element.localName === 'a' && (element.origin !== location.origin || element.target === '_blank' || element.hasAttribute('download'));
    if (away || (element.localName === 'label' && element.control && boxed(element.control) && shown(element.control))) continue;
    let over = '';
    // A checkbox is often transparent, with a drawing of its own in its place.
    const usable = element.localName === 'input' ? there(element) && shown(element.parentElement) : shown(element);
    if (!usable || !boxed(element)) {
      const holder = element.closest('li, tr, article, [class*=card], [class*=item]');
      if (!holder || holder === element || !shown(holder) || passive || element.localName === 'input') continue;
      over = path(holder);
    }
    const options = element.localName === 'select' ? [...element.options].filter((one) => !one.disabled).map((one) => one.value) : [];
    controls.push({ place: path(element), over, tag: element.localName, type: (element.type || '').toLowerCase(), name: name(element),
      editable: element.isContentEditable, passive, options, value: 'value' in element ? String(element.value) : '',
      low: element.min || '', high: element.max || '', inForm: !!element.form,
      role: element.getAttribute('role') || '' });
  }
  return { ...told, controls };
}
