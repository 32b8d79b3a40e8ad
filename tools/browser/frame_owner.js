(element) => {
  // The element that holds a frame: a path that finds it again, the size of its content box before transforms, and its CSS zoom.
  const inside = (node) => {
    const root = node.getRootNode();
    const unique = (selector) => root.querySelectorAll(selector).length === 1;
    const own = (id) => /^[A-Za-z][\w-]*$/.test(id) && !/\d{3,}|[0-9a-f]{8,}/.test(id);
    const steps = [];
    for (let at = node; at && at.nodeType === Node.ELEMENT_NODE; at = at.parentElement) {
      if (at.id && own(at.id) && unique('#' + CSS.escape(at.id))) {
        steps.unshift('#' + CSS.escape(at.id));
        break;
      }
      const tag = CSS.escape(at.localName);
      const alike = at.parentNode ? [...at.parentNode.children].filter((other) => other.localName === at.localName) : [at];
      steps.unshift(alike.length > 1 ? `${tag}:nth-of-type(${alike.indexOf(at) + 1})` : tag);
    }
    return { path: steps.join(' > '), root };
  };
  let { path, root } = inside(element);
  while (root instanceof ShadowRoot) {
    const outer = inside(root.host);
    path = `${outer.path} >>> ${path}`;
    root = outer.root;
  }
  const style = getComputedStyle(element);
  const number = (name) => parseFloat(style[name]) || 0;
  const sum = (...names) => names.reduce((total, name) => total + number(name), 0);
  const border = style.boxSizing === 'border-box';
  const width = number('width') - (border ? sum('paddingLeft', 'paddingRight', 'borderLeftWidth', 'borderRightWidth') : 0);
  const height = number('height') - (border ? sum('paddingTop', 'paddingBottom', 'borderTopWidth', 'borderBottomWidth') : 0);
  return { path, width: width || element.clientWidth, height: height || element.clientHeight, zoom: element.currentCSSZoom || 1 };
}
