// Counts what is made to sound: media that are played, tones that are started.
(() => {
  globalThis.__assay_sounds = 0;
  const count = (holder, method) => {
    if (!holder || !holder.prototype || !holder.prototype[method]) return;
    const before = holder.prototype[method];
    holder.prototype[method] = function (...given) { globalThis.__assay_sounds += 1; return before.apply(this, given); };
  };
  count(globalThis.HTMLMediaElement, 'play');
  count(globalThis.AudioScheduledSourceNode, 'start');
  let state = 1;  // Park and Miller 1988: the same numbers in every run
  Math.random = () => { state = (state * 48271) % 2147483647; return state / 2147483647; };
})();
