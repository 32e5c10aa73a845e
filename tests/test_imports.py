"""Who may import whom: the import column of the design, read from the source itself."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pi_board"

#: Modules at the top level that hold only types: anyone may use them.
TYPES = {"errors", "frame", "sighting", "table", "output"}
#: Every folder and every loose module of the package, floor by floor: a floor uses what stands above it in this table.
MAY_IMPORT = {
    # types
    "errors": set(),
    "frame": set(),
    "sighting": set(),
    "events": {"rules"},
    "table": {"rules"},
    "output": {"events"},
    # the pure core
    "rules": set(),
    "solitaire": set(),
    "hints": {"rules"},
    "referee": {"rules", "events", "solitaire"},
    # eyes, and what there is to see
    "simulator": {"rules", "solitaire"},
    "camera": {"simulator"},
    "vision": {"rules"},
    # what hears of it
    "panel": {"events"},
    "record": {"rules", "events"},
    "web": {"events", "record", "rules"},
    "club": {"events", "record", "web"},
    "terminal": {"rules", "solitaire", "events", "referee"},
    # the parts put together
    "session": {
        "rules",
        "solitaire",
        "hints",
        "events",
        "referee",
        "simulator",
        "camera",
        "vision",
        "record",
    },
    # the installed versions of the program (their health check looks at the simulated board)
    "versions": {"simulator", "camera", "vision", "session"},
    # refereed games in rooms drawn at random
    "campaign": {"rules", "events", "referee", "simulator", "camera", "vision", "record", "session"},
    "setup": {
        "rules",
        "hints",
        "events",
        "referee",
        "camera",
        "vision",
        "panel",
        "record",
        "web",
        "club",
        "session",
    },
    "commands": {
        *(
            "rules",
            "solitaire",
            "hints",
            "events",
            "referee",
            "simulator",
            "camera",
            "vision",
            "panel",
            "record",
        ),
        *("web", "club", "terminal", "session", "campaign", "setup", "versions"),
    },
    "cli": {"commands"},
    "__init__": set(),
    "__main__": {"cli"},
}
#: Former names that other people's programs use; each is a re-export of one place and of nothing else.
FORMER_NAMES = {"sitting": "session", "demo": "session"}
#: The core knows no camera, pins, screen or socket.
PURE = ("rules", "referee", "solitaire", "hints")
EDGE_LIBRARIES = {
    "cv2",
    "gpiozero",
    "serial",
    "luma",
    "picamera2",
    "starlette",
    "uvicorn",
    "rich",
    "PIL",
    "lgpio",
}
#: Hardware libraries may be named by exactly one module each.
ONE_HOME = {"picamera2": "camera/picamera2_camera.py", "libcamera": "camera/picamera2_camera.py"}


def sources(part: str) -> list[Path]:
    folder = PACKAGE / part
    if folder.is_dir():
        # Training and benchmarks run on a desktop beside the product and may render with the simulator.
        return [p for p in sorted(folder.rglob("*.py")) if "training" not in p.relative_to(PACKAGE).parts]
    return [PACKAGE / f"{part}.py"]


@functools.cache
def nodes(path: Path) -> list[ast.AST]:
    """All of the file's syntax tree; parsed once, for it takes seconds for the whole package."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported(path: Path, *, types: bool = True) -> set[str]:
    """Absolute module names imported anywhere in the file (`if TYPE_CHECKING` blocks only with `types`)."""
    names: set[str] = set()
    inside = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names.update(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(inside[: len(inside) - node.level + 1]) if node.level else ""
            module = ".".join(p for p in (base, node.module) if p)
            names.add(module)
            if module == "pi_board":
                names.update(f"pi_board.{a.name}" for a in node.names)
    return names


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_import_table(part: str) -> None:
    allowed = MAY_IMPORT[part] | TYPES | {part}
    for path in sources(part):
        for name in imported(path):
            if name.startswith("pi_board."):
                other = name.split(".")[1]
                if other.startswith("__"):
                    continue
                assert other in allowed, f"{path.relative_to(ROOT)} imports pi_board.{other}; {part} may not"


def test_every_module_has_a_row() -> None:
    parts = {
        p.name.removesuffix(".py")
        for p in PACKAGE.iterdir()
        if p.suffix == ".py" or (p / "__init__.py").exists()
    }
    assert parts == set(MAY_IMPORT) | set(FORMER_NAMES), (
        "a module without a row in MAY_IMPORT, or a row without a module"
    )


@pytest.mark.parametrize("name", FORMER_NAMES)
def test_former_names_only_pass_on(name: str) -> None:
    (path,) = sources(name)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert all(isinstance(node, ast.ImportFrom) for node in tree.body[1:]), f"{path} does more than re-export"
    assert {n.split(".")[1] for n in imported(path)} == {FORMER_NAMES[name]}


def loops(imports: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import one another, directly or by way of others (Tarjan)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in sorted(imports.get(module, ())):
            if other not in number:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in stack:
                lowest[module] = min(lowest[module], number[other])
        if lowest[module] == number[module]:
            group = stack[stack.index(module) :]
            del stack[len(stack) - len(group) :]
            if len(group) > 1:
                found.append(sorted(group))

    for module in sorted(imports):
        if module not in number:
            visit(module)
    return found


def test_modules_that_import_one_another_are_found() -> None:
    assert loops({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "c"}}) == [["b", "c"]]
    assert loops({"a": {"b", "c"}, "b": {"c"}}) == []


def test_no_modules_import_one_another() -> None:
    """Neither openly, nor for types only, nor inside a function."""
    modules = {
        ".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p
        for p in sorted(PACKAGE.rglob("*.py"))
    }
    imports = {}
    for name, path in modules.items():
        wanted = set(imported(path))
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module:
                wanted |= {f"{node.module}.{a.name}" for a in node.names}
        # What is taken from a module inside a package is not taken from the package.
        taken = {w for w in wanted if w in modules and w != name}
        imports[name] = {w for w in taken if not any(t.startswith(w + ".") for t in taken)}
    assert loops(imports) == []


@pytest.mark.parametrize("part", PURE)
def test_core_is_pure(part: str) -> None:
    for path in sources(part):
        names = {n.split(".")[0] for n in imported(path)}
        assert not names & EDGE_LIBRARIES, f"{path.relative_to(ROOT)} imports {names & EDGE_LIBRARIES}"
        if part in ("rules", "referee", "solitaire"):
            assert not names & {"time", "datetime", "threading", "socket", "asyncio"}, path


def test_hardware_library_has_one_home() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        for name in {n.split(".")[0] for n in imported(path)} & set(ONE_HOME):
            assert str(path.relative_to(PACKAGE)) == ONE_HOME[name], f"{path} imports {name}"


def test_everything_imports_without_hardware() -> None:
    """Every module imports on a desktop: no picamera2, no lgpio, no I2C."""
    modules = [
        ".".join(p.relative_to(ROOT).with_suffix("").parts)
        for p in sorted(PACKAGE.rglob("*.py"))
        if not {"training", "migrations"} & {*p.parts} and p.name not in ("__main__.py", "__init__.py")
    ]
    code = "import importlib\n" + "\n".join(f"importlib.import_module({m!r})" for m in modules)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr


def test_package_itself_is_light() -> None:
    code = (
        "import sys, pi_board, pi_board.cli; assert not {'cv2', 'numpy', 'rich'} & set(sys.modules), 'heavy'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
