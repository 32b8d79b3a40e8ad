// What this document has done by itself, and what input it has received. Runs from the document's start.
//
// A text, attribute or list of children that keeps changing without anybody's doing (clocks, counters, timers, spinners) says
// nothing about what an act brought about. "By itself" means: more than a second after the last input, repeatedly, with no
// input in between. Time is the document timeline's, which stands still while the app's time is held.

const QUIET_MS = 1000;
const APART_MS = 80;
const FORGET_MS = 10_000;
// What comes every frame and has not come for half a second has stopped; its next change is somebody's doing again.
const OVERDUE = 3;
const SLACK_MS = 500;
const STORM_PER_S = 20_000;

const appTime = () => document.timeline?.currentTime ?? performance.now();

const inputs = [];
const inputCounts = {};
let inputCount = 0;
let lastInput = -Infinity;
let lastPress = -Infinity;

const noteInput = (event) => {
  if (!event.isTrusted) return;
  inputCount += 1;
  lastInput = appTime();
  lastPress = event.type === 'pointermove' ? -Infinity : lastInput;
  if (event.type === 'pointermove') return;
  inputCounts[event.type] = (inputCounts[event.type] || 0) + 1;
  inputs.push({
    number: inputCount,
    type: event.type,
    x: event.clientX,
    y: event.clientY,
    key: event.key,
    code: event.code,
    keyCode: event.keyCode,
    target: event.composedPath()[0],
  });
  if (inputs.length > 60) inputs.shift();
  if (event.type === 'keydown' && !event.repeat) noteKey(event);
};
/** Keys last pressed, each with its event: once that has gone its way it tells whether the page kept the browser from acting on it. */
const pressedKeys = new Map();
const noteKey = (event) => {
  pressedKeys.delete(event.key);
  pressedKeys.set(event.key, event);
  if (pressedKeys.size > 12) pressedKeys.delete(pressedKeys.keys().next().value);
};
for (const type of ['pointermove', 'pointerdown', 'pointerup', 'click', 'keydown', 'keyup', 'wheel', 'input', 'dragstart', 'dragover', 'drop', 'dragend']) {
  addEventListener(type, noteInput, { capture: true, passive: true });
}

const textRecords = new WeakMap();
const attributeRecords = new WeakMap();
const childRecords = new WeakMap();
const addedByItself = new WeakSet();
let watch = null;
let storm = false;
let seenInSecond = 0;
let secondStarted = 0;

/** One more change at `record`; true once it counts as moving by itself. Changes that only count need fewer repeats. */
const noteChange = (records, key, countsOnly) => {
  const now = appTime();
  let record = records.get(key);
  if (!record) records.set(key, (record = { at: -Infinity, streak: 0, epoch: -1, needed: 3, period: 0 }));
  if (now - lastInput <= QUIET_MS) return record.streak >= record.needed;
  if (record.epoch !== inputCount || now - record.at > FORGET_MS) {
    Object.assign(record, { at: now, streak: 1, epoch: inputCount, needed: countsOnly ? 2 : 3, period: 0 });
  } else if (now - record.at >= APART_MS) {
    record.period = Math.max(record.period, now - record.at);
    record.at = now;
    record.streak += 1;
    if (countsOnly) record.needed = 2;
  }
  return record.streak >= record.needed;
};

const isRestless = (records, key) => {
  const record = records.get(key);
  return Boolean(record) && record.streak >= record.needed && appTime() - record.at <= Math.min(FORGET_MS, OVERDUE * record.period + SLACK_MS);
};

const isText = (node) => node.nodeType === Node.TEXT_NODE;

/** Changes of attributes and of elements, texts apart: a light that goes on and off counts, a figure that counts does not. */
let shifts = 0;
/** Attributes that changed right after a press, before the pointer moved on: what flashes up and is gone again still happened. */
let stirs = 0;
const STIRRED_MS = 1500;

const noteMutation = (mutation) => {
  const { type, target } = mutation;
  if (type === 'attributes') {
    let names = attributeRecords.get(target);
    if (!names) attributeRecords.set(target, (names = new Map()));
    const restless = noteChange(names, mutation.attributeName, false);
    const pressed = appTime() - lastPress <= STIRRED_MS;
    if (mutation.oldValue !== target.getAttribute(mutation.attributeName)) shifts += 1;
    if (pressed && !restless && mutation.oldValue !== target.getAttribute(mutation.attributeName)) stirs += 1;
    if (watch) {
      const watched = watch.attributes.get(target);
      if (watched) watched.add(mutation.attributeName);
      else watch.attributes.set(target, new Set([mutation.attributeName]));
    }
    return;
  }
  const nodes = [...mutation.addedNodes, ...mutation.removedNodes];
  if (type === 'characterData' || nodes.every(isText)) {
    const holder = type === 'characterData' ? target.parentNode : target;
    if (!holder) return;
    const [before, after] =
      type === 'characterData'
        ? [mutation.oldValue || '', target.data]
        : [mutation.removedNodes, mutation.addedNodes].map((list) => [...list].map((node) => node.data).join(''));
    noteChange(textRecords, holder, Boolean(before) && maskDigits(before) === maskDigits(after));
    watch?.texts.add(holder);
    return;
  }
  shifts += 1;
  const restless = noteChange(childRecords, target, false);
  for (const node of mutation.addedNodes) {
    if (restless) addedByItself.add(node);
    watch?.added.add(node);
  }
};

const observer = new MutationObserver((mutations) => {
  const now = performance.now();
  if (now - secondStarted > 1000) [secondStarted, seenInSecond] = [now, 0];
  seenInSecond += mutations.length;
  if (seenInSecond > STORM_PER_S) {
    // Bookkeeping must not become the page's load: from here on only the watch tells what moves.
    storm = true;
    observer.disconnect();
    return;
  }
  mutations.forEach(noteMutation);
});
const OBSERVED = { subtree: true, childList: true, characterData: true, characterDataOldValue: true, attributes: true, attributeOldValue: true };
observer.observe(document, OBSERVED);

const observedRoots = new WeakSet();
const observeRoot = (root) => {
  if (observedRoots.has(root) || storm) return;
  observedRoots.add(root);
  observer.observe(root, OBSERVED);
};

const takeMutations = () => observer.takeRecords().forEach(noteMutation);

/** From here on everything that changes is set aside, until `surveyed` is called after the watch. */
sight.beginWatch = () => {
  takeMutations();
  watch = { texts: new WeakSet(), attributes: new WeakMap(), added: new WeakSet() };
  if (storm) observer.observe(document, OBSERVED);
};
const endWatch = () => {
  takeMutations();
  if (storm) observer.disconnect();
};

const textMoves = (holder) => isRestless(textRecords, holder) || Boolean(watch?.texts.has(holder));
const attributeMoves = (element, name) => {
  if (watch?.attributes.get(element)?.has(name)) return true;
  const names = attributeRecords.get(element);
  return Boolean(names) && isRestless(names, name);
};
const movesIn = (node) => addedByItself.has(node) && isRestless(childRecords, node.parentNode) || Boolean(watch?.added.has(node));

let lastMotion = -Infinity;
/** The picture was seen moving; until that has been over for a while no picture of this document says what an act did. */
sight.noteMotion = () => {
  lastMotion = appTime();
};

/** How much input there has been and in which document, to ask later what came after it. */
sight.inputMark = () => ({ number: inputCount, counts: { ...inputCounts }, document: performance.timeOrigin });
