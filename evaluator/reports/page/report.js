"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const $ = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const data = JSON.parse($("#data").textContent);
  const clockText = (s) => {
    const tenths = Math.round(Math.max(s, 0) * 10);
    const rest = (tenths % 600) / 10;
    return `${Math.floor(tenths / 600)}:${rest.toFixed(1).padStart(4, "0")}`;
  };
  const make = (tag, props = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), props);
    element.append(...children);
    return element;
  };

  // Light and dark. Storage may be refused on file: pages; the choice is then not kept.
  const kept = {
    get: () => { try { return localStorage.getItem("assay-theme"); } catch { return null; } },
    set: (value) => { try { localStorage.setItem("assay-theme", value); } catch { /* not kept */ } },
  };
  const chosen = kept.get();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  $("#theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    kept.set(root.dataset.theme);
  });

  // Pictures that stand twice in the page carry their bytes once.
  for (const image of all("img[data-same]")) {
    const source = $(`img[data-picture="${CSS.escape(image.dataset.same)}"]`);
    if (source) image.src = source.src;
  }

  // A phone has no room for the map before it is asked for.
  const map = $("#map > details");
  if (map && matchMedia("(max-width: 720px)").matches) map.open = false;

  // What is folded opens when it is led to: by a link, by the address, by the timeline.
  const unfold = (element) => {
    for (let at = element?.closest("details:not([open])"); at; at = at.parentElement?.closest("details:not([open])")) at.open = true;
  };
  const unfoldNamed = (hash) => {
    let target = null;
    try { target = document.getElementById(decodeURIComponent(hash.slice(1))); } catch { return null; }
    unfold(target);
    const fold = target?.querySelector(":scope > details.fold");
    if (fold) fold.open = true;
    return target;
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && !link.dataset.row) unfoldNamed(link.getAttribute("href"));
  });
  // The browser's own jump came before the fold was open, and what it is led to stands elsewhere now.
  const lead = () => unfoldNamed(location.hash)?.scrollIntoView();
  addEventListener("hashchange", lead);
  if (location.hash) lead();

  const video = $("#video");
  const stage = $("#recording");
  const length = video ? Number($("#scrub").dataset.duration) : 0;

  const seek = (at, { reveal = false } = {}) => {
    if (!video) return;
    const to = Math.min(Math.max(at, 0), length);
    if (video.readyState >= 1) video.currentTime = to;
    else video.addEventListener("loadedmetadata", () => { video.currentTime = to; }, { once: true });
    const box = stage.getBoundingClientRect();
    if (reveal && (box.top < 0 || box.top > innerHeight * 0.6)) stage.scrollIntoView({ block: "start" });
    show(to);
  };
  const toggle = () => (video.paused ? video.play().catch(() => {}) : video.pause());

  const current = (at) => {
    let index = -1;
    data.steps.forEach((step, i) => { if (step.at <= at + 0.02) index = i; });
    return index;
  };
  let marked = null;
  const show = (at) => {
    const share = length ? Math.min(at / length, 1) : 0;
    $("#clock").textContent = clockText(at);
    $("#played").style.width = `${share * 100}%`;
    const track = $(".track-box");
    $("#playhead").style.left = `${track.offsetLeft + share * track.clientWidth}px`;
    const index = current(at);
    const step = data.steps[index];
    const scrub = $("#scrub");
    scrub.setAttribute("aria-valuenow", at.toFixed(1));
    scrub.setAttribute("aria-valuetext", clockText(at) + (step ? `, step ${step.number}: ${step.label}` : ""));
    if (marked === index) return;
    marked = index;
    for (const item of all("[aria-current]")) item.removeAttribute("aria-current");
    if (!step) return;
    $(`#step-${step.number}`).setAttribute("aria-current", "step");
    const row = $(`[data-moment="${step.number}"]`);
    row.setAttribute("aria-current", "step");
    const list = $("#moments");
    const above = row.offsetTop - list.scrollTop;
    if (above < 0 || above + row.offsetHeight > list.clientHeight) list.scrollTop = row.offsetTop - list.clientHeight / 3;
  };
  const stepBy = (by) => {
    const at = video.currentTime;
    const index = current(at);
    // Going back from well inside a step leads to its own beginning first, as players do.
    const inside = index >= 0 && at - data.steps[index].at > 1;
    const target = data.steps[by > 0 ? index + 1 : Math.max(inside ? index : index - 1, 0)];
    if (target) seek(target.at);
  };
  const frameBy = (by) => { video.pause(); seek(video.currentTime + by / data.fps); };

  if (video) {
    // The recording stands behind this script: the page can be read and used while it is still being read in.
    document.addEventListener("DOMContentLoaded", () => setTimeout(() => {
      const footage = $("#footage");
      if (!footage) return;
      const text = atob(footage.textContent);
      const bytes = new Uint8Array(text.length);
      for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
      footage.remove();
      video.src = URL.createObjectURL(new Blob([bytes], { type: "video/mp4" }));
    }));
    video.controls = false;
    const first = $(".pic-first img");
    if (first) video.poster = first.src;
    video.addEventListener("error", () => { $("#unplayable").hidden = false; });
    video.addEventListener("click", toggle);
    const icon = (button, name, label) => {
      $("use", button).setAttribute("href", `#i-${name}`);
      button.setAttribute("aria-label", label);
    };
    const playing = () => icon($("#play"), video.paused ? "play" : "pause", video.paused ? "Play" : "Pause");
    for (const event of ["play", "pause", "ended"]) video.addEventListener(event, playing);
    for (const event of ["timeupdate", "seeked", "loadedmetadata"]) video.addEventListener(event, () => show(video.currentTime));
    const tick = () => { if (!video.paused) show(video.currentTime); requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
    addEventListener("resize", () => show(video.currentTime));

    const on = (id, act) => $(id)?.addEventListener("click", act);
    on("#play", toggle);
    on("#step-back", () => stepBy(-1));
    on("#step-on", () => stepBy(1));
    on("#frame-back", () => frameBy(-1));
    on("#frame-on", () => frameBy(1));
    on("#full", () => (document.fullscreenElement ? document.exitFullscreen() : video.requestFullscreen()));
    on("#mute", () => {
      video.muted = !video.muted;
      icon($("#mute"), video.muted ? "mute" : "sound", video.muted ? "Sound on" : "Sound off");
    });
    $("#pace").addEventListener("change", (event) => { video.playbackRate = Number(event.target.value); });

    // The timeline: anywhere in a lane seeks; near a tick, its own moment is meant.
    const tip = $("#tip");
    const near = (track, x) => {
      const width = track.clientWidth || track.getBoundingClientRect().width;
      const found = all(".tick", track).map((tick) => {
        const from = tick.x.baseVal.value;
        const to = from + tick.width.baseVal.value;
        return { tick, off: Math.max(from - x, x - to, 0) };
      }).filter(({ off }) => off <= Math.max(6, width * 0.008));
      return found.sort((a, b) => a.off - b.off).map(({ tick }) => tick);
    };
    const offset = (event, element) => event.clientX - element.getBoundingClientRect().left;
    for (const box of all(".track-box")) {
      const track = $(".track", box);
      const place = (event) => (offset(event, box) / box.clientWidth) * length;
      box.addEventListener("pointermove", (event) => {
        const ticks = track ? near(track, offset(event, box)).slice(0, 4) : [];
        tip.replaceChildren(...(ticks.length
          ? ticks.map((tick) => make("p", {}, make("b", { textContent: clockText(Number(tick.dataset.at)) }), ` ${tick.dataset.label}`))
          : [make("p", { textContent: clockText(place(event)) })]));
        tip.hidden = false;
        const wide = tip.offsetWidth;
        tip.style.left = `${Math.min(Math.max(event.clientX - wide / 2, 8), innerWidth - wide - 8)}px`;
        tip.style.top = `${box.getBoundingClientRect().top - tip.offsetHeight - 8}px`;
      });
      box.addEventListener("pointerleave", () => { tip.hidden = true; });
      box.addEventListener("click", (event) => {
        const [tick] = track ? near(track, offset(event, box)) : [];
        seek(tick ? Number(tick.dataset.at) : place(event));
        if (!tick) return;
        const target = document.getElementById(tick.dataset.goes);
        for (const element of all(".pointed")) element.classList.remove("pointed");
        unfold(target);
        target?.classList.add("pointed");
      });
    }
    // A failure's own few seconds, played in its card out of the one recording.
    for (const link of all(".watch")) {
      link.addEventListener("click", (event) => {
        if (!video.src) return;
        event.preventDefault();
        const box = link.closest(".shows-it");
        const playing = $(".clip-video", box);
        if (playing) {
          playing.remove();
          box.classList.remove("playing");
          return;
        }
        video.pause();
        const from = Number(link.dataset.from), to = Number(link.dataset.to);
        const clip = make("video", { className: "clip-video", controls: true, muted: true, playsInline: true, src: `${video.src}#t=${from},${to}` });
        clip.setAttribute("aria-label", `Recording: ${link.dataset.label}`);
        clip.addEventListener("timeupdate", () => { if (clip.currentTime >= to) { clip.pause(); clip.currentTime = from; } });
        box.prepend(clip);
        box.classList.add("playing");
        clip.play().catch(() => {});
      });
    }
    const scrub = $("#scrub");
    scrub.addEventListener("pointerdown", (event) => {
      scrub.setPointerCapture(event.pointerId);
      const drag = (move) => seek((offset(move, scrub) / scrub.clientWidth) * length);
      scrub.addEventListener("pointermove", drag);
      scrub.addEventListener("lostpointercapture", () => scrub.removeEventListener("pointermove", drag), { once: true });
    });
    scrub.addEventListener("keydown", (event) => {
      const to = { Home: 0, End: length, PageUp: video.currentTime + 5, PageDown: video.currentTime - 5, ArrowUp: video.currentTime + 1, ArrowDown: video.currentTime - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      seek(to);
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
      const where = event.target;
      if (where.matches?.("input, select, textarea")) return;
      const act = { " ": toggle, ArrowLeft: () => stepBy(-1), ArrowRight: () => stepBy(1), j: () => frameBy(-1), k: () => frameBy(1) }[event.key];
      if (!act || (event.key === " " && where.matches?.("button, a, summary"))) return;
      // Arrow keys keep scrolling a wide table that has the focus.
      if (event.key.startsWith("Arrow") && where.matches?.(".scroll, .code, .json")) return;
      event.preventDefault();
      act();
    });
    show(0);
  }

  // The evidence drawer: a row of the ledger as it is. Text goes in as text.
  const drawer = $("#drawer");
  let unpacked;
  const evidence = () => unpacked ??= (async () => {
    const bytes = Uint8Array.from(atob(data.rows), (sign) => sign.charCodeAt(0));
    const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(whole).text());
  })();
  // It opens at once, so that Escape closes it however long unpacking takes; what was closed or left for another row stays so.
  const openRow = async (id) => {
    const body = $("#drawer-body"), title = $("#drawer-title");
    title.textContent = id;
    body.replaceChildren();
    if (!drawer.open) drawer.showModal();
    const rows = await evidence(), row = rows[id];
    if (!drawer.open || title.textContent !== id) return;
    body.replaceChildren();
    if (!row) {
      body.append(make("p", { textContent: "This row is not carried in the page; it is in ledger.jsonl." }));
    } else {
      const list = make("dl", { className: "facts" });
      const fact = (name, ...value) => list.append(make("div", {}, make("dt", { textContent: name }), make("dd", {}, ...value)));
      const link = (to) => { const a = make("a", { href: `#row-${to}`, className: "cite", textContent: to }); a.dataset.row = to; return a; };
      fact("Kind", row.kind.replaceAll("_", " "));
      fact("Phase", `${row.phase}, by ${row.producer}`);
      if (row.video_s !== null && video) {
        const button = make("button", { className: "jump", type: "button", textContent: `Play from ${clockText(row.video_s)}` });
        button.dataset.at = row.video_s;
        fact("Recording", button);
      }
      if (row.app_ms !== null) fact("App time", `${row.app_ms} ms`);
      fact("Wall time", row.wall_time);
      if (row.parent) fact("Belongs to", link(row.parent));
      const children = Object.keys(rows).filter((other) => rows[other].parent === id).slice(0, 40);
      if (children.length) fact("Led to", ...children.flatMap((child) => [link(child), " "]));
      if (row.file) fact("File", make("code", { textContent: row.file }));
      fact("Hash", make("code", { textContent: row.hash }));
      body.append(list, make("pre", { className: "json", textContent: JSON.stringify(row.body, null, 2) }));
      const picture = $(`img[data-picture="${CSS.escape(id)}"]`);
      if (picture) body.append(make("img", { src: picture.src, alt: picture.alt, className: "drawer-picture" }));
    }
    body.scrollTop = 0;
  };

  // The viewer: pictures of one group, the arrows go through them.
  const viewer = $("#viewer");
  let group = [];
  let index = 0;
  const turn = (to) => {
    index = (to + group.length) % group.length;
    const button = group[index];
    $("#viewer-title").textContent = button.dataset.caption + (group.length > 1 ? ` (${index + 1} of ${group.length})` : "");
    const picture = button.firstElementChild.cloneNode(true);
    const wide = Number(picture.getAttribute("width"));
    picture.style.width = `${wide < 900 ? wide * 1.5 : wide}px`;
    $("#viewer-body").replaceChildren(picture);
    for (const name of ["#viewer-previous", "#viewer-next"]) $(name).hidden = group.length < 2;
  };
  $("#viewer-previous").addEventListener("click", () => turn(index - 1));
  $("#viewer-next").addEventListener("click", () => turn(index + 1));
  viewer.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") turn(index - 1);
    if (event.key === "ArrowRight") turn(index + 1);
  });

  document.addEventListener("click", (event) => {
    const cite = event.target.closest("[data-row]");
    if (cite) { event.preventDefault(); openRow(cite.dataset.row); return; }
    const thumb = event.target.closest(".thumb");
    if (thumb) {
      group = all(`.thumb[data-group="${CSS.escape(thumb.dataset.group)}"]`);
      turn(group.indexOf(thumb));
      viewer.showModal();
      return;
    }
    if (event.target.closest("[data-close]") || event.target === drawer || event.target === viewer) {
      drawer.close();
      viewer.close();
      return;
    }
    const jump = event.target.closest(".jump, .moment");
    if (jump) {
      drawer.close();
      seek(Number(jump.dataset.at), { reveal: true });
    }
  });
  addEventListener("beforeprint", () => { for (const details of all("main details")) details.open = true; });
})();
