"""Rules of the house that no linter checks."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from graphlib import TopologicalSorter
from importlib import metadata
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[3]
PACKAGES = ("agent", "configs", "evaluator", "prompts", "tools")
OURS = (*PACKAGES, "setup", "tests")
HEAVY = {
    "PIL", "Xlib", "anthropic", "axe_playwright_python", "cv2", "ffmpeg", "jinja2", "langchain_anthropic", "langchain_core",
    "langchain_openai", "langgraph", "matplotlib", "numpy", "onnxruntime", "openai", "paddleocr", "paddlex", "pandas",
    "playwright", "py3langid", "requests", "scipy", "skimage", "torch", "transformers",
}  # fmt: skip
LIMIT_LINES = {".py": 400, ".js": 600, ".mjs": 600, ".c": 600}
"""A script that goes into a page, and a library that goes into a process, has to be one file."""


def _sources(*suffixes: str, folders: tuple[str, ...] = OURS) -> list[Path]:
    """Our own files with these suffixes; fixtures are apps and answers, not ours."""
    every = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in suffixes and path.is_file()]
    return [path for path in every if not {"__pycache__", "node_modules", "fixtures"} & set(path.relative_to(ROOT).parts)]


def _named(paths: list[Path]) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in paths)


def test_no_installed_distribution_owns_one_of_our_names() -> None:
    """Our top-level packages have everyday names: no dependency may bring a package or module called the same."""
    owners = {
        (distribution.name, path.parts[0])
        for distribution in metadata.distributions()
        if distribution.name != "assay"
        for path in distribution.files or ()
        if path.parts[0].removesuffix(".py") in (*PACKAGES, "setup") and not str(path).startswith("..")
    }
    assert owners == set()


@pytest.mark.parametrize(
    "module",
    [
        "agent.cli.main",
        "configs.settings",
        "tools.doctor.examine",
        "tools.errors",
        "tools.evidence.record",
        "tools.processes",
        "tools.system",
    ],
)
def test_light_modules_stay_light(module: str) -> None:
    """What `assay --help` and the small verbs load brings none of the heavy libraries with it."""
    code = f"import sys, {module}; print('\\n'.join(name.partition('.')[0] for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert HEAVY & set(done.stdout.split()) == set()


def test_set_up_needs_the_standard_library_only() -> None:
    """Set-up runs before anything is installed: it loads without any site-packages."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import setup.install"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_opencv_is_pinned_to_one_version() -> None:
    """The distributions of OpenCV write to the same folder: all that are locked, overridden or installed agree."""
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    locked = {package["name"]: package["version"] for package in lock["package"] if package["name"].startswith("opencv-")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    overridden = {pin.split("==")[1] for pin in project["tool"]["uv"]["override-dependencies"] if pin.startswith("opencv-")}
    installed = {name: metadata.version(name) for name in locked}
    assert "opencv-python" in locked
    assert {*locked.values(), *overridden, *installed.values()} == {locked["opencv-python"]}


def test_every_test_says_what_it_shows() -> None:
    """Each test function has a docstring."""
    silent = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in (ROOT / "tests").rglob("*.py")
        if "node_modules" not in path.parts and path.name.startswith("test_")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert silent == []


def test_no_room_is_too_large() -> None:
    """No module is longer than what one can see across; one that is split leaves the list of those that still are."""
    large = {
        str(path.relative_to(ROOT)): lines
        for path in _sources(*LIMIT_LINES, folders=(*PACKAGES, "setup"))
        if (lines := path.read_text(encoding="utf-8").count("\n")) > LIMIT_LINES[path.suffix]
    }
    assert large == {}, large


def test_nothing_is_loose_at_the_top() -> None:
    """In `agent` and `evaluator` everything is in a room."""
    loose = [path for name in ("agent", "evaluator") for path in (ROOT / name).glob("*.py") if path.name != "__init__.py"]
    assert _named(loose) == []


def test_no_files_import_each_other_in_a_circle() -> None:
    """Also not by way of others, nor for the sake of a type."""
    graph = grimp.build_graph(*PACKAGES, "setup", cache_dir=None)
    order = TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules})
    order.prepare()  # raises CycleError, with the circle


def test_the_rooms_that_are_pointed_to_are_there() -> None:
    """The table of behaviours in ARCHITECTURE.md names files and folders that exist, and names that stand in them."""
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Where is")[2].partition("\n## ")[0]
    pointed = re.findall(r"`((?:agent|configs|evaluator|tools)/[^`:]+)(?:: ([^`]+))?`", table)
    assert len(pointed) > 20
    for path, names in pointed:
        assert (ROOT / path).exists(), path
        for name in filter(None, names.split(", ")):
            assert re.search(rf"\b{name.split('.')[-1]}\b", (ROOT / path).read_text(encoding="utf-8")), (path, name)


def test_names_say_what_a_thing_is() -> None:
    """Nothing is called utils, helper or manager, which says nothing of what is inside; npm is a package manager, though."""
    idle = re.compile(r"utils?|helpers?|managers?|misc|common", re.IGNORECASE)
    paths = [path for path in _sources(".py", ".js") if any(idle.fullmatch(part) for part in (*path.parts, path.stem))]
    called = re.compile(r"^ *class (\w*(?:Utils?|Helper|(?<!Package)Manager))\b", re.MULTILINE)
    classes = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in _sources(".py")
        for name in called.findall(path.read_text(encoding="utf-8"))
    ]
    assert _named(paths) + classes == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """Names of the files in a freshly built wheel, and of those that should be in it."""
    out = tmp_path_factory.mktemp("wheel")
    uv = Path(sys.executable).parent / "uv"
    before = _package_files()
    done = subprocess.run(
        [uv, "build", "--wheel", "--quiet", "--out-dir", out, ROOT], capture_output=True, text=True, timeout=150, check=False
    )
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("assay-*.whl")
    with zipfile.ZipFile(built) as archive:
        # Only what was there before and after: files may come and go while somebody works in the tree.
        return set(archive.namelist()), before & _package_files()


def _package_files() -> set[str]:
    every = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file())
    return {str(path.relative_to(ROOT)) for path in every if not {"__pycache__", "node_modules"} & set(path.parts)}


def test_the_wheel_holds_every_file_of_the_packages(wheel: tuple[set[str], set[str]]) -> None:
    """Scripts, templates, styles, profiles and word lists are installed with the code that reads them."""
    names, wanted = wheel
    assert wanted - names == set()
    suffixes = {Path(name).suffix for name in wanted}
    assert {".py", ".toml", ".js"} <= suffixes


def test_the_wheel_holds_nothing_else(wheel: tuple[set[str], set[str]]) -> None:
    """Tests, recordings and set-up stay out of the wheel."""
    names, _ = wheel
    assert {name.split("/")[0] for name in names} - {"assay-0.1.0.dist-info"} == set(PACKAGES)
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".partial", ".so"))]


def test_the_wheel_brings_the_command(wheel: tuple[set[str], set[str]]) -> None:
    """`assay` starts `agent.cli.entry:main`, which hides keys before anything else."""
    del wheel
    (entry,) = [point for point in metadata.entry_points(group="console_scripts") if point.name == "assay"]
    assert entry.value == "agent.cli.entry:main"


def test_langgraph_finds_its_graph() -> None:
    """The path in langgraph.json leads to a module that defines the name it asks for."""
    ((_, target),) = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"].items()
    path, _, name = target.partition(":")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    bound = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        bound |= {found.id for found in targets if isinstance(found, ast.Name)}
    assert name in bound


@pytest.mark.parametrize("script", [".ci/run", "setup/run"])
def test_scripts_are_executable_and_parse(script: str) -> None:
    """A script that is called by name has its bit set and no slip in its syntax."""
    assert (ROOT / script).stat().st_mode & 0o111
    shell = (ROOT / script).read_text(encoding="utf-8").splitlines()[0].split("/")[-1].split()[-1]
    subprocess.run([shell, "-n", ROOT / script], check=True, timeout=20)


def test_every_hostile_subject_says_how_it_must_end() -> None:
    """The table beside the hostile subjects has a row for each of them, with an exit code."""
    folder = ROOT / "tests" / "fixtures" / "hostile"
    table = (folder / "README.md").read_text(encoding="utf-8")
    ends = dict(re.findall(r"^\| `([^`]+?)/?` \|.*\| ([0-9](?: or [0-9])?) \|$", table, re.MULTILINE))
    assert set(ends) == {path.name for path in folder.iterdir() if path.name != "README.md"}


def test_tests_that_measure_time_are_where_make_looks_for_them() -> None:
    """`make test` collects them by folder; elsewhere one would never run."""
    folders = re.search(r"^QUIET := (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert folders is not None
    marked = [path for path in (ROOT / "tests").rglob("test_*.py") if "mark.quiet" in path.read_text(encoding="utf-8")]
    outside = [path for path in marked if not any(path.is_relative_to(ROOT / word) for word in folders[1].split())]
    assert [path for path in outside if path != Path(__file__)] == []
    assert marked
