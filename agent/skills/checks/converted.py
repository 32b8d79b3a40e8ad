"""Conversions a page writes out ("212 °F = 100 °C", "5 km = 3.107 mi"), done again with the units' definitions.

The table is our own: a library of units would read more into a label than it says ("m", "c" and every prefix), and knows no
Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from agent.skills.checks.case import Case, Told
from agent.words import with_points

_NUMBER = r"[-−+]?\d[\d,]*(?:\.\d+)?(?:\s?[eE][+-]?\d+|\s?[×x]\s?10\^?[-−+]?\d+)?"
_EQUATION = re.compile(
    rf"^\W{{0,3}}({_NUMBER})\s*([^\d=≈]{{1,40}}?)\s*(?:=|≈|is equal to|equals|等于)\s*({_NUMBER})\s*([^\d=≈]{{1,40}}?)[.。]?$"
)
_LENGTH = {
    "m": 1.0,
    "km": 1000.0,
    "cm": 0.01,
    "mm": 0.001,
    "µm": 1e-6,
    "nm": 1e-9,
    "mi": 1609.344,
    "yd": 0.9144,
    "ft": 0.3048,
    "in": 0.0254,
}
_MASS = {"kg": 1.0, "g": 0.001, "mg": 1e-6, "t": 1000.0, "lb": 0.45359237, "oz": 0.028349523125, "st": 6.35029318}
_SPEED = {"m/s": 1.0, "km/h": 1 / 3.6, "mph": 0.44704, "kn": 1852 / 3600, "ft/s": 0.3048}
_VOLUME = {
    "l": 1.0,
    "ml": 0.001,
    "m³": 1000.0,
    "gal": 3.785411784,
    "pt": 0.473176473,
    "qt": 0.946352946,
    "fl oz": 0.0295735295625,
}
_AREA = {"m²": 1.0, "km²": 1e6, "cm²": 1e-4, "ha": 1e4, "ac": 4046.8564224, "ft²": 0.09290304}
_TIME = {"s": 1.0, "ms": 0.001, "min": 60.0, "h": 3600.0, "d": 86400.0}
_KINDS = (_LENGTH, _MASS, _SPEED, _VOLUME, _AREA, _TIME)
_IMPERIAL = 1.2
"""British gallons, pints and ounces are up to a fifth larger than American ones, or a little smaller."""
_DEGREES = {"°c": (1.0, 0.0), "°f": (5 / 9, -160 / 9), "k": (1.0, -273.15)}
"""Factor and offset to degrees Celsius."""
_NAMES: dict[str, str] = {
    "m": "metres meters metre meter 米",
    "km": "kilometres kilometers kilometre kilometer 公里 千米",
    "cm": "centimetres centimeters centimetre centimeter 厘米",
    "mm": "millimetres millimeters millimetre millimeter 毫米",
    "mi": "miles mile 英里",
    "yd": "yards yard 码",
    "ft": "feet foot 英尺",
    "in": "inches inch 英寸",
    "kg": "kilograms kilogram kilogrammes kgs 千克 公斤",
    "g": "grams gram grammes 克",
    "mg": "milligrams milligram 毫克",
    "t": "tonnes tonne 吨",
    "lb": "pounds pound lbs 磅",
    "oz": "ounces ounce 盎司",
    "m/s": "米/秒",
    "km/h": "kph kmh 公里/小时 千米/小时",
    "kn": "knots knot kt 节",
    "l": "litres liters litre liter 升",
    "ml": "millilitres milliliters millilitre milliliter 毫升",
    "m³": "m3",
    "gal": "gallons gallon 加仑",
    "m²": "m2",
    "km²": "km2",
    "ft²": "ft2",
    "ha": "hectares hectare 公顷",
    "ac": "acres acre 英亩",
    "s": "seconds second sec 秒",
    "min": "minutes minute 分钟",
    "h": "hours hour hr 小时",
    "d": "days day 天",
    "°c": "c ℃ celsius 摄氏度",
    "°f": "f ℉ fahrenheit 华氏度",
    "k": "kelvin 开尔文",
}
WITHIN = 0.006
"""Share that a rounded factor (1.6 km a mile) and rounded figures may be off."""


def converted(case: Case) -> Told:
    """A line that says how much one unit is in another is right. Another figure, new at this act: `wrong_result`."""
    known = set(case.before.text.splitlines())
    right, wrong = "", list[str]()
    for line in dict.fromkeys(case.after.text.splitlines()):
        for value, unit, shown, other in _equations(line):
            expected = _converted(value, unit, other)
            if not expected:
                continue
            if any(_near(shown[0], one, shown[1]) for one in expected):
                right = right or line
            elif line not in known or not case.history:
                wrong.append(f'"{line.strip()[:80]}", but it is {expected[0]:.6g}')
    if wrong:
        return Told(False, wrong[0], "wrong_result")
    return Told(True, f'"{right.strip()[:80]}" is right') if right else Told(None, "no conversion is written out", attempts=0)


def _equations(line: str) -> Iterator[tuple[float, str, tuple[float, float], str]]:
    """(value, unit, (result, half of its last digit), other unit) of a line that says one and nothing else."""
    found = _EQUATION.match(with_points(line.strip()))
    if found is None:
        return
    unit, other = unit_of(found.group(2)), unit_of(found.group(4))
    if unit and other and unit != other:
        yield _value(found.group(1)), unit, (_value(found.group(3)), _last_digit(found.group(3))), other


def _converted(value: float, unit: str, other: str) -> tuple[float, ...]:
    """What a value is in another unit, the likeliest first; empty where the two measure different things."""
    if unit in _DEGREES and other in _DEGREES:
        factor, offset = _DEGREES[unit]
        own, shift = _DEGREES[other]
        return ((value * factor + offset - shift) / own,)
    for kind in _KINDS:
        if unit in kind and other in kind:
            result = value * kind[unit] / kind[other]
            british = kind is _VOLUME and bool({unit, other} & {"gal", "pt", "qt", "fl oz"})
            return (result, result * _IMPERIAL, result / _IMPERIAL, result * 0.9608, result / 0.9608) if british else (result,)
    return ()


def _near(shown: float, right: float, rounding: float) -> bool:
    return abs(shown - right) <= rounding + WITHIN * abs(right)


def _value(text: str) -> float:
    return float(_plain(text))


def _plain(text: str) -> str:
    """A figure as programs write it: `1.2 × 10^5` as `1.2e5`."""
    bare = re.sub(r"\s?[×x]\s?10\^?", "e", text.replace(",", "").replace("−", "-"))
    return bare.replace(" ", "").casefold()


def _last_digit(text: str) -> float:
    """Half of what the last digit of a figure stands for, and a little."""
    mantissa, _, power = _plain(text).partition("e")
    return 0.51 * 10.0 ** (float(power or 0) - len(mantissa.partition(".")[2]))


@cache
def _named() -> dict[str, str]:
    """Every way a unit is written → the unit."""
    found = {name: unit for unit, names in _NAMES.items() for name in names.split()}
    return found | {unit: unit for kind in (*_KINDS, _DEGREES) for unit in kind}


def unit_of(text: str) -> str:
    """The unit that a text names, and nothing else; also where its sign stands behind it: `Metres (m)`, `degrees Celsius`."""
    bare = re.sub(r"\s+", " ", text.strip().casefold()).replace("degrees ", "").replace("degree ", "").replace("° ", "°")
    inner = re.fullmatch(r"([^()（）]+?)\s*[(（]([^()（）]+)[)）]", bare)
    names = (inner.group(2), inner.group(1)) if inner else (bare,)
    return next((_named()[name.strip()] for name in names if name.strip() in _named()), "")
