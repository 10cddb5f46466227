"""Who is told what: those who wish for everything that happens, and those who do not."""

import json

from referee.match.faults import Cost, FaultKind
from tests.fakes import FakeClock, FakePlayer, ScriptedDice, a_setup, first_step
from tests.host.desk import ENTERS, Desk, answer


class TestEvents:
    async def test_are_told_in_the_words_of_the_record(self, clock: FakeClock) -> None:
        """
        Who wishes for events hears every line of the record, in order, the header left out.
        """
        players = [FakePlayer(choose=first_step, wants_events=True) for _ in range(4)]
        desk = Desk(clock, *players, setup=a_setup("winning_moves", (0, 1, 2, 3), max_throws=30))

        desk.start()
        await desk.over()

        for player in players:
            assert player.lines == desk.record()[1:]

    async def test_are_told_up_to_the_question(self, clock: FakeClock) -> None:
        """
        When a bot is to answer it has heard all that led to the question.
        """
        ann, ben = FakePlayer(wants_events=True), FakePlayer(choose=first_step)
        desk = Desk(clock, ann, ben)
        desk.start()

        heard = [json.loads(line)["type"] for line in ann.lines]
        assert heard == ["begun", "thrown"]
        answer(ann, now=desk.go(0.25))

        assert ann.lines == desk.record()[1:]

    async def test_keep_back_what_a_bot_printed_and_sent_in_error(self, clock: FakeClock) -> None:
        """
        The record has the bytes of a wrong answer and what its bot printed; its opponents hear neither.
        """
        ann, ben = FakePlayer(), FakePlayer(wants_events=True)
        ann.prints = "about to step wrong"
        desk = Desk(clock, ann, ben)
        desk.start()

        ann.chair.answered(1, [12345], desk.go(0.25))
        desk.game.flush()

        (kept,) = [fault for line in desk.record() if (fault := json.loads(line))["type"] == "faulted"]
        (heard,) = [fault for line in ben.lines if (fault := json.loads(line))["type"] == "faulted"]
        assert (kept["raw"], kept["stderr"]) == ("steps [12345]", "about to step wrong")
        assert heard == kept | {"raw": "", "stderr": ""}

    async def test_are_not_told_to_the_others(self, clock: FakeClock) -> None:
        """
        Who has not wished for events is left in peace.
        """
        ann, ben = FakePlayer(choose=first_step), FakePlayer(choose=first_step)
        desk = Desk(clock, ann, ben, setup=a_setup("racket", max_throws=9))

        desk.start()
        await desk.over()

        assert ann.lines == ben.lines == []

    async def test_end_for_who_has_lost_the_seat(self, clock: FakeClock) -> None:
        """
        A seat that is lost hears no more of the game.
        """
        ann, ben = FakePlayer("ann"), FakePlayer("ben", wants_events=True)
        cleo = FakePlayer("cleo")
        desk = Desk(clock, ann, ben, cleo, setup=a_setup("racket", (0, 1, 2)))
        desk.start()
        heard = list(ben.lines)

        ben.chair.fault(FaultKind.RESIGNED, "gave up the seat")
        answer(ann, now=desk.go(0.25))

        assert ben.lines == heard


class TestVerdict:
    async def test_on_an_accepted_answer_is_for_those_who_wish_for_it(self, clock: FakeClock) -> None:
        """
        A confirmation costs a message; who did not ask for it gets none.
        """
        ann, ben = FakePlayer(wants_confirmations=True), FakePlayer()
        dice = ScriptedDice([ENTERS, ENTERS])
        desk = Desk(clock, ann, ben, dice=dice)
        desk.start()
        answer(ann, now=desk.go(0.25))
        answer(ben, now=desk.go(0.25))

        assert [verdict.kind for verdict in ann.verdicts] == [None]
        assert ben.verdicts == []

    async def test_on_several_steps_is_one(self, clock: FakeClock) -> None:
        """
        An answer of several steps is confirmed once; with a fault in it the fault is all that is told.
        """
        ann, ben = FakePlayer(wants_confirmations=True), FakePlayer()
        desk = Desk(clock, ann, ben, dice=ScriptedDice([(5, 5), (1, 2)]))
        desk.start()
        first, second = ann.asks[0].steps[0].code, ann.asks[0].steps[1].code

        ann.chair.answered(1, [first, second, 0], desk.go(0.25))

        assert len(ann.verdicts) == 1

    async def test_on_a_fault_is_for_everybody(self, clock: FakeClock) -> None:
        """
        A bot always learns why, whether it wished for it or not.
        """
        ann, ben = FakePlayer(), FakePlayer()
        desk = Desk(clock, ann, ben)
        desk.start()

        ann.chair.answered(1, [], desk.go(0.25))

        (verdict,) = ann.verdicts
        assert (verdict.game, verdict.ask, verdict.kind) == (7, 1, FaultKind.MALFORMED)
        assert verdict.detail == "the answer holds no step"
        assert ben.verdicts == []

    async def test_names_the_ask_that_the_record_names(self, clock: FakeClock) -> None:
        """
        It is the seat's own open ask, whether the fault spends it or not; 0 while another is asked.
        """
        ann, ben, cleo = FakePlayer(), FakePlayer(), FakePlayer()
        desk = Desk(clock, ann, ben, cleo, setup=a_setup("racket", (0, 1, 2)))
        desk.start()

        ben.chair.answered(1, [5], desk.go(0.25))
        ann.chair.answered(99, [5], desk.go(0.25))
        ann.chair.answered(1, [], desk.go(0.25))
        cleo.chair.fault(FaultKind.RESIGNED, "gave up the seat")

        faults = [(line["seat"], line["kind"], line["ask"]) for line in desk.lines("faulted")]
        assert faults == [(1, "stale", 0), (0, "stale", 1), (0, "malformed", 1), (2, "resigned", 2)]
        told = [
            [(seat, verdict.kind, verdict.ask) for verdict in player.verdicts]
            for seat, player in enumerate((ann, ben, cleo))
        ]
        assert sorted(told[0] + told[1] + told[2]) == sorted(faults)

    async def test_is_for_who_did_not_come_too(self, clock: FakeClock) -> None:
        """
        A bot that is late with its ready, or turns the offer down, learns that this was a fault.
        """
        ann, ben, cleo = FakePlayer(), FakePlayer(accepts=False), FakePlayer()
        desk = Desk(clock, ann, ben, cleo, setup=a_setup("racket", (0, 1, 2)))
        desk.start()

        ben.chair.absent("declined: no reason given")

        (verdict,) = ben.verdicts
        assert (verdict.ask, verdict.kind, verdict.cost) == (0, FaultKind.NO_SHOW, Cost.SEAT)
        assert (verdict.detail, verdict.strikes_left) == ("declined: no reason given", 0)
