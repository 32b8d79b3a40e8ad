"""Ways out of a page, each a snippet of JavaScript.

`at(name)` is the canary's address for a way, `host(name, HOST)` in another spelling; `add(html)` puts markup into the page,
`sub(html)` a document into a frame of its own, `css(text)` a style sheet.
"""

from __future__ import annotations

SPELLINGS = {
    "ip": "127.0.0.1",
    "name": "localhost",
    "name with a dot": "localhost.",
    "capitals": "LOCALHOST",
    "any address": "0.0.0.0",
    "short": "127.1",
    "one number": "2130706433",
    "hexadecimal": "0x7f000001",
    "octal": "0177.0.0.1",
    "another loopback": "127.8.8.8",
    "version six": "[::1]",
    "mapped": "[::ffff:127.0.0.1]",
    "a name below": "canary.localhost",
}

_WORKER = "new {kind}(URL.createObjectURL(new Blob([`{code}`], {{type: 'text/javascript'}})){more})"

WAYS: dict[str, str] = {
    **{f"fetch, {name}": f"await fetch(host(way, '{host}'), {{mode: 'no-cors'}})" for name, host in SPELLINGS.items()},
    "fetch with cors": "await fetch(at(way))",
    "fetch kept alive": "await fetch(at(way), {mode: 'no-cors', keepalive: true, method: 'POST', body: 'x'})",
    "fetch of a file": "await fetch('file:///etc/passwd')",
    "request": "await new Promise((ok, no) => { const x = new XMLHttpRequest(); x.onload = ok; x.onerror = no; x.open('GET', at(way)); "
    "x.send(); })",
    "request that waits": "const x = new XMLHttpRequest(); x.open('GET', at(way), false); x.send()",
    "beacon": "if (!navigator.sendBeacon(at(way), 'x')) throw new Error('refused')",
    "web socket": "await new Promise((ok, no) => { const s = new WebSocket(at(way).replace('http', 'ws')); s.onopen = ok; s.onerror = no; })",
    "event source": "await new Promise((ok, no) => { const s = new EventSource(at(way)); s.onopen = ok; s.onerror = no; })",
    "web transport": "await new WebTransport(at(way).replace('http:', 'https:')).ready",
    "peer connection": "const p = new RTCPeerConnection({iceServers: [{urls: `stun:127.0.0.1:${port}`}, {urls: `turn:127.0.0.1:${port}`, "
    "username: 'u', credential: 'c'}]}); p.createDataChannel('x'); await p.setLocalDescription(await p.createOffer())",
    "picture": "add(`<img src='${at(way)}'>`)",
    "picture by set": "add(`<img srcset='${at(way)} 2x' src='x.png'>`)",
    "picture's source": "add(`<picture><source srcset='${at(way)}'><img></picture>`)",
    "image object": "new Image().src = at(way)",
    "film": "add(`<video src='${at(way)}' autoplay muted></video>`)",
    "film's poster": "add(`<video poster='${at(way)}'></video>`)",
    "sound": "new Audio(at(way)).play().catch(() => 0)",
    "track": "add(`<video crossorigin><track default src='${at(way)}'></video>`)",
    "script": "const s = document.createElement('script'); s.src = at(way); document.head.append(s)",
    "module": "const s = document.createElement('script'); s.type = 'module'; s.src = at(way); document.head.append(s)",
    "import": "await import(at(way))",
    "worker": _WORKER.format(kind="Worker", code="fetch('${at(way)}', {mode: 'no-cors'}).catch(() => 0)", more=""),
    "worker's scripts": _WORKER.format(kind="Worker", code="importScripts('${at(way)}')", more=""),
    "worker's socket": _WORKER.format(kind="Worker", code="new WebSocket('${at(way).replace(`http`, `ws`)}')", more=""),
    "shared worker": _WORKER.format(kind="SharedWorker", code="fetch('${at(way)}', {mode: 'no-cors'}).catch(() => 0)", more=""),
    "service worker": "await navigator.serviceWorker.register('/sw.js?' + encodeURIComponent(at(way)))",
    "worklet": "await new AudioContext().audioWorklet.addModule(at(way))",
    "paint worklet": "await CSS.paintWorklet.addModule(at(way))",
    "frame": "add(`<iframe src='${at(way)}'></iframe>`)",
    "frame of a file": "add(`<iframe src='file:///etc/passwd'></iframe>`)",
    "frame in a frame": "sub(`<iframe src='${at(way)}'></iframe>`)",
    "frame by data": "add(`<iframe src='data:text/html,<img src=${at(way)}>'></iframe>`)",
    "object": "add(`<object data='${at(way)}'></object>`)",
    "embed": "add(`<embed src='${at(way)}'>`)",
    "popup": "window.open(at(way))",
    "popup without opener": "window.open(at(way), '_blank', 'noopener')",
    "popup by data": "window.open(URL.createObjectURL(new Blob([`<img src='${at(way)}'>`], {type: 'text/html'})))",
    "form that is sent": "sub(`<form method='post' action='${at(way)}'><input name='a'></form><script>document.forms[0].submit()</` + `script>`)",
    "form in a new window": "add(`<form id='blank' target='_blank' action='${at(way)}'></form>`); document.getElementById('blank').submit()",
    "refresh": "sub(`<meta http-equiv='refresh' content='0;url=${at(way)}'>`)",
    "location of a frame": "sub(`<script>location = '${at(way)}'</` + `script>`)",
    "click on a link": "add(`<a id='link' href='${at(way)}' target='_blank'>a</a>`); document.getElementById('link').click()",
    "ping of a link": "add(`<a id='ping' href='#x' ping='${at(way)}'>a</a>`); document.getElementById('ping').click()",
    "download": "add(`<a id='save' href='${at(way)}' download='x' target='_blank'>a</a>`); document.getElementById('save').click()",
    "style sheet": "add(`<link rel='stylesheet' href='${at(way)}'>`)",
    "sheet's import": "css(`@import url('${at(way)}');`)",
    "background": "css(`body { background: url('${at(way)}') }`)",
    "cursor": "css(`body { cursor: url('${at(way)}'), auto }`)",
    "list's mark": "css(`li { list-style-image: url('${at(way)}') }`); add('<ul><li>a</li></ul>')",
    "content": "css(`p::before { content: url('${at(way)}') }`); add('<p>a</p>')",
    "mask": "css(`p { mask-image: url('${at(way)}') }`); add('<p>a</p>')",
    "font": "css(`@font-face { font-family: out; src: url('${at(way)}') } b { font-family: out }`); add('<b>a</b>')",
    "font object": "await new FontFace('out2', `url(${at(way)})`).load()",
    "drawing's image": "add(`<svg><image href='${at(way)}' width='9' height='9'/></svg>`)",
    "drawing's use": "add(`<svg><use href='${at(way)}#a'/></svg>`)",
    "drawing's filter": "add(`<svg><filter id='f'><feImage href='${at(way)}'/></filter><rect filter='url(#f)' width='9' height='9'/></svg>`)",
    "prefetch": "add(`<link rel='prefetch' href='${at(way)}'>`)",
    "preload": "add(`<link rel='preload' as='image' href='${at(way)}'>`)",
    "module preload": "add(`<link rel='modulepreload' href='${at(way)}'>`)",
    "preconnect": "add(`<link rel='preconnect' href='${at(way)}'>`)",
    "lookup": "add(`<link rel='dns-prefetch' href='${at(way)}'>`)",
    "prerender": "add(`<link rel='prerender' href='${at(way)}'>`)",
    "speculation": "const s = document.createElement('script'); s.type = 'speculationrules'; "
    "s.textContent = JSON.stringify({prerender: [{source: 'list', urls: [at(way)]}]}); document.head.append(s)",
    "manifest": "add(`<link rel='manifest' href='${at(way)}'>`)",
    "icon": "add(`<link rel='icon' href='${at(way)}'>`)",
    "policy's report": "add(`<meta http-equiv='Content-Security-Policy' content=\"img-src *; report-uri ${at(way)}\">`)",
    "redirect": "await fetch('/away?' + encodeURIComponent(at(way)), {mode: 'no-cors'})",
    "redirected picture": "add(`<img src='/away?${encodeURIComponent(at(way))}'>`)",
    "redirected frame": "add(`<iframe src='/away?${encodeURIComponent(at(way))}'></iframe>`)",
    "redirected script": "const s = document.createElement('script'); s.src = '/away?' + encodeURIComponent(at(way)); document.head.append(s)",
    "another scheme": "window.open(at(way).replace('http:', 'ftp:'))",
    "view of a source": "window.open('view-source:' + at(way))",
    "payment": "await new PaymentRequest([{supportedMethods: at(way)}], {total: {label: 'x', amount: {currency: 'EUR', value: '1'}}}).show()",
}

PAGE = """<!doctype html><meta charset="utf-8"><title>Ways out</title><body><h1>Ways out</h1><script>
const port = %(port)d, tried = {}, ways = %(ways)s;
const host = (way, name) => `http://${name}:${port}/${encodeURIComponent(way)}`;
const at = (way) => host(way, '127.0.0.1');
const add = (html) => document.body.insertAdjacentHTML('beforeend', html);
const sub = (html) => { const f = document.createElement('iframe'); f.srcdoc = html; document.body.append(f); };
const css = (text) => { const s = document.createElement('style'); s.textContent = text; document.head.append(s); };
const Async = (async () => 0).constructor;
window.begin = async () => {
  await Promise.all(Object.entries(ways).map(async ([way, code]) => {
    tried[way] = 'begun';
    const run = new Async('way', 'port', 'host', 'at', 'add', 'sub', 'css', code);
    const late = new Promise((done) => setTimeout(done, 2500, 'no answer'));
    try { tried[way] = String(await Promise.race([run(way, port, host, at, add, sub, css).then(() => 'made'), late])); }
    catch (error) { tried[way] = `refused: ${error}`; }
  }));
  return tried;
};
</script></body>"""
