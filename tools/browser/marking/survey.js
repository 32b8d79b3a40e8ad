// One walk over the page: its text and state as digests that leave out what moves by itself, what might move, and everything that
// could be a mark. `sight.survey` returns plain values and keeps the candidates' elements for `sight.marks`.

const TEXT_LIMIT = 20_000;
const NODE_LIMIT = 150_000;
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'select', 'textarea', 'head', 'title', 'meta', 'link']);
const HANDLED = /^(pointer|grab|grabbing|move|crosshair|zoom-in|zoom-out|copy|cell|alias|help|(col|row|[nesw]{1,2}|nesw|nwse|ew|ns|all)-(resize|scroll))$/;
const CAN_HOST = new Set('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));

let candidates = [];
let hosts = [];
let orders = new Map();
let shadowRoots = [];
const askedHosts = new WeakSet();

const isHidden = (style) => style.visibility !== 'visible';

/** Beyond the page's left edge or top, where there is nothing unless a scroller of its own brings it in. */
const isBeyond = (element, rect) => {
  if (rect.right + scrollX > 0 && rect.bottom + scrollY > 0) return false;
  for (let at = flatParent(element); at && at !== document.scrollingElement; at = flatParent(at)) {
    if (at.scrollWidth <= at.clientWidth + 1 && at.scrollHeight <= at.clientHeight + 1) continue;
    const { overflowX, overflowY } = getComputedStyle(at);
    if (/auto|scroll/.test(`${overflowX} ${overflowY}`)) return false;
  }
  return true;
};

/** Put where nobody can scroll to, or shrunk to nothing: text for screen readers only. */
const isOutOfSight = (element, style) => {
  if (style.position !== 'absolute' && style.position !== 'fixed') return false;
  const rect = element.getBoundingClientRect();
  const shrunk = rect.width <= 1 && rect.height <= 1 && style.overflow !== 'visible';
  return shrunk || isBeyond(element, rect);
};

/** Whether it may be the host of a closed shadow root: a custom element, or one that has a size and nothing inside to give it one. */
const worthAsking = (element) => {
  if (rootOf(element) || askedHosts.has(element)) return false;
  if (element.localName.includes('-')) return true;
  if (!CAN_HOST.has(element.localName) || element.firstElementChild) return false;
  return element.offsetWidth > 0 && element.offsetHeight > 0 && !element.textContent.trim();
};

const reasonsFor = (element, style, parentCursor) => {
  const reasons = [];
  const tag = element.localName;
  const role = (element.getAttribute('role') || '').trim().toLowerCase().split(/\s+/)[0];
  if (tag === 'canvas') reasons.push('canvas');
  else if (isNative(element) && !['label', 'option', 'audio', 'video'].includes(tag) && !(tag === 'input' && element.type === 'hidden')) reasons.push('tag');
  else if ((tag === 'audio' || tag === 'video') && element.controls) reasons.push('tag');
  else if (tag === 'label' && element.control) reasons.push('label');
  if (WIDGETS.has(role)) reasons.push('role');
  if (element.isContentEditable && !(flatParent(element)?.isContentEditable)) reasons.push('contenteditable');
  if (HANDLED.test(style.cursor) && style.cursor !== parentCursor && tag !== 'html' && tag !== 'body') reasons.push('cursor');
  if (element.hasAttribute('tabindex') && element.tabIndex >= 0) reasons.push('tabindex');
  if (element.draggable && element.getAttribute('draggable') === 'true') reasons.push('draggable');
  return reasons;
};

const mightMove = (element, activity) => {
  const tag = element.localName;
  if (tag === 'canvas') activity.canvas = true;
  else if (tag === 'video' && !element.paused && !element.ended) activity.media = true;
  else if (tag === 'audio' && !element.paused && !element.ended) activity.sound = true;
  else if (tag === 'img' && /\.(gif|apng|webp|avif)\b|^data:image\/(gif|apng|webp|avif)/i.test(element.currentSrc || element.src)) activity.image = true;
  else if (tag === 'marquee' || tag.startsWith('animate')) activity.markup = true;
  else if (tag === 'embed' || tag === 'object') activity.markup = true;
};

/** In a `details` that is closed, or where rendering is skipped: it has a size all the same, and nobody sees it. */
const isFolded = (element, above) => {
  if (above.skipped) return true;
  const parent = element.parentElement;
  if (parent?.localName !== 'details' || parent.open) return false;
  return element !== [...parent.children].find((child) => child.localName === 'summary');
};

/** Everything about one element that the walk collects; returns what its children need to know. */
const visit = (element, above, out) => {
  out.nodes += 1;
  const moves = above.moves || movesIn(element);
  const root = rootOf(element);
  if (root) {
    shadowRoots.push(root);
    observeRoot(root);
  }
  if (!above.moves && moves) out.dom += '<~>';
  if (!moves) {
    out.dom += `<${element.localName}`;
    for (const { name, value } of element.attributes) {
      if (name === 'nonce' || attributeMoves(element, name)) continue;
      out.dom += ` ${name}=${value}`;
    }
  }
  const below = { ...above, moves, order: out.nodes };
  orders.set(element, out.nodes);
  if (above.hidden) return below;
  const style = getComputedStyle(element);
  // Shapes of an image map are laid out with the image, not as boxes of their own.
  if (element.localName === 'area' && element.href) candidates.push({ element, reasons: ['tag'], order: below.order, faint: above.faint, cursor: 'pointer' });
  if (style.display === '') {
    // Only what has no place in the flat tree has no style: a child that its parent's closed shadow root does not show.
    const host = flatParent(element);
    if (host && !askedHosts.has(host) && !hosts.includes(host)) hosts.push(host);
    return { ...below, hidden: true };
  }
  if (style.display === 'none' || isFolded(element, above)) return { ...below, hidden: true };
  below.skipped = style.contentVisibility === 'hidden';
  below.faint = above.faint || Number(style.opacity) < 0.02;
  below.cursor = style.cursor;
  below.silent = above.silent || SILENT.has(element.localName) || isHidden(style) || below.faint || isOutOfSight(element, style);
  below.apart = style.display === 'table-cell' ? '\t' : style.display.startsWith('inline') || style.display === 'contents' ? '' : '\n';
  mightMove(element, out.activity);
  noteRestless(element, moves && !above.moves, out);
  if (!isHidden(style)) {
    const reasons = reasonsFor(element, style, above.cursor);
    if (reasons.length) candidates.push({ element, reasons, order: below.order, faint: below.faint, cursor: style.cursor });
    if (worthAsking(element)) hosts.push(element);
  }
  return below;
};

/** Places whose content changes by itself while they stay where they are, and elements that are themselves on the move. */
const noteRestless = (element, isNew, out) => {
  if (out.boxes.length < 60 && (isNew || textMoves(element) || isRestless(childRecords, element))) {
    out.boxes.push(boxOf(isNew ? flatParent(element) || element : element));
  }
  const names = attributeRecords.get(element);
  out.restless ||= Boolean(names) && [...names.keys()].some((name) => attributeMoves(element, name));
};

const DRAWN_AT_MOST = 12;
const LEAST_DRAWN = 15_000;

const SHAPES_AT_MOST = 400;
const SHAPES_TOLD = 8;
const LEAST_SHAPE = 40;

/** Whether the browser itself tells something of a shape that is pointed at: by a title of its own or of a group around it. */
const isTitled = (shape, svg) => {
  for (let at = shape; at && at !== svg; at = at.parentElement) if (at.querySelector(':scope > title')) return true;
  return false;
};

/** Selectors of the largest of the shapes that a chart repeats: its bars, points or slices; those with a title of their own apart. */
const likeShapes = (svg, room) => {
  const families = new Map();
  for (const shape of [...svg.querySelectorAll('rect, circle, path, ellipse, polygon')].slice(0, SHAPES_AT_MOST)) {
    const [x, y, width, height] = boxOf(shape);
    const style = getComputedStyle(shape);
    const unfilled = style.fill === 'none' && shape.localName === 'path';
    if (width * height < LEAST_SHAPE || width * height > room / 3 || unfilled || isHidden(style) || style.pointerEvents === 'none') continue;
    if (shape.closest('defs, clipPath, mask, pattern, marker, symbol') || isTitled(shape, svg)) continue;
    if (Number(style.opacity) < 0.05 || Number(style.fillOpacity) < 0.05) continue;
    const family = `${shape.localName}|${shape.getAttribute('class') || ''}`;
    if (!families.has(family)) families.set(family, []);
    families.get(family).push({ shape, size: width * height });
  }
  const largest = [...families.values()].sort((a, b) => b.length - a.length)[0] || [];
  if (largest.length < 3) return [];
  return largest.sort((a, b) => b.size - a.size).slice(0, SHAPES_TOLD).map(({ shape }) => selectorOf(shape, true));
};

/** Charts and other large drawings: where they are, and for what is markup what it holds. Icons and illustrations have no words. */
const drawings = () => {
  const found = [];
  for (const element of document.querySelectorAll('svg, canvas')) {
    const [x, y, width, height] = boxOf(element);
    if (found.length >= DRAWN_AT_MOST || width * height < LEAST_DRAWN || isHidden(getComputedStyle(element))) continue;
    const markup = element.localName === 'svg';
    if (markup && element.querySelectorAll('text').length < 2) continue;
    found.push({
      selector: selectorOf(element, true),
      box: [x, y, width, height],
      digest: markup ? digest(element.innerHTML) : '',
      shapes: markup ? likeShapes(element, width * height) : [],
    });
  }
  return found;
};

const boxOf = (element) => {
  const rect = element.getBoundingClientRect();
  return [rect.x, rect.y, rect.width, rect.height];
};

const walk = (frames) => {
  const out = { nodes: 0, dom: '', text: '', still: '', boxes: [], activity: {}, frames: {}, restless: false, digest: '' };
  const flush = () => {
    out.digest = digest(out.digest + out.dom);
    out.dom = '';
  };
  const say = (text, still = text) => {
    if (out.text.length < TEXT_LIMIT) out.text += text;
    out.still += still;
  };
  const start = { moves: false, hidden: false, faint: false, silent: false, cursor: 'auto', apart: '', order: 0 };
  // A document may have lost its root element, or not have it yet.
  const stack = document.documentElement ? [{ node: document.documentElement, above: start }] : [];
  while (stack.length && out.nodes < NODE_LIMIT) {
    const { node, above, close } = stack.pop();
    if (close !== undefined) {
      if (close) say(close);
      continue;
    }
    if (isText(node)) {
      const holder = flatParent(node);
      const moving = above.moves || (holder && textMoves(node.parentNode));
      if (!moving && !above.unread) out.dom += node.data;
      if (!above.silent && !above.hidden && node.data.trim()) say(node.data, moving ? '~' : node.data);
      else if (!above.silent && !above.hidden) say(' ');
      continue;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const below = visit(node, above, out);
    below.unread = ['script', 'noscript', 'template'].includes(node.localName);
    if (out.dom.length > 65_536) flush();
    if (node.localName === 'br' && !below.silent) say('\n');
    const framed = frames.get(node);
    if (framed !== undefined) {
      out.frames[framed] = below.order;
      if (!below.silent && !below.hidden) say(`\u0000${framed}\u0000`);
    }
    const children = flatChildren(node);
    if (below.apart && !below.silent && !below.hidden) {
      say(below.apart);
      stack.push({ close: below.apart });
    }
    const inherited = { ...below, apart: '' };
    for (let index = children.length - 1; index >= 0; index -= 1) stack.push({ node: children[index], above: inherited });
  }
  flush();
  return out;
};

const tidy = (text) =>
  text
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();

const formValues = (elements) => {
  let values = '';
  for (const { element: shown } of elements) {
    const element = (shown.localName === 'label' && shown.control) || shown;
    if (element.matches('input, textarea')) values += `|${element.type === 'file' ? element.files.length : element.value}${element.checked ? '✓' : ''}`;
    else if (element.localName === 'select') values += `|${[...element.selectedOptions].map((option) => option.value).join(',')}`;
    else if (element.isContentEditable) values += `|${element.textContent}`;
  }
  return values;
};

const storedValues = () => {
  const areas = [];
  for (const name of ['localStorage', 'sessionStorage']) {
    try {
      const area = window[name];
      for (const key of Object.keys(area).sort()) areas.push(`${name}/${key}=${area.getItem(key)}`);
    } catch {
      areas.push(`${name} refused`); // a page of an opaque origin has none
    }
  }
  return areas;
};

const databaseNames = async () => {
  try {
    return (await indexedDB.databases()).map(({ name, version }) => `${name}@${version}`).sort();
  } catch {
    return [];
  }
};

const runningAnimations = () => {
  const running = (root) => root.getAnimations().some((animation) => animation.playState === 'running' && animation.playbackRate !== 0);
  return running(document);
};

/** `frames`: selectors of this frame's iframes, in the order in which the caller numbers them. */
sight.survey = async ({ frames, watched }) => {
  const databases = await databaseNames();
  takeMutations();
  if (watched) endWatch();
  else watch = null;
  [candidates, hosts, shadowRoots, orders] = [[], [], [], new Map()];
  const found = walk(new Map(frames.map((selector, index) => [bySelector(selector), index]).filter(([element]) => element)));
  const focus = (() => {
    let at = document.activeElement;
    for (let root = at && rootOf(at); root && root.activeElement; root = at && rootOf(at)) at = root.activeElement;
    return at && at !== document.body && at !== document.documentElement ? at : null;
  })();
  sight.focused = focus;
  const typing = focus && (focus.matches('textarea, input') || focus.isContentEditable);
  const scroller = document.scrollingElement || document.documentElement || { scrollWidth: 0, scrollHeight: 0 };
  return {
    truncated: found.nodes >= NODE_LIMIT,
    text: tidy(found.text.slice(0, TEXT_LIMIT)),
    textDigest: digest(tidy(found.still)),
    domDigest: found.digest,
    valuesDigest: digest(formValues(candidates)),
    stored: storedValues().concat(databases.length ? [`indexedDB/${databases.join(',')}`] : []),
    activity: Object.keys(found.activity),
    animated: runningAnimations(),
    restless: found.restless || found.boxes.length > 0,
    moved: appTime() - lastMotion <= FORGET_MS,
    stirs,
    shifts: storm ? -1 : shifts,
    keys: [...pressedKeys].map(([key, event]) => [key, event.defaultPrevented]),
    drawings: drawings(),
    movingBoxes: found.boxes,
    typingBox: typing ? boxOf(focus) : null,
    frameOrder: found.frames,
    hosts: hosts.length,
    url: location.href,
    title: document.title,
    language: document.documentElement?.lang || '',
    scroll: [scrollX, scrollY],
    size: [Math.max(scroller.scrollWidth, innerWidth), Math.max(scroller.scrollHeight, innerHeight)],
    viewport: [innerWidth, innerHeight],
  };
};

sight.candidateElements = (limit) => candidates.slice(0, limit).map(({ element }) => element);
sight.shadowRoots = (limit) => shadowRoots.slice(0, limit);
sight.hostElements = (limit) => {
  const asked = hosts.slice(0, limit);
  asked.forEach((element) => askedHosts.add(element));
  return asked;
};
