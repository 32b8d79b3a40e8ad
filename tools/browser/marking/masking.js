(forms) => {
  // What the page shows of secrets lies under a bar in the colour of its letters, and fields that hold one show dots: in every picture.
  const NAME = 'assay-secret', sheet = new CSSStyleSheet(), bars = new Highlight(), seen = new WeakMap(), roots = new WeakSet();
  sheet.replaceSync(`::highlight(${NAME}) { background-color: currentcolor; text-shadow: none; }`);
  const holds = (text) => Boolean(text) && forms.some((form) => text.includes(form));
  const bar = (node) => {
    for (const range of seen.get(node) ?? []) bars.delete(range);
    seen.delete(node);
    if (!holds(node.data)) return;
    const ranges = [];
    for (const form of forms) {
      for (let at = node.data.indexOf(form); at >= 0; at = node.data.indexOf(form, at + form.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + form.length);
        bars.add(range);
        ranges.push(range);
      }
    }
    seen.set(node, ranges);
    CSS.highlights.set(NAME, bars);
  };
  const dots = (field) => {
    const masked = field.style.webkitTextSecurity === 'disc';
    if (holds(field.value)) { if (!masked) field.style.setProperty('-webkit-text-security', 'disc', 'important'); }
    else if (masked && !field.value) field.style.removeProperty('-webkit-text-security');
  };
  const look = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return bar(node);
    if (node.nodeType !== Node.ELEMENT_NODE) return undefined;
    if (node.matches('input, textarea')) dots(node);
    if (node.shadowRoot) watch(node.shadowRoot);
    for (const child of node.childNodes) look(child);
    return undefined;
  };
  const watch = (root) => {
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    if (roots.has(root)) return;
    roots.add(root);
    new MutationObserver((changes) => {
      if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
      for (const { type, target, addedNodes } of changes) {
        if (type === 'characterData') bar(target);
        else if (type === 'attributes') dots(target);
        else addedNodes.forEach(look);
      }
    }).observe(root, { childList: true, characterData: true, subtree: true, attributeFilter: ['value'] });
    root.addEventListener('input', ({ target }) => { if (target.matches?.('input, textarea')) dots(target); }, true);
    root.addEventListener('focusin', ({ target }) => { if (target.matches?.('input, textarea')) dots(target); }, true);
    root.childNodes.forEach(look);
  };
  watch(document);
}
