"""Cases as Playwright specs, laid out as the published ones: `../pages/NAME.html` is opened, `./snapshots/NAME-n.png` written."""

from __future__ import annotations

import json
from collections.abc import Sequence

from evaluator.protocols.interactscience.synthesis.values import FIELDS, Component, Expect, PftCase, Plan, Step, VqtCase

_HEAD = """// Written by: assay protocol interactscience synthesise
const {{ test, expect }} = require('@playwright/test');
const path = require('path');
const address = 'file://' + path.resolve(__dirname, {page});

test.describe({name}, () => {{
  test.beforeEach(async ({{ page }}) => {{
    await page.goto(address);
    await page.waitForLoadState('load');
  }});
"""
_AT_REST = (
    "await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());",
    "await page.mouse.move(0, 0);",
)
"""A ring around what was operated last is not what a picture is judged by."""
_STATES = {
    "visible": "toBeVisible()",
    "hidden": "toBeHidden()",
    "checked": "toBeChecked()",
    "unchecked": "not.toBeChecked()",
    "enabled": "toBeEnabled()",
    "disabled": "toBeDisabled()",
}
_TAGS = {
    "slider": "input", "number": "input", "text": "input, textarea", "select": "select", "checkbox": "input", "radio": "input",
    "canvas": "canvas", "svg": "svg",
}  # fmt: skip


def pft_spec(name: str, cases: Sequence[PftCase]) -> str:
    """The functional tests of a page, one for each case, in order."""
    return _spec(name, [(f"{number} {case.title}", _body(case.steps)) for number, case in enumerate(cases, 1)])


def vqt_spec(name: str, cases: Sequence[VqtCase]) -> str:
    """The visual tests: each leaves `snapshots/NAME-n.png`, n counted from 1."""
    shots = []
    for number, case in enumerate(cases, 1):
        target = _js(f"./snapshots/{name}-{number}.png")
        shot = f"await page.screenshot({{ path: {target}, fullPage: true, animations: 'disabled' }});"
        shots.append((f"{number} {case.title}", [*_body(case.steps), *_AT_REST, shot]))
    return _spec(name, shots)


def plan_spec(name: str, plan: Plan) -> str:
    """Whether a page has what the plan says: a test for each component."""
    return _spec(
        name, [(f"{number} {component.id}", _is_there(component)) for number, component in enumerate(plan.components, 1)]
    )


def _is_there(component: Component) -> list[str]:
    place = _place(component.id)
    lines = [f"await expect({place}).toHaveCount(1);"]
    if tag := _TAGS.get(component.kind):
        lines.append(f"expect(await {place}.evaluate((node, wanted) => node.matches(wanted), {_js(tag)})).toBe(true);")
    if component.kind != "radio":
        lines.append(f"await expect({place}).toBeVisible();")
    if component.kind in FIELDS and component.initial:
        lines.append(f"await expect({place}).toHaveValue({_js(component.initial)});")
    return lines


def _spec(name: str, tests: Sequence[tuple[str, list[str]]]) -> str:
    parts = [_HEAD.format(page=_js(f"../pages/{name}.html"), name=_js(name))]
    for title, lines in tests:
        inner = "\n".join(f"    {line}" for line in lines)
        parts.append(f"\n  test({_js(title)}, async ({{ page }}) => {{\n{inner}\n  }});\n")
    return "".join(parts) + "});\n"


def _body(steps: Sequence[Step]) -> list[str]:
    lines: list[str] = []
    for number, step in enumerate(steps, 1):
        drawn = [expect for expect in step.expects if expect.says == "redrawn"]
        lines += [
            f"const before{number}x{place} = await {_place(expect.target)}.screenshot();" for place, expect in enumerate(drawn)
        ]
        lines += _act(step)
        lines += [
            f"await expect.poll(async () => Buffer.compare(before{number}x{place}, await {_place(expect.target)}.screenshot()))"
            ".not.toBe(0);"
            for place, expect in enumerate(drawn)
        ]
        lines += [_expect(expect) for expect in step.expects if expect.says != "redrawn"]
    return lines


def _act(step: Step) -> list[str]:
    place = _place(step.target)
    match step.act:
        case "none":
            return []
        case "fill":
            return [f"await {place}.fill({_js(step.value)});"]
        case "select":
            return [f"await {place}.selectOption({_js(step.value)});"]
        case "press":
            return [f"await {place}.press({_js(step.value)});"]
        case "drag":
            across, down = step.value.split(",")
            return [
                "{",
                f"  const box = await {place}.boundingBox();",
                "  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];",
                "  await page.mouse.move(x, y);",
                "  await page.mouse.down();",
                f"  await page.mouse.move(x + {int(across)}, y + {int(down)}, {{ steps: 10 }});",
                "  await page.mouse.up();",
                "}",
            ]
        case act:
            return [f"await {place}.{act}();"]


def _expect(expect: Expect) -> str:
    found = f"await expect({_place(expect.target)})"
    match expect.says:
        case "value":
            return f"{found}.toHaveValue({_js(expect.value)});"
        case "text":
            return f"{found}.toHaveText({_js(expect.value)});"
        case "contains":
            return f"{found}.toContainText({_js(expect.value)});"
        case says:
            return f"{found}.{_STATES[says]};"


def _place(target: str) -> str:
    return f"page.locator({_js('#' + target)})"


def _js(text: str) -> str:
    """A string as JavaScript source: JSON, and nothing in it can end the script."""
    return json.dumps(text, ensure_ascii=True)
