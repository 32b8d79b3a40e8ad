// Chance from a seed: Math.random, crypto.getRandomValues and crypto.randomUUID give the same numbers in every run.
// Runs before the page's own code, in every document and dedicated worker. `start` is {seed, load}: `load` counts the pages
// of the tab, so that one that is loaded again does not draw the numbers (and identifiers) it drew before.
// Nothing is left in the global scope; replaced functions keep name, length and descriptor, and say `[native code]`.
(secret, start) => {
  const G = globalThis;
  const inWorker = typeof DedicatedWorkerGlobalScope === 'function' && G instanceof DedicatedWorkerGlobalScope;
  const inPage = typeof Window === 'function' && typeof document === 'object';
  if (!inWorker && !inPage) return;

  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { imul } = Math;

  if (inPage) {
    // Already here? Two ways lead into a document: one into all, and one that knows which load of the tab it is.
    if (start.load && G !== G.top) return;
    let answered = false;
    const hear = () => { answered = true; };
    addEventListener(secret + ':here', hear);
    dispatchEvent(new CustomEvent(secret + ':load', { detail: start.load }));
    removeEventListener(secret + ':here', hear);
    if (answered) return;
  }

  // ---- The generator: four words of state, shaken by each other (a small counter-based mixer) ---------------------------
  let a = 0, b = 0, c = 0, counter = 1;
  let drawn = false;
  const draw = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum | 0;
    return sum >>> 0;
  };
  const plant = (load) => {
    // Frames of one page draw different numbers: their place among their siblings, up to the top, tells them apart.
    let place = inWorker ? 'worker ' + G.name : '';
    if (inPage) {
      for (let inner = G; inner !== inner.parent; inner = inner.parent) {
        let index = 0;
        while (index < inner.parent.length && inner.parent[index] !== inner) index++;
        place += '/' + index;
      }
    }
    const words = start.seed + ' ' + load + ' ' + place;
    let hash = 2166136261;
    const stir = (salt) => {
      for (let index = 0; index < words.length; index++) hash = imul(hash ^ words.charCodeAt(index) ^ salt, 16777619);
      return hash;
    };
    a = stir(1); b = stir(2); c = stir(3); counter = 1;
    for (let index = 0; index < 15; index++) draw();
  };
  plant(start.load);
  if (inPage) {
    addEventListener(secret + ':load', (event) => {
      event.stopImmediatePropagation();
      // Only before the page has drawn anything: the second script comes right behind the first.
      if (event.detail && event.detail !== start.load && !drawn) { start.load = event.detail; plant(start.load); }
      dispatchEvent(new CustomEvent(secret + ':here'));
    });
  }

  // ---- Looking native ---------------------------------------------------------------------------------------------------
  const disguises = new WeakMap();
  const has = WeakMap.prototype.has.bind(disguises);
  const get = WeakMap.prototype.get.bind(disguises);
  const replace = (object, name, substitute) => {
    const descriptor = getOwnPropertyDescriptor(object, name);
    disguises.set(substitute, descriptor.value);
    defineProperty(object, name, { ...descriptor, value: substitute });
  };
  const nativeToString = Function.prototype.toString;
  replace(Function.prototype, 'toString', ({ toString() {
    return apply(nativeToString, has(this) ? get(this) : this, []);
  } }).toString);

  // ---- What is replaced -------------------------------------------------------------------------------------------------
  replace(Math, 'random', ({ random() {
    drawn = true;
    return (draw() * 2097152 + (draw() >>> 11)) / 9007199254740992;
  } }).random);

  if (typeof Crypto !== 'function') return;
  const views = getPrototypeOf(Uint8Array.prototype);
  const bufferOf = getOwnPropertyDescriptor(views, 'buffer').get;
  const offsetOf = getOwnPropertyDescriptor(views, 'byteOffset').get;
  const lengthOf = getOwnPropertyDescriptor(views, 'byteLength').get;
  const Bytes = Uint8Array;
  const fill = Crypto.prototype.getRandomValues;
  replace(Crypto.prototype, 'getRandomValues', ({ getRandomValues(array) {
    // The native function first: it refuses what must be refused, in its own words.
    const filled = apply(fill, this, arguments);
    drawn = true;
    const bytes = new Bytes(apply(bufferOf, array, []), apply(offsetOf, array, []), apply(lengthOf, array, []));
    for (let index = 0; index < bytes.length; index++) bytes[index] = draw() >>> 24;
    return filled;
  } }).getRandomValues);
  const uuid = Crypto.prototype.randomUUID;
  if (!uuid) return;
  const digits = '0123456789abcdef';
  replace(Crypto.prototype, 'randomUUID', ({ randomUUID() {
    apply(uuid, this, []);
    drawn = true;
    let text = '';
    for (let index = 0; index < 36; index++) {
      if (index === 8 || index === 13 || index === 18 || index === 23) text += '-';
      else if (index === 14) text += '4';
      else if (index === 19) text += digits[8 + (draw() >>> 30)];
      else text += digits[draw() >>> 28];
    }
    return text;
  } }).randomUUID);
}
