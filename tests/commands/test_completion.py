"""The completion scripts are whole and do what they say in a real shell."""

from __future__ import annotations

import contextlib
import io
import shutil
import subprocess
from pathlib import Path

import pytest

from pi_board.cli import COMMANDS, main
from pi_board.commands.completion import SHELLS


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["completion", "bash"]) == 0
    path = tmp_path_factory.mktemp("completion") / "pi-board"
    path.write_text(out.getvalue())
    return path


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_in_every_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    out, err = capsys.readouterr()
    assert err == "" and all(name in out for name in COMMANDS)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (["pi-board", "rep"], {"replay"}),
        (["pi-board", "demo", "--sp"], {"--speed"}),
        (["pi-board", "demo", "--pace", ""], {"brisk", "natural", "sparse"}),
        (["pi-board", "solitaire", "sol"], {"solve"}),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_bash_completes(script: Path, typed: list[str], wanted: set[str]) -> None:
    words = " ".join(f"'{w}'" for w in typed)
    lines = f"""
        source {script}
        COMP_WORDS=({words}); COMP_CWORD={len(typed) - 1}
        $(complete -p pi-board | sed 's/.*-F \\([^ ]*\\).*/\\1/') pi-board '{typed[-1]}' '{typed[-2]}'
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", lines], capture_output=True, text=True, timeout=60)
    assert set(done.stdout.split()) == wanted, done.stderr
