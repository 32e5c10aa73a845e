"""One name for one thing: no two public classes share a name, and private names stay in their room."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "pi_board"
#: Names that two classes may share, each with the reason why one name is right for both.
SHARED_NAMES: dict[str, str] = {}


@functools.cache
def trees() -> dict[str, ast.Module]:
    """The syntax tree of every module, by its path inside the package."""
    return {
        str(path.relative_to(PACKAGE)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def homes(modules: dict[str, ast.Module]) -> dict[str, list[str]]:
    """Where each public class is defined."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, tree in modules.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path)
    return found


def test_public_classes_have_names_of_their_own() -> None:
    doubled = {name: where for name, where in homes(trees()).items() if len(where) > 1}
    assert {n: w for n, w in doubled.items() if n not in SHARED_NAMES} == {}
    assert set(SHARED_NAMES) <= set(doubled), "an entry of SHARED_NAMES that is not needed any more"


def test_a_doubled_name_is_found() -> None:
    both = {"a.py": ast.parse("class Board: ..."), "b.py": ast.parse("class Board: ...\nclass _Kept: ...")}
    assert homes(both) == {"Board": ["a.py", "b.py"]}


def test_private_names_stay_in_their_folder() -> None:
    """A name with an underscore may be imported inside its own folder only, and by nobody from another one."""
    for path, tree in trees().items():
        inside = ".".join(["pi_board", *Path(path).parts[:-1]])
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("pi_board"):
                continue
            private = [a.name for a in node.names if a.name.startswith("_") and not a.name.startswith("__")]
            assert not private or (node.module or "").rpartition(".")[0] == inside, (
                f"{path} imports {private}"
            )
