"""What a tournament came to, as text, JSON and CSV, and how it is going meanwhile."""

import csv
import io
import json
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.match.events import Faulted, Reason
from referee.match.faults import Cost, FaultKind
from tests.fakes import a_setup, recorded
from tests.tournaments.cases import plan, plan_text, result
from tests.tournaments.fakes import FakeHouse, play
from tournaments.reports import data, text
from tournaments.reports.summary import Summary, summary
from tournaments.runner.folder import Begun, Folder
from tournaments.runner.ledger import Ledger
from tournaments.runner.progress import Progress, spoken
from tournaments.runner.share import Share
from tournaments.scoring.standings import Scores


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Return the folder of a tournament that has been played."""
    folder = Folder(tmp_path)
    assert play(FakeHouse(void={"r001-g0002-s1": 1}), folder, plan()).complete
    return folder


@pytest.fixture
def troubled(tmp_path: Path) -> Summary:
    """Return a tournament in progress, with faults."""
    folder = Folder(tmp_path)
    play(FakeHouse(), folder, plan(plan_text(rounds=20)))
    folder.results.write_bytes(b"")
    ledger = Ledger(folder.results)
    faults = {"bert": {FaultKind.LATE: 2, FaultKind.GONE: 1}}
    reasons = {"bert": Reason.FAULT, "anna": Reason.LAST_STANDING}
    ledger.append(
        [
            result(number, {"anna": 1, "bert": 2}, reasons=reasons, faults=faults, block=f"b{number // 2}")
            for number in range(2, 26)
        ]
    )
    ledger.close()
    return summary(folder)


class TestText:
    def test_shows_standings_cross_table_and_the_secret(self, folder: Folder) -> None:
        """
        When all has been played the dice can be checked by anybody.
        """
        said = text.report(summary(folder), folder.root)

        assert "cup: winning_moves, 2 seats, 6 of 6 games" in said
        assert "points  a game" in said
        assert "order: points a game, wins a game" in said
        assert f"secret of the dice: {folder.secret.read_text().strip()}" in said
        assert f"did not count: {folder.games}/r001-g0002-s1.void1.jsonl" in said

    def test_names_the_record_of_each_fault(self, troubled: Summary) -> None:
        """
        From a fault to its evidence is one step; a long list is cut, and says so.
        """
        said = text.report(troubled, Path("out"))

        assert "bert: late 2 times on seat 1, and lost the seat: out/games/game-2.jsonl" in said
        assert "bert: gone on seat 1, and lost the seat: out/games/game-2.jsonl" in said
        assert "and 28 more: see --json" in said
        assert "secret" not in said

    def test_says_why_as_the_record_does(self, troubled: Summary, tmp_path: Path) -> None:
        """
        Behind a fault stands the sentence of its record, and the last line that the bot printed.
        """
        note = (troubled.faults or ())[0]
        setup = a_setup("winning_moves", (0, 2))
        last = "the process ended with exit code 1", "Traceback:\n  line 7\nIndexError: no such pawn\n"
        faults = [
            Faulted(note.seat, 1, note.kind, Cost.SEAT, "another time", None, 1, "", ""),
            Faulted(note.seat, 2, note.kind, Cost.SEAT, last[0], None, 1, "", last[1]),
            Faulted(3, 2, note.kind, Cost.SEAT, "another seat", None, 1, "", ""),
        ]
        (tmp_path / note.record).write_text("\n".join(recorded(setup, faults)) + "\n", encoding="utf-8")

        said = text.faults(troubled, tmp_path)

        first, why, printed, *_ = said.splitlines()[1:]
        assert first.endswith(note.record)
        assert why.strip() == "the process ended with exit code 1"
        assert printed.strip() == "it printed last: IndexError: no such pawn"

    def test_shows_what_cannot_be_said_yet_as_such(self, troubled: Summary) -> None:
        """
        An entrant that has not played has no mean, and nobody has taken anything from it.
        """
        carl = next(line for line in text.standings(troubled).splitlines() if " carl " in line)

        assert carl.split() == ["2", "carl", "0", "0", "-", "-", "0", "0/0", "0", "0", "-", "-", "-"]
        assert text.cross_table(troubled).splitlines()[1].split() == ["1", "anna", "-", "-", "100"]

    def test_leaves_out_a_cross_table_that_is_too_wide(self, tmp_path: Path) -> None:
        wide = plan(plan_text([f"b{index}" for index in range(17)]))
        play(FakeHouse(), Folder(tmp_path), wide, jobs=20)

        assert "too wide for a terminal" in text.report(summary(Folder(tmp_path)), tmp_path)


class TestJson:
    def test_is_one_object_with_all_there_is(self, folder: Folder) -> None:
        said = json.loads(data.json_text(summary(folder)))

        assert (said["games"], said["planned"], said["complete"]) == (6, 6, True)
        assert {row["name"] for row in said["standings"]} == {"anna", "bert", "carl"}
        assert sum(row["points"] for row in said["standings"]) == 6
        assert said["against"]["anna"]["bert"]["games"] == 2
        assert said["faults"] == []
        assert said["void"] == ["games/r001-g0002-s1.void1.jsonl"]
        assert said["secret"] == folder.secret.read_text().strip()

    def test_keeps_the_secret_until_the_end(self, troubled: Summary) -> None:
        said = json.loads(data.json_text(troubled))

        assert (said["complete"], said["secret"]) == (False, None)
        assert said["faults"][0]["lost_the_seat"] is True

    def test_is_published_with_every_session(self, folder: Folder) -> None:
        """
        The standings lie in the folder, for whoever reads them there.
        """
        published = json.loads((folder.root / "standings.json").read_text())
        said = json.loads(data.json_text(summary(folder)))

        assert published == {key: value for key, value in said.items() if key not in ("faults", "void")}


class TestCsv:
    def test_has_a_row_for_each_entrant(self, troubled: Summary) -> None:
        rows = list(csv.DictReader(io.StringIO(data.csv_text(troubled))))

        assert [row["name"] for row in rows] == ["anna", "carl", "bert"]
        bert = next(row for row in rows if row["name"] == "bert")
        assert (bert["games"], bert["points"], bert["faults_late"], bert["lost"]) == ("24", "0.0", "48", "24")
        carl = next(row for row in rows if row["name"] == "carl")
        assert (carl["mean"], carl["low"], carl["mean_us"]) == ("", "", "")


class TestSummary:
    def test_refuses_results_of_another_tournament(self, folder: Folder) -> None:
        with folder.results.open("a") as file:
            file.write(result(99, {"anna": 1, "mallory": 2}).line() + "\n")

        with pytest.raises(ConfigError, match=r"results\.jsonl: game game-99 was played by 'mallory'"):
            summary(folder)

    def test_passes_over_a_line_that_is_being_written(self, folder: Folder) -> None:
        """
        A report may be asked for while games are played.
        """
        with folder.results.open("a") as file:
            file.write('{"number":7')

        assert summary(folder).complete


class TestProgress:
    def tell(self, *, terminal: bool) -> tuple[Progress, io.StringIO, Scores, list[float]]:
        stream, clock = io.StringIO(), [100.0]
        cup = plan(plan_text(rounds=20))
        scores = Scores(cup.field.names, 2, 2)
        progress = Progress(stream, terminal=terminal, now=lambda: clock[0])
        progress.began(Begun(cup, bytes(32), {}), scores, Share(jobs=2, workers=1))
        return progress, stream, scores, clock

    def play(self, scores: Scores, games: int) -> None:
        late = {"bert": {FaultKind.LATE: 1}}
        for number in range(scores.games + 1, scores.games + 1 + games):
            scores.add(result(number, {"anna": 1, "bert": 2}, faults=late))

    def test_tells_rate_time_left_and_faults(self) -> None:
        progress, _, scores, clock = self.tell(terminal=True)
        self.play(scores, 30)
        clock[0] += 10

        assert progress.status() == "30/120 games, 3.0 games/s, 30 s left, 30 faults"

    def test_is_defined_before_anything_has_happened(self) -> None:
        progress, *_ = self.tell(terminal=True)

        assert progress.status() == "0/120 games, 0.0 games/s, time left unknown, 0 faults"

    @pytest.mark.parametrize(
        ("workers", "words"), [(1, "8 side by side on "), (2, "8 side by side in 2 processes on ")]
    )
    def test_tells_how_games_are_shared_out(self, workers: int, words: str) -> None:
        stream, cup = io.StringIO(), plan(plan_text(rounds=20))

        Progress(stream, terminal=False).began(
            Begun(cup, bytes(32), {}), Scores(cup.field.names, 2, 2), Share(jobs=8, workers=workers)
        )

        assert words in stream.getvalue()

    def test_is_drawn_anew_on_a_terminal(self) -> None:
        """
        A remark gets a line of its own, and the status is drawn again behind it.
        """
        progress, stream, *_ = self.tell(terminal=True)
        before = len(stream.getvalue())
        progress.tick()
        progress.remark("something")

        assert stream.getvalue()[before:] == (
            "\r\x1b[K0/120 games, 0.0 games/s, time left unknown, 0 faults\r\x1b[Ksomething\n"
        )

    def test_is_a_plain_line_every_few_seconds_elsewhere(self) -> None:
        progress, stream, _, clock = self.tell(terminal=False)
        before = stream.getvalue().count("\n")
        for _ in range(50):
            clock[0] += 0.2
            progress.tick()

        assert stream.getvalue().count("\n") - before == 2
        assert "\x1b" not in stream.getvalue()

    def test_tells_how_long_it_took(self) -> None:
        progress, stream, scores, clock = self.tell(terminal=False)
        self.play(scores, 120)
        clock[0] += 60
        progress.over()

        assert stream.getvalue().endswith("120/120 games, 2.0 games/s, took 1 min 0 s, 120 faults\n")

    @pytest.mark.parametrize(
        ("seconds", "words"),
        [(0, "0 s"), (59.4, "59 s"), (60, "1 min 0 s"), (3725, "1 h 2 min"), (90_000, "1 d 1 h")],
    )
    def test_speaks_of_time_in_two_units(self, seconds: float, words: str) -> None:
        assert spoken(seconds) == words
