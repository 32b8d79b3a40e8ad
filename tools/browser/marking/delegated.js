function () {
  // Runs in the page's own world, read only, on its document: frameworks keep handlers as properties of elements there that no other
  // world sees (React's props, Svelte's and Solid's delegated events, jQuery's delegates). What comes back is a hint, never evidence.
  const elements = [];
  const types = [];
  const jquery = this.defaultView.jQuery;
  const delegates = (element) => {
    try {
      return (jquery && jquery._data && jquery._data(element, 'events')) || {};
    } catch {
      return {};
    }
  };
  const add = (element, found) => {
    if (!found.length || elements.length >= 1500) return;
    elements.push(element);
    types.push(found.join(' '));
  };
  const all = this.querySelectorAll('*');
  for (let index = 0; index < all.length && index < 60000; index += 1) {
    const element = all[index];
    const found = [];
    for (const key of Object.keys(element)) {
      if (key.startsWith('__reactProps$') || key.startsWith('__reactEventHandlers$')) {
        for (const prop of Object.keys(element[key] || {})) {
          if (/^on[A-Z]/.test(prop) && typeof element[key][prop] === 'function') {
            found.push(prop.slice(2).replace(/Capture$/, '').toLowerCase().replace('doubleclick', 'dblclick'));
          }
        }
      } else if (/^(\$\$|__)(click|dblclick|mousedown|pointerdown|touchstart|keydown|input|change)$/.test(key)) {
        found.push(key.slice(2));
      }
    }
    add(element, found);
    if (jquery) {
      const events = delegates(element);
      for (const type of Object.keys(events)) {
        for (const handler of events[type]) {
          if (handler && handler.selector) element.querySelectorAll(handler.selector).forEach((inner) => add(inner, [type]));
        }
      }
    }
  }
  return [elements, types];
}
