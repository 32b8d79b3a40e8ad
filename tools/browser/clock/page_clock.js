// The page clock: every source of time in this realm that JavaScript can reach runs on app time, which can be held.
// Runs before the page's own code, in every document and dedicated worker. `secret` is known to Assay alone; `start` is
// {held, removed}: whether time stands at birth, and the ms that earlier documents of the tab spent held.
// Nothing is left in the global scope; replaced functions keep name, length and descriptor, and say `[native code]`.
(secret, start, ownSource) => {
  const G = globalThis;
  const inWorker = typeof DedicatedWorkerGlobalScope === 'function' && G instanceof DedicatedWorkerGlobalScope;
  const inPage = typeof Window === 'function' && typeof document === 'object';
  if (!inWorker && !inPage) return;

  // What the page may replace later is taken now.
  const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { max, min, floor } = Math;
  const NativeDate = Date;
  const nativePerformance = performance;
  const nativeNow = performance.now.bind(performance);
  const wallNow = NativeDate.now;
  const parse = JSON.parse;
  const stringify = JSON.stringify;
  const listen = EventTarget.prototype.addEventListener;
  const unlisten = EventTarget.prototype.removeEventListener;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const swallow = Event.prototype.stopImmediatePropagation;
  const NativeCustomEvent = typeof CustomEvent === 'function' ? CustomEvent : null;
  const detailOf = NativeCustomEvent && getOwnPropertyDescriptor(CustomEvent.prototype, 'detail').get;
  const byNumber = (a, b) => a - b;

  // Already here? (Two ways lead into a document, so that none is missed.)
  if (inPage) {
    let answered = false;
    const hear = () => { answered = true; };
    apply(listen, G, [secret + ':here', hear]);
    apply(dispatch, G, [new NativeCustomEvent(secret + ':ask')]);
    apply(unlisten, G, [secret + ':here', hear]);
    if (answered) return;
  }

  // ---- App time -------------------------------------------------------------------------------------------------------
  // Spans of native time that were taken out: [from, to) with what had been removed before each.
  const holds = [];
  let removed = 0;          // ms taken out of this realm's performance.now up to now, finished holds only
  let removedBefore = start.removed;  // ms taken out of the wall clock before this document began
  let heldSince = null;     // native time at which the present hold began

  const appOf = (native) => {
    if (heldSince !== null && native >= heldSince) return heldSince - removed;
    for (let index = holds.length - 1; index >= 0; index--) {
      const hold = holds[index];
      if (native >= hold.to) return native - hold.before - (hold.to - hold.from);
      if (native >= hold.from) return hold.from - hold.before;
    }
    return native;
  };
  const appNow = () => (heldSince !== null ? heldSince : nativeNow()) - removed;
  let heldDate = 0;  // the two native clocks tick apart, so a held date is kept, not computed again
  const appDate = () => (heldSince !== null ? heldDate : floor(wallNow() - removed - removedBefore));

  // ---- Looking native -------------------------------------------------------------------------------------------------
  const disguises = new WeakMap();
  const nativeToString = Function.prototype.toString;
  const has = WeakMap.prototype.has.bind(disguises);
  const get = WeakMap.prototype.get.bind(disguises);
  const replace = (object, name, substitute) => {
    let owner = object;  // in a worker, setTimeout lives on the global object's prototype
    while (owner && !getOwnPropertyDescriptor(owner, name)) owner = getPrototypeOf(owner);
    if (!owner) return;
    const descriptor = getOwnPropertyDescriptor(owner, name);
    const field = descriptor.get && typeof substitute === 'function' && !('value' in descriptor) ? 'get' : 'value';
    disguises.set(substitute, descriptor[field]);
    defineProperty(owner, name, { ...descriptor, [field]: substitute });
  };
  replace(Function.prototype, 'toString', ({ toString() {
    return apply(nativeToString, has(this) ? get(this) : this, []);
  } }).toString);
  // An object literal's methods cannot be constructed and have no prototype, like native functions.

  // ---- Dates and performance.now --------------------------------------------------------------------------------------
  const AppDate = new Proxy(NativeDate, {
    apply: () => new NativeDate(appDate()).toString(),
    construct: (target, values, made) => construct(target, values.length ? values : [appDate()], made),
  });
  replace(NativeDate, 'now', ({ now() { return appDate(); } }).now);
  replace(NativeDate.prototype, 'constructor', AppDate);
  replace(G, 'Date', AppDate);
  const unboundNow = Performance.prototype.now;
  replace(Performance.prototype, 'now', ({ now() {
    return this === nativePerformance ? appNow() : apply(unboundNow, this, []);
  } }).now);
  const timeOrigin = getOwnPropertyDescriptor(Performance.prototype, 'timeOrigin').get;
  replace(Performance.prototype, 'timeOrigin', getOwnPropertyDescriptor({ get timeOrigin() {
    return apply(timeOrigin, this, []) - removedBefore;
  } }, 'timeOrigin').get);
  if (typeof PerformanceTiming === 'function') {
    for (const name of Object.keys(PerformanceTiming.prototype)) {
      const read = getOwnPropertyDescriptor(PerformanceTiming.prototype, name).get;
      if (!read) continue;
      replace(PerformanceTiming.prototype, name, getOwnPropertyDescriptor({ get [name]() {
        const moment = apply(read, this, []);
        return moment && moment - floor(removedBefore);
      } }, name).get);
    }
  }
  const nativeStamp = getOwnPropertyDescriptor(Event.prototype, 'timeStamp').get;
  replace(Event.prototype, 'timeStamp', getOwnPropertyDescriptor({ get timeStamp() {
    return appOf(apply(nativeStamp, this, []));
  } }, 'timeStamp').get);
  if (typeof Temporal === 'object') {
    const { Now, Instant } = Temporal;
    const instant = () => Instant.fromEpochMilliseconds(appDate());
    const zoned = (zone) => instant().toZonedDateTimeISO(zone === undefined ? Now.timeZoneId() : zone);
    replace(Now, 'instant', ({ instant() { return instant(); } }).instant);
    replace(Now, 'zonedDateTimeISO', ({ zonedDateTimeISO(zone) { return zoned(zone); } }).zonedDateTimeISO);
    replace(Now, 'plainDateTimeISO', ({ plainDateTimeISO(zone) { return zoned(zone).toPlainDateTime(); } }).plainDateTimeISO);
    replace(Now, 'plainDateISO', ({ plainDateISO(zone) { return zoned(zone).toPlainDate(); } }).plainDateISO);
    replace(Now, 'plainTimeISO', ({ plainTimeISO(zone) { return zoned(zone).toPlainTime(); } }).plainTimeISO);
  }

  // ---- Timers ---------------------------------------------------------------------------------------------------------
  const setTimer = G.setTimeout.bind(G);
  const clearTimer = G.clearTimeout.bind(G);
  const setTicker = G.setInterval.bind(G);
  const timers = new Map();  // the id the page knows → timer; ids are native ones and never repeat
  const runCode = G.eval;
  const call = (handler, values) => (typeof handler === 'function' ? apply(handler, G, values) : runCode(String(handler)));
  const NEVER = 0x7fffffff;

  const fire = (id) => {
    const timer = timers.get(id);
    if (!timer || heldSince !== null) return;
    if (timer.period === null) timers.delete(id);
    else timer.due = appNow() + timer.period;
    call(timer.handler, timer.values);
  };
  const arm = (id, timer) => {
    const rest = max(0, timer.due - appNow());
    if (timer.period === null) {
      timer.native = setTimer(fire, rest, id);
    } else {
      // First the rest of the interrupted period, then the native interval again: the phase is kept.
      timer.native = setTimer(() => {
        timer.native = setTicker(fire, timer.period, id);
        fire(id);
      }, rest);
    }
  };
  const begin = (handler, delay, values, repeats) => {
    const wait = max(repeats ? 1 : 0, min(NEVER, +delay || 0));
    const timer = { handler, values, period: repeats ? wait : null, due: appNow() + wait, native: 0 };
    let id;
    if (heldSince !== null) {
      id = setTimer(() => {}, NEVER);
      clearTimer(id);
    } else if (repeats) {
      id = timer.native = setTicker(() => fire(id), wait);
    } else {
      id = timer.native = setTimer(() => fire(id), wait);
    }
    timers.set(id, timer);
    return id;
  };
  const end = (id) => {
    const timer = timers.get(+id);
    clearTimer(timer ? timer.native : id);
    if (timer) timers.delete(+id);
  };
  replace(G, 'setTimeout', ({ setTimeout(handler, delay, ...values) { return begin(handler, delay, values, false); } }).setTimeout);
  replace(G, 'setInterval', ({ setInterval(handler, delay, ...values) { return begin(handler, delay, values, true); } }).setInterval);
  replace(G, 'clearTimeout', ({ clearTimeout(id) { end(id); } }).clearTimeout);
  replace(G, 'clearInterval', ({ clearInterval(id) { end(id); } }).clearInterval);
  const stopTimers = () => { for (const timer of timers.values()) clearTimer(timer.native); };
  const goOnTimers = () => {
    const waiting = [...timers].sort(([, a], [, b]) => byNumber(a.due, b.due));
    for (const [id, timer] of waiting) arm(id, timer);
  };

  // ---- Frames and idle time -------------------------------------------------------------------------------------------
  // request(callback) → native id; pending callbacks are taken back at a hold and asked for again, in order, at release.
  const queue = (requestName, cancelName, adapt) => {
    if (typeof G[requestName] !== 'function') return { stop() {}, goOn() {} };
    const request = G[requestName].bind(G);
    const cancel = G[cancelName].bind(G);
    const pending = new Map();
    const ask = (id, entry) => request((value) => {
      if (heldSince !== null || !pending.delete(id)) return;
      call(entry.callback, [adapt(value)]);
    }, ...entry.options);
    replace(G, requestName, { [requestName](callback, ...options) {
      if (typeof callback !== 'function') return request(callback, ...options);  // the native error
      const entry = { callback, options, native: 0 };
      let id;
      if (heldSince !== null) {
        id = request(() => {});
        cancel(id);
      } else {
        id = entry.native = request((value) => {
          if (heldSince !== null || !pending.delete(id)) return;
          callback(adapt(value));
        }, ...options);
      }
      pending.set(id, entry);
      return id;
    } }[requestName]);
    replace(G, cancelName, { [cancelName](id) {
      const entry = pending.get(+id);
      cancel(entry ? entry.native : id);
      pending.delete(+id);
    } }[cancelName]);
    return {
      stop() { for (const entry of pending.values()) cancel(entry.native); },
      goOn() { for (const [id, entry] of pending) entry.native = ask(id, entry); },
    };
  };
  const frames = queue('requestAnimationFrame', 'cancelAnimationFrame', appOf);
  const idles = queue('requestIdleCallback', 'cancelIdleCallback', (deadline) => deadline);

  // ---- Delayed tasks and signals --------------------------------------------------------------------------------------
  if (typeof Scheduler === 'function') {
    const post = Scheduler.prototype.postTask;
    replace(Scheduler.prototype, 'postTask', ({ postTask(task, options) {
      const delay = +(options && options.delay) || 0;
      const signal = options && options.signal;
      if (!(delay > 0) || (signal && signal.aborted)) return apply(post, this, arguments);
      return new Promise((resolve, reject) => {
        const id = begin(() => apply(post, this, [task, { ...options, delay: 0 }]).then(resolve, reject), delay, [], false);
        if (signal) apply(listen, signal, ['abort', () => { end(id); reject(signal.reason); }, { once: true }]);
      });
    } }).postTask);
  }
  if (typeof AbortSignal === 'function' && AbortSignal.timeout) {
    const NativeController = AbortController;
    const native = AbortSignal.timeout;
    replace(AbortSignal, 'timeout', ({ timeout(ms) {
      if (!(ms >= 0) || ms > Number.MAX_SAFE_INTEGER) return apply(native, AbortSignal, [ms]);  // the native error
      const controller = new NativeController();
      begin(() => controller.abort(new DOMException('signal timed out', 'TimeoutError')), ms, [], false);
      return controller.signal;
    } }).timeout);
  }

  // ---- Media, WebAudio, SVG (pages only) ------------------------------------------------------------------------------
  const stoppers = [];  // {stop, goOn}, in this order
  if (inPage) {
    const roots = new Set([new WeakRef(document)]);
    const attach = Element.prototype.attachShadow;
    replace(Element.prototype, 'attachShadow', ({ attachShadow(options) {
      const root = apply(attach, this, [options]);
      roots.add(new WeakRef(root));
      return root;
    } }).attachShadow);
    const query = { d: Document.prototype.querySelectorAll, f: DocumentFragment.prototype.querySelectorAll };
    const everywhere = (selector) => {
      const found = [];
      for (const reference of roots) {
        const root = reference.deref();
        if (!root) roots.delete(reference);
        else found.push(...apply(root === document ? query.d : query.f, root, [selector]));
      }
      return found;
    };

    // A held medium plays at rate 0: it stays "playing" for the page, without a pause event; the rate it shows is its own.
    const media = HTMLMediaElement.prototype;
    const rate = getOwnPropertyDescriptor(media, 'playbackRate');
    const pausedOf = getOwnPropertyDescriptor(media, 'paused').get;
    const play = media.play;
    const detached = new Set();
    const slowed = new Map();
    const hush = (event) => { if (slowed.has(event.target) || hushed.has(event.target)) apply(swallow, event, []); };
    const hushed = new WeakSet();
    apply(listen, G, ['ratechange', hush, true]);
    replace(media, 'play', ({ play() {
      if (!this.isConnected) detached.add(new WeakRef(this));
      return apply(play, this, []);
    } }).play);
    replace(media, 'playbackRate', getOwnPropertyDescriptor({ get playbackRate() {
      return slowed.has(this) ? slowed.get(this) : apply(rate.get, this, []);
    } }, 'playbackRate').get);
    const setRate = ({ playbackRate(value) {
      if (slowed.has(this)) slowed.set(this, +value);
      else apply(rate.set, this, [value]);
    } }).playbackRate;
    disguises.set(setRate, rate.set);
    defineProperty(media, 'playbackRate', { ...getOwnPropertyDescriptor(media, 'playbackRate'), set: setRate });
    stoppers.push({
      stop() {
        const loose = [];
        for (const reference of detached) {
          const element = reference.deref();
          if (element) loose.push(element); else detached.delete(reference);
        }
        for (const element of [...everywhere('video, audio'), ...loose]) {
          if (slowed.has(element) || apply(pausedOf, element, [])) continue;
          slowed.set(element, apply(rate.get, element, []));
          apply(rate.set, element, [0]);
        }
      },
      goOn() {
        for (const [element, value] of slowed) {
          hushed.add(element);
          setTimer(() => hushed.delete(element), 50);
          apply(rate.set, element, [value]);
        }
        slowed.clear();
      },
    });

    if (typeof AudioContext === 'function') {
      const contexts = new Set();
      const silenced = new WeakSet();
      const changing = new WeakSet();
      const { suspend, resume } = AudioContext.prototype;
      const state = getOwnPropertyDescriptor(BaseAudioContext.prototype, 'state').get;
      const AppAudioContext = new Proxy(AudioContext, {
        construct(target, values, made) {
          const context = construct(target, values, made);
          contexts.add(new WeakRef(context));
          apply(listen, context, ['statechange', (event) => { if (changing.has(context)) apply(swallow, event, []); }]);
          return context;
        },
      });
      replace(AudioContext.prototype, 'constructor', AppAudioContext);
      if (G.webkitAudioContext === G.AudioContext) replace(G, 'webkitAudioContext', AppAudioContext);
      replace(G, 'AudioContext', AppAudioContext);
      replace(BaseAudioContext.prototype, 'state', getOwnPropertyDescriptor({ get state() {
        return silenced.has(this) ? 'running' : apply(state, this, []);
      } }, 'state').get);
      replace(AudioContext.prototype, 'suspend', ({ suspend() {
        silenced.delete(this);
        return apply(suspend, this, []);
      } }).suspend);
      replace(AudioContext.prototype, 'resume', ({ resume() {
        if (heldSince === null) return apply(resume, this, []);
        silenced.add(this);  // it will run when time does
        return Promise.resolve();
      } }).resume);
      const all = () => {
        const found = [];
        for (const reference of contexts) {
          const context = reference.deref();
          if (context) found.push(context); else contexts.delete(reference);
        }
        return found;
      };
      stoppers.push({
        stop() {
          for (const context of all()) {
            if (apply(state, context, []) !== 'running') continue;
            silenced.add(context);
            changing.add(context);
            apply(suspend, context, []).catch(() => {});
          }
        },
        goOn() {
          for (const context of all()) {
            if (!silenced.has(context)) continue;
            apply(resume, context, []).catch(() => {}).then(() => {
              silenced.delete(context);
              setTimer(() => changing.delete(context), 50);
            });
          }
        },
      });
    }

    if (typeof SVGSVGElement === 'function') {
      const { pauseAnimations, unpauseAnimations, animationsPaused } = SVGSVGElement.prototype;
      let paused = [];
      stoppers.push({
        stop() {
          for (const svg of everywhere('svg')) {
            if (!(svg instanceof SVGSVGElement) || apply(animationsPaused, svg, [])) continue;
            apply(pauseAnimations, svg, []);
            paused.push(svg);
          }
        },
        goOn() {
          for (const svg of paused) apply(unpauseAnimations, svg, []);
          paused = [];
        },
      });
    }
  }

  // ---- Dedicated workers ----------------------------------------------------------------------------------------------
  // A worker gets this same script in front of its own: from Assay where it is fetched, from here where it is a blob.
  // It then announces itself with a port, over which it is told to hold and go on.
  const workers = new Set();
  const state = () => ({ held: heldSince !== null, removed: removed + removedBefore + (heldSince !== null ? nativeNow() - heldSince : 0) });
  if (typeof Worker === 'function' && ownSource) {
    const blobs = new Map();
    const NativeWorker = Worker;
    const NativeBlob = Blob;
    const { createObjectURL, revokeObjectURL } = URL;
    replace(URL, 'createObjectURL', ({ createObjectURL(object) {
      const url = apply(createObjectURL, URL, [object]);
      if (object instanceof NativeBlob) blobs.set(url, object);
      return url;
    } }).createObjectURL);
    replace(URL, 'revokeObjectURL', ({ revokeObjectURL(url) {
      blobs.delete(String(url));
      return apply(revokeObjectURL, URL, [url]);
    } }).revokeObjectURL);
    const prefix = () => `(${ownSource})(${stringify(secret)},${stringify(state())},${stringify(ownSource)});`;
    const AppWorker = new Proxy(NativeWorker, {
      construct(target, values, made) {
        let ours = null;
        const blob = blobs.get(String(values[0]));
        if (blob) {
          ours = apply(createObjectURL, URL, [new NativeBlob([prefix(), blob], { type: blob.type || 'text/javascript' })]);
        }
        const worker = construct(target, ours ? [ours, ...values.slice(1)] : values, made);
        if (ours) setTimer(() => apply(revokeObjectURL, URL, [ours]), 10000);
        const greet = (event) => {
          const data = event.data;
          if (!data || typeof data !== 'object' || data.clock !== secret || !event.ports[0]) return;
          apply(swallow, event, []);
          apply(unlisten, worker, ['message', greet]);
          const port = event.ports[0];
          workers.add(port);
          port.postMessage(state());
        };
        apply(listen, worker, ['message', greet]);
        return worker;
      },
    });
    replace(NativeWorker.prototype, 'constructor', AppWorker);
    replace(G, 'Worker', AppWorker);
  }

  // ---- Commands -------------------------------------------------------------------------------------------------------
  const hold = () => {
    if (heldSince !== null) return;
    for (const port of workers) port.postMessage({ held: true });
    stopTimers();
    frames.stop();
    idles.stop();
    for (const part of stoppers) part.stop();
    heldDate = appDate();
    heldSince = nativeNow();
  };
  const release = () => {
    if (heldSince === null) return;
    const now = nativeNow();
    holds.push({ from: heldSince, to: now, before: removed });
    removed += now - heldSince;
    heldSince = null;
    for (const part of stoppers) part.goOn();
    goOnTimers();
    frames.goOn();
    idles.goOn();
    for (const port of workers) port.postMessage({ held: false });
  };
  const command = (order) => {
    if (order.removed !== undefined) {
      removedBefore = order.removed - removed - (heldSince !== null ? nativeNow() - heldSince : 0);
      if (heldSince !== null) heldDate = floor(wallNow() - order.removed);
    }
    if (order.held === true) hold();
    if (order.held === false) release();
    return { held: heldSince !== null, wall: wallNow() };
  };
  if (start.held) hold();

  if (inWorker) {
    const channel = new MessageChannel();
    channel.port1.onmessage = (event) => { command(event.data); };
    G.postMessage({ clock: secret }, [channel.port2]);
    return;
  }
  const obey = (event) => {
    const answer = command(parse(apply(detailOf, event, [])));
    apply(dispatch, G, [new NativeCustomEvent(secret + ':did', { detail: stringify(answer) })]);
  };
  const here = () => { apply(dispatch, G, [new NativeCustomEvent(secret + ':here')]); };
  const hear = () => {
    apply(listen, G, [secret + ':do', obey, true]);
    apply(listen, G, [secret + ':ask', here, true]);
  };
  hear();
  // document.open() takes all listeners off the window; writing into a finished document opens it.
  for (const name of ['open', 'write', 'writeln']) {
    const native = Document.prototype[name];
    replace(Document.prototype, name, { [name](...values) {
      const result = apply(native, this, values);
      if (this === document) hear();
      return result;
    } }[name]);
  }
}
