"""The command: exit codes, one line for each mistake, an example in every help."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import nobody_reads
from tests.tournaments.cases import plan_text
from tournaments.cli import main

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ("run", "resume", "report")


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Return a plan of six short games between built-in bots."""
    path = tmp_path / "cup.toml"
    path.write_text(plan_text(more="max_throws = 40\njobs = 2"))
    return path


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run the command; return its exit code, standard output and standard error."""
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as left:
        code = int(left.code or 0)
    out, error = capsys.readouterr()
    return code, out, error


class TestHelp:
    @pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
    def test_has_an_example(self, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]) -> None:
        code, out, error = told(capsys, *command, "--help")

        assert (code, error) == (0, "")
        assert "example: tournament" in out


class TestMistakes:
    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            pytest.param([], "COMMAND", id="no command"),
            pytest.param(["walk"], "invalid choice: 'walk'", id="unknown command"),
            pytest.param(["run"], "required: FILE.toml, --out", id="nothing to run"),
            pytest.param(["run", "CUP"], "required: --out", id="nowhere to run"),
            pytest.param(["run", "no.toml", "--out", "OUT"], "no.toml: there is no such file", id="no plan"),
            pytest.param(
                ["run", "CUP", "--out", "OUT", "--jobs", "0"], "--jobs: must be a whole number", id="no jobs"
            ),
            pytest.param(
                ["run", "CUP", "--out", "OUT", "--jobs", "many"],
                "from 1 to 10000, not 'many'",
                id="many jobs",
            ),
            pytest.param(
                ["run", "CUP", "--out", "OUT", "--workers", "0"],
                "--workers: must be a whole number from 1 to 10000, not '0'",
                id="no workers",
            ),
            pytest.param(
                ["run", "CUP", "--out", "OUT", "--engine", "dask:here"],
                "this machine only: say local, not 'dask:here'",
                id="another engine",
            ),
            pytest.param(
                ["run", "CUP", "--out", "CUP"],
                "cup.toml cannot be used: Not a directory",
                id="a file as folder",
            ),
            pytest.param(
                ["run", "CUP", "--out", "HERE"],
                "holds cup.toml: name a folder that is new or empty",
                id="a folder in use",
            ),
            pytest.param(["resume", "OUT"], "there is no tournament in", id="nothing to resume"),
            pytest.param(["resume", "CUP"], "there is no tournament in", id="a file to resume"),
            pytest.param(
                ["resume", "OUT", "--base", "no"], "--base no: there is no such folder", id="no base"
            ),
            pytest.param(["report", "OUT"], "there is no tournament in", id="nothing to report"),
        ],
    )
    def test_are_told_in_one_line(
        self,
        capsys: pytest.CaptureFixture[str],
        tmp_path: Path,
        cup: Path,
        arguments: list[str],
        sentence: str,
    ) -> None:
        """
        Exit code 2, one line on standard error, nothing on standard output, nothing on the disk.
        """
        places = {"CUP": str(cup), "OUT": str(tmp_path / "out"), "HERE": str(tmp_path)}

        code, out, error = told(capsys, *(places.get(word, word) for word in arguments))

        assert (code, out) == (2, "")
        assert error.count("\n") == 1
        assert sentence in error or (
            sentence == "is not empty" and "name a folder that is new or empty" in error
        )
        assert not (tmp_path / "out").exists()


class TestRun:
    def test_plays_reports_and_resumes(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path, cup: Path
    ) -> None:
        """
        The whole way, with the real house and built-in bots.
        """
        out = tmp_path / "out"

        code, said, error = told(capsys, "run", cup, "--out", out)
        assert code == 0
        assert "6 of 6 games" in said
        assert f"records: {out / 'games'}" in said
        assert "6/6 games" in error
        assert len(list((out / "games").iterdir())) == 6

        assert told(capsys, "resume", out, "--jobs", "1")[0] == 0
        assert told(capsys, "report", out)[1] in said

        code, _, error = told(capsys, "run", cup, "--out", out)
        assert code == 2
        assert f"go on with `tournament resume {out}`" in error

    def test_says_only_json_if_asked_to(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path, cup: Path
    ) -> None:
        code, out, error = told(capsys, "run", cup, "--out", tmp_path / "out", "--json")

        assert (code, error) == (0, "")
        assert json.loads(out)["complete"] is True

    def test_writes_csv_where_asked_to(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path, cup: Path
    ) -> None:
        out, table = tmp_path / "out", tmp_path / "table.csv"
        told(capsys, "run", cup, "--out", out)

        assert told(capsys, "report", out, "--csv", table) == (0, "", "")
        assert table.read_text().startswith("rank,name,games,points,")
        assert told(capsys, "report", out, "--csv", "-")[1] == table.read_text()
        code, _, error = told(capsys, "report", out, "--csv", tmp_path / "no" / "table.csv")
        assert code == 2
        assert "cannot be written: No such file or directory" in error

    def test_gives_the_same_results_again(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path, cup: Path
    ) -> None:
        """
        Equal seeds and bots without chance of their own: equal standings, however many games at once.
        """
        cup.write_text(plan_text(seats=3, rounds=2, more=f"max_throws = 60\nseed = '{'ab' * 32}'"))
        for jobs in ("1", "4"):
            assert told(capsys, "run", cup, "--out", tmp_path / jobs, "--jobs", jobs)[0] == 0

        one, other = ((tmp_path / jobs / "standings.csv").read_text().splitlines() for jobs in ("1", "4"))
        times = one[0].split(",").index("mean_us")
        assert [row.split(",")[:times] for row in one] == [row.split(",")[:times] for row in other]


class TestModule:
    def test_is_the_command(self) -> None:
        """
        `python -m tournaments` does the same.
        """
        done = subprocess.run(
            [sys.executable, "-m", "tournaments", "--version"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )

        assert done.returncode == 0
        assert done.stdout.startswith("parcheesi-referee ")

    def test_survives_a_reader_that_leaves(self, tmp_path: Path, cup: Path) -> None:
        """
        `tournament report DIR | head -1` ends without a word of complaint.
        """
        assert main(["run", str(cup), "--out", str(tmp_path / "out"), "--json"]) == 0
        head = shutil.which("true")
        assert head is not None
        command = f"{sys.executable} -m tournaments report {tmp_path / 'out'} | {head}"

        done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)

        assert done.stderr == ""


def test_is_played_to_its_end_although_nobody_reads_the_progress(cup: Path, tmp_path: Path) -> None:
    """
    Whoever watched has gone: the games go on, and the exit code says what became of them.
    """
    with nobody_reads() as writing:
        done = subprocess.run(
            [sys.executable, "-m", "tournaments", "run", str(cup), "--out", str(tmp_path / "out")],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=writing,
            text=True,
            check=False,
            timeout=120,
        )

    assert done.returncode == 0
    assert "6 of 6 games" in done.stdout
