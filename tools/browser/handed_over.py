"""What a page hands over to the browser and nobody sees: a print, words for the clipboard, something to share or speak.

Chromium tells nobody of these calls, so they are counted where a page makes them. They do what they did before.
"""

from __future__ import annotations

import secrets

HANDED = f"e{secrets.token_hex(8)}"
"""The event that tells of it, of a name that no page knows: it can neither listen to it nor send it."""

COPIED = "words for the clipboard"
MOST_WORDS = 400
"""Letters of what is copied that are told."""
_CALLS = {
    "a print": ("window", ("print",)),
    COPIED: ("window.Clipboard?.prototype", ("write", "writeText")),
    "something to share": ("Navigator.prototype", ("share",)),
    "a vibration": ("Navigator.prototype", ("vibrate",)),
    "words to be spoken": ("window.SpeechSynthesis?.prototype", ("speak",)),
}

TELL_HANDED = f"""(() => {{
  const Telling = CustomEvent, send = EventTarget.prototype.dispatchEvent.bind(document);
  const tell = (what) => send(new Telling('{HANDED}', {{ detail: what }}));
  const watch = (owner, name, what) => {{
    if (!owner || typeof owner[name] !== 'function') return;
    owner[name] = new Proxy(owner[name], {{
      apply: (call, self, given) => {{
        tell(typeof given[0] === 'string' ? what + ': ' + given[0].slice(0, {MOST_WORDS}) : what);
        return Reflect.apply(call, self, given);
      }},
    }});
  }};
  {" ".join(f"watch({owner}, '{name}', '{what}');" for what, (owner, names) in _CALLS.items() for name in names)}
}})();"""
"""Runs in the page's own world, before anything of the page."""

MOST_TOLD = 200
"""So many are told a document: a page that prints without end fills no ledger."""

HEAR_HANDED = f"""(() => {{
  let left = {MOST_TOLD};
  const tell = (what) => {{ if (left-- > 0) window.assayStopped(`event:handed_over:${{what}}`); }};
  document.addEventListener('{HANDED}', (event) => tell(event.detail), true);
  const marked = (field) => field && 'selectionStart' in field && field.value?.slice(field.selectionStart, field.selectionEnd);
  document.addEventListener('copy', () => {{
    const words = marked(document.activeElement) || String(getSelection());
    tell(words ? '{COPIED}: ' + words.slice(0, {MOST_WORDS}) : '{COPIED}');
  }}, true);
}})();"""
"""Runs in Assay's world, where the page cannot undo it."""
