"""Assay's scripts inside a page: put into the isolated world of every document once, then asked by name.

The world shares the page's DOM and none of its JavaScript objects, so the page can neither see these scripts nor lie to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any
from weakref import WeakSet

from tools.browser.channel import WORLD, Channel, value_of
from tools.browser.faults import CommandRefused, FrameGone
from tools.browser.frames import FrameView
from tools.browser.tab import Tab

OBJECT_GROUP = "assay-sight"
_PARTS = ("anatomy", "memory", "survey", "marks", "describe", "repeated", "aim")


def script(name: str) -> str:
    """The text of one of the scripts beside this module."""
    return (files("tools.browser.marking") / f"{name}.js").read_text(encoding="utf-8")


_BODY = "\n".join(script(name) for name in _PARTS)
_PROGRAM = f"if (!globalThis.assaySight) {{ const sight = {{}}; globalThis.assaySight = sight;\n{_BODY}\n}}"
_INSTALL = f"() => {{ {_PROGRAM} }}"
_ASK = """async (name, given) => {
  const sight = globalThis.assaySight;
  return sight ? { value: await sight[name](given) } : { missing: true };
}"""


_prepared: WeakSet[Tab] = WeakSet()


async def prepare(tab: Tab) -> None:
    """Have the scripts run from the start of every document to come, so that they see all it does by itself. Idempotent."""
    if tab not in _prepared:
        _prepared.add(tab)
        await tab.each_channel(_prepare_channel)


async def _prepare_channel(channel: Channel) -> None:
    # In a function of its own, so that the scripts' constants do not lie about in the world's global scope.
    program = f"(() => {{ {_PROGRAM} }})();"
    await channel.send("Page.addScriptToEvaluateOnNewDocument", {"source": program, "worldName": WORLD})


async def ask(view: FrameView, name: str, given: object = None, *, timeout_s: float | None = None) -> Any:
    """Call `sight.<name>(given)` in a frame and return its JSON value.

    Raises what `Channel.call` raises: `TabBusy` past `timeout_s`, `TabHung`, `TabCrashed`, `FrameGone`, `ScriptError`.
    """
    arguments = [{"value": name}, {"value": given}]
    answer = await view.channel.call(view.frame_id, _ASK, arguments, timeout_s)
    if answer.get("missing"):
        await view.channel.call(view.frame_id, _INSTALL, [], timeout_s)
        answer = await view.channel.call(view.frame_id, _ASK, arguments, timeout_s)
        if answer.get("missing"):
            raise FrameGone(name, "the document was replaced while it was looked at")
    return answer.get("value")


async def call_with_elements(view: FrameView, name: str, given: object, elements: Sequence[str]) -> Any:
    """`sight.<name>(given, …elements)`; `elements` are CDP object ids of our world, `given` None passes the elements alone."""
    first = [] if given is None else [{"value": given}]
    arguments = [*first, *({"objectId": element} for element in elements)]
    function = f"(...given) => globalThis.assaySight.{name}(...given)"
    return await view.channel.call(view.frame_id, function, arguments)


async def nodes_of(view: FrameView, function: str, argument: object = None) -> list[dict[str, Any]]:
    """Run `function` in our world and return the elements in the array it gives, serialised (`backendNodeId`, `shadowRoot`)."""
    world = await view.channel.world(view.frame_id)
    answer = await view.channel.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": function,
            "arguments": [{"value": argument}],
            "uniqueContextId": world.unique,
            "objectGroup": OBJECT_GROUP,
            "serializationOptions": deep(2, shadow=True),
        },
    )
    value_of(answer)
    return [entry["value"] for entry in answer["result"]["deepSerializedValue"].get("value", []) if entry["type"] == "node"]


def deep(depth: int, *, shadow: bool = False) -> dict[str, Any]:
    """CDP options for a serialisation that names nodes by their backend ids and does not descend into them."""
    inner = {"maxNodeDepth": 0, "includeShadowTree": "all" if shadow else "none"}
    return {"serialization": "deep", "maxDepth": depth, "additionalParameters": inner}


async def resolve(view: FrameView, backend_id: int) -> str | None:
    """The CDP object id, in our world, of a node; None if it is gone or belongs to another frame's process."""
    world = await view.channel.world(view.frame_id)
    given = {"backendNodeId": backend_id, "executionContextId": world.number, "objectGroup": OBJECT_GROUP}
    try:
        return (await view.channel.send("DOM.resolveNode", given))["object"]["objectId"]
    except CommandRefused:
        return None
