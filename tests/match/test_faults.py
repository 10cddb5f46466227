"""What a bot does wrong, what it costs, and what becomes of its seat."""

from datetime import timedelta

import pytest

from referee.errors import ConfigError, UnknownName
from referee.match.events import By, Ended, Event, Faulted, Reason, SeatLost, Stepped
from referee.match.faults import (
    ALWAYS_THE_SEAT,
    ENDS_THE_ASK,
    PENALTIES,
    STRICT,
    TOURNAMENT,
    Cost,
    FaultKind,
    Penalties,
    penalties,
)
from referee.match.match import Absence, Match
from referee.match.phases import Phase
from referee.match.time_bank import Clock
from referee.rules.state import State, Step
from tests.fakes import ScriptedDice, a_setup, played, rules_of
from tests.match.driver import NOTES

NEST = (0, 0, 0, 0)


def a_match(
    table: Penalties = TOURNAMENT,
    seats: tuple[int, ...] = (0, 1, 2, 3),
    *,
    max_throws: int = 0,
    clock: Clock | None = None,
) -> tuple[Match, list[Event]]:
    """Return a match in which seat 0 is to choose, and its list of events, which is empty."""
    setup = a_setup("racket", seats, penalties=table, max_throws=max_throws, clock=clock)
    match = Match(setup, rules_of("racket"))
    match.thrown((5, 1))
    match.ask()
    match.events.clear()
    return match, match.events


class TestTables:
    @pytest.mark.parametrize("table", PENALTIES.values(), ids=PENALTIES)
    def test_price_every_kind(self, table: Penalties) -> None:
        """
        A kind of fault without a cost is not finished.
        """
        assert set(table.costs) == set(FaultKind)

    def test_strict_takes_the_seat_at_once(self) -> None:
        """
        In the strict table the first fault of any kind loses the seat.
        """
        assert set(STRICT.costs.values()) == {Cost.SEAT}
        assert STRICT.strikes == 1

    def test_tournament_gives_strikes_where_somebody_is_left_to_play(self) -> None:
        """
        In the tournament table a mistake is a strike, and the third loses the seat.
        """
        strikes = {kind for kind, cost in TOURNAMENT.costs.items() if cost is Cost.STRIKE}

        assert strikes == set(FaultKind) - ALWAYS_THE_SEAT
        assert TOURNAMENT.strikes == 3

    def test_are_found_by_name(self) -> None:
        """
        Each table is registered under its own name.
        """
        assert {name: penalties(name) for name in PENALTIES} == PENALTIES

    def test_that_do_not_exist_are_answered_with_those_that_do(self) -> None:
        """
        A wrong name is answered with the right ones.
        """
        with pytest.raises(UnknownName, match="'mild'; there are: strict, tournament"):
            penalties("mild")

    @pytest.mark.parametrize("kind", FaultKind)
    def test_that_forget_a_kind_are_refused(self, kind: FaultKind) -> None:
        """
        An organiser's own table must price every kind.
        """
        costs = {k: Cost.SEAT for k in FaultKind if k is not kind}

        with pytest.raises(ConfigError, match=f"'own' give no cost for {kind.value}$"):
            Penalties("own", costs)

    @pytest.mark.parametrize("kind", sorted(ALWAYS_THE_SEAT))
    @pytest.mark.parametrize("cost", [Cost.NOTE, Cost.STRIKE])
    def test_that_keep_a_seat_without_a_player_are_refused(self, kind: FaultKind, cost: Cost) -> None:
        """
        Who has gone cannot be let off with a strike.
        """
        costs = dict.fromkeys(FaultKind, Cost.SEAT) | {kind: cost}

        with pytest.raises(ConfigError, match=f"'own': {kind.value} must cost the seat"):
            Penalties("own", costs)

    @pytest.mark.parametrize("strikes", [0, -1])
    def test_without_strikes_are_refused(self, strikes: int) -> None:
        """
        A seat cannot be lost before the first strike.
        """
        with pytest.raises(ConfigError, match="strikes must be 1 or more"):
            Penalties("own", STRICT.costs, strikes)


class TestCost:
    @pytest.mark.parametrize("kind", FaultKind)
    @pytest.mark.parametrize("table", [STRICT, TOURNAMENT, NOTES], ids=lambda table: table.name)
    def test_is_what_the_table_says(self, table: Penalties, kind: FaultKind) -> None:
        """
        The first fault costs what stands in the table, and the event says so.
        """
        match, events = a_match(table)

        cost = match.fault(0, kind, "why", elapsed=5, raw="raw", stderr="err")

        assert cost is table.costs[kind]
        assert events[0] == Faulted(
            0, 1, kind, cost, "why", 5, int(table.costs[kind] is Cost.STRIKE), "raw", "err"
        )
        assert (SeatLost(0, kind) in events) == (cost is Cost.SEAT)

    def test_of_the_last_strike_is_the_seat(self) -> None:
        """
        The strike that is one too many loses the seat, whatever kinds came before.
        """
        match, events = a_match()

        costs = [match.fault(1, kind, "why") for kind in (FaultKind.STALE, FaultKind.LATE, FaultKind.STALE)]

        assert costs == [Cost.STRIKE, Cost.STRIKE, Cost.SEAT]
        assert [event.strikes for event in events if isinstance(event, Faulted)] == [1, 2, 3]
        assert events[-1] == SeatLost(1, FaultKind.STALE)

    def test_is_counted_for_each_seat(self) -> None:
        """
        One seat's strikes are not another's.
        """
        match, _ = a_match()

        costs = [match.fault(seat, FaultKind.STALE, "why") for seat in (0, 1, 2, 3, 0, 1, 2, 3)]

        assert set(costs) == {Cost.STRIKE}
        assert match.strikes == {0: 2, 1: 2, 2: 2, 3: 2}

    def test_of_a_note_is_nothing(self) -> None:
        """
        A fault that costs nothing is told and recorded, and may be made for ever.
        """
        match, _ = a_match(NOTES)

        costs = {match.fault(0, FaultKind.STALE, "why") for _ in range(50)}

        assert costs == {Cost.NOTE}
        assert match.strikes[0] == 0
        assert match.ask().strikes_left == NOTES.strikes


class TestSubstitute:
    @pytest.mark.parametrize("kind", FaultKind)
    def test_is_due_where_the_answer_failed(self, kind: FaultKind) -> None:
        """
        A late, illegal or malformed answer spends the ask; any other fault leaves it open.
        """
        spends = {FaultKind.LATE, FaultKind.ILLEGAL, FaultKind.MALFORMED}

        assert Match.spends_ask(kind) == (kind in spends)
        assert spends == ENDS_THE_ASK

    def test_is_the_first_legal_step_and_touches_no_dice(self) -> None:
        """
        The substitute is the first step in canonical order; the throws to come stay what they are.
        """
        match, events = a_match()
        before = dict(match.throws)

        match.fault(0, FaultKind.LATE, "why")

        assert [type(event) for event in events] == [Faulted, Stepped]
        assert events[-1] == Stepped(0, 0, 5, 0, 5, (), By.SUBSTITUTE, 1, None, None, None)
        assert match.throws == before
        assert match.legal == (Step(0, 1, 6),)

    def test_is_not_played_for_a_seat_that_is_lost(self) -> None:
        """
        Who loses the seat by the fault plays no more.
        """
        match, events = a_match(STRICT)

        match.fault(0, FaultKind.LATE, "why")

        assert [type(event) for event in events] == [Faulted, SeatLost]

    def test_is_not_played_for_a_seat_that_was_not_asked(self) -> None:
        """
        Nobody plays out of turn, by mistake or otherwise.
        """
        match, events = a_match()

        match.fault(1, FaultKind.MALFORMED, "why")

        assert [type(event) for event in events] == [Faulted]

    def test_may_win(self) -> None:
        """
        A substitute is a step like any other: it can bring the last pawn home.
        """
        match, events = a_match(seats=(0, 2))
        match.state = State(((72, 72, 71, 70), None, NEST, None), 0)
        match.phase = Phase.THROW
        match.thrown((1, 2))
        match.step(match.legal[0], By.FORCED)
        events.clear()

        match.fault(0, FaultKind.LATE, "why")

        assert [type(event) for event in events] == [Faulted, Stepped, Ended]
        assert match.ended is not None
        assert match.ended.reasons == (Reason.WON, Reason.RACED)


class TestAskOfAFault:
    def test_is_the_open_one_for_the_seat_that_was_asked(self) -> None:
        """
        A fault of the seat that is to answer names the ask.
        """
        match, events = a_match()

        match.fault(0, FaultKind.STALE, "why")

        assert isinstance(events[0], Faulted)
        assert events[0].ask == 1

    @pytest.mark.parametrize("seat", [1, 2, 3])
    def test_is_none_for_the_others(self, seat: int) -> None:
        """
        Who was not asked can make a mistake, but not in an answer.
        """
        match, events = a_match()

        match.fault(seat, FaultKind.STALE, "why")

        assert isinstance(events[0], Faulted)
        assert events[0].ask == 0


class TestSeatLost:
    def test_while_it_is_to_move_passes_the_turn_on(self) -> None:
        """
        The pawns of the seat leave the board and the next seat throws.
        """
        match, events = a_match(STRICT)

        match.fault(0, FaultKind.LATE, "why")

        assert [type(event) for event in events] == [Faulted, SeatLost]
        assert match.state.position == (None, NEST, NEST, NEST)
        assert match.phase is Phase.THROW
        assert match.legal == ()
        assert match.to_throw == (1, 1, 2)

    def test_while_another_is_to_move_leaves_the_ask_open(self) -> None:
        """
        The seat that was asked goes on thinking; its throw and its steps stay.
        """
        match, _ = a_match(STRICT)
        legal = match.legal

        match.fault(2, FaultKind.GONE, "why")

        assert match.phase is Phase.CHOICE
        assert match.state.position == (NEST, NEST, None, NEST)
        assert match.state.dice == (5, 1)
        assert match.legal == legal

    def test_skips_its_turns(self) -> None:
        """
        The turn passes over seats that are lost.
        """
        match, _ = a_match(STRICT)
        match.fault(1, FaultKind.GONE, "why")
        match.fault(2, FaultKind.GONE, "why")

        match.fault(0, FaultKind.LATE, "why")

        assert match.phase is Phase.OVER
        assert match.ended is not None
        assert dict(zip(match.ended.seats, match.ended.reasons, strict=True))[3] is Reason.LAST_STANDING

    def test_between_throws_passes_the_turn_on(self) -> None:
        """
        A seat that goes before its throw does not throw any more.
        """
        match, _ = a_match()
        match.step(Step(0, 5, 5), By.BOT, 1, 0, 0)
        match.step(Step(0, 1, 6), By.FORCED)
        assert match.to_throw[0] == 1

        match.fault(1, FaultKind.GONE, "why")

        assert match.phase is Phase.THROW
        assert match.to_throw == (2, 1, 2)

    def test_in_a_turn_with_doublets_does_not_hand_them_on(self) -> None:
        """
        The next seat begins its turn afresh, without the doublets of the seat that is lost.
        """
        match, _ = a_match()
        match.state = State((NEST,) * 4, 0, repeats=2)
        match.phase = Phase.THROW

        match.fault(0, FaultKind.GONE, "why")

        assert match.state == State((None, NEST, NEST, NEST), 1)

    def test_frees_what_its_pawns_shut(self) -> None:
        """
        What was offered stays legal, as the answer may be on its way; what has become free is legal too.
        """
        match, _ = a_match()
        match.state = State(((0, 7, 0, 0), (52, 52, 0, 0), NEST, NEST), 0)  # a pair of seat 1 on 5, the entry
        match.phase = Phase.THROW
        match.thrown((5, 1))
        offered = match.legal
        assert Step(0, 5, 5) not in offered

        match.fault(1, FaultKind.GONE, "why")

        assert set(offered) < set(match.legal)
        assert Step(0, 5, 5) in match.legal
        assert list(match.legal) == sorted(match.legal)

    def test_takes_the_last_place(self) -> None:
        """
        The first seat that is lost is last, the second last but one; the others race on.
        """
        match, _ = a_match(STRICT)
        match.fault(2, FaultKind.GONE, "why")
        match.fault(0, FaultKind.LATE, "why")

        played(match, ScriptedDice())

        assert match.ended is not None
        places = dict(zip(match.ended.seats, match.ended.places, strict=True))
        reasons = dict(zip(match.ended.seats, match.ended.reasons, strict=True))
        assert (places[2], places[0]) == (4, 3)
        assert {places[1], places[3]} == {1, 2}
        assert (reasons[2], reasons[0]) == (Reason.FAULT, Reason.FAULT)
        assert {reasons[1], reasons[3]} == {Reason.WON, Reason.RACED}

    def test_is_last_however_far_it_had_come(self) -> None:
        """
        Who loses the seat with three pawns home is behind whoever has none.
        """
        match, events = a_match(STRICT, (0, 2))
        match.state = match.state._replace(position=((72, 72, 72, 71), None, NEST, None))

        match.fault(0, FaultKind.LATE, "why")

        assert events[-1] == Ended(
            (0, 2), (2, 1), (Reason.FAULT, Reason.LAST_STANDING), (None, None, NEST, None)
        )


class TestLastStanding:
    def test_wins(self) -> None:
        """
        When one seat is left the game is over: nobody is there to race against.
        """
        match, events = a_match(STRICT, (0, 2))

        match.fault(2, FaultKind.GONE, "why")

        assert [type(event) for event in events] == [Faulted, SeatLost, Ended]
        assert match.ended is not None
        assert match.ended.reasons == (Reason.LAST_STANDING, Reason.FAULT)
        assert match.ended.places == (1, 2)
        assert match.phase is Phase.OVER

    def test_wins_at_the_limit_of_throws_too(self) -> None:
        """
        When the last opponent goes in the last throw, who is left has won, not been counted out.
        """
        match, _ = a_match(STRICT, (0, 2), max_throws=1)

        match.fault(0, FaultKind.LATE, "why")

        assert match.ended is not None
        assert match.ended.reasons == (Reason.FAULT, Reason.LAST_STANDING)

    def test_is_not_needed_at_the_limit(self) -> None:
        """
        When the mover goes in the last throw and others are left, the limit ends the game.
        """
        match, events = a_match(STRICT, (0, 1, 2), max_throws=1)

        match.fault(0, FaultKind.LATE, "why")

        assert [type(event) for event in events] == [Faulted, SeatLost, Ended]
        assert match.ended is not None
        assert match.ended.places == (3, 1, 1)
        assert match.ended.reasons == (Reason.FAULT, Reason.LIMIT, Reason.LIMIT)


class TestNoShow:
    def test_of_two_at_once_shares_the_last_place(self) -> None:
        """
        Two seats that are lost at one moment share a place, whoever is named first.
        """
        match = Match(a_setup("winning_moves", (0, 1, 2, 3)), rules_of("winning_moves"))
        match.no_show([Absence(3, "not there", "tail"), Absence(1, "not there", "")])
        assert match.events[:4] == [
            Faulted(3, 0, FaultKind.NO_SHOW, Cost.SEAT, "not there", None, 0, "", "tail"),
            Faulted(1, 0, FaultKind.NO_SHOW, Cost.SEAT, "not there", None, 0, "", ""),
            SeatLost(3, FaultKind.NO_SHOW),
            SeatLost(1, FaultKind.NO_SHOW),
        ]

        played(match, ScriptedDice())

        assert match.ended is not None
        places = dict(zip(match.ended.seats, match.ended.places, strict=True))
        assert places[1] == places[3] == 3
        assert {places[0], places[2]} == {1, 2}

    def test_of_all_but_one_ends_the_game(self) -> None:
        """
        Who came alone has won; those who did not come share the place behind.
        """
        match = Match(a_setup("winning_moves", (0, 1, 2)), rules_of("winning_moves"))

        match.no_show([Absence(0, "not there", ""), Absence(2, "not there", "")])

        assert match.ended is not None
        assert match.ended.places == (2, 1, 2)
        assert match.ended.reasons == (Reason.FAULT, Reason.LAST_STANDING, Reason.FAULT)

    def test_of_all_ends_the_game_without_a_winner(self) -> None:
        """
        Where nobody came, nobody has won and nobody is first.
        """
        match = Match(a_setup("winning_moves", (0, 2)), rules_of("winning_moves"))

        match.no_show([Absence(0, "not there", ""), Absence(2, "not there", "")])

        assert match.ended is not None
        assert match.ended.places == (2, 2)
        assert match.ended.reasons == (Reason.FAULT, Reason.FAULT)

    def test_of_two_at_the_limit_ends_the_game_once(self) -> None:
        """
        A game that is gone on with can lose two seats in its last throw: the end comes after both.
        """
        match, events = a_match(seats=(0, 1, 2, 3), max_throws=1)

        match.no_show([Absence(0, "not there", ""), Absence(1, "not there", "")])

        assert [type(event) for event in events] == [Faulted, Faulted, SeatLost, SeatLost, Ended]
        assert match.ended is not None
        assert match.ended.places == (3, 3, 1, 1)
        assert match.ended.position == (None, None, NEST, NEST)

    def test_is_lost_before_the_places_of_later_faults(self) -> None:
        """
        Who loses the seat later is ahead of those who never came.
        """
        match = Match(a_setup("racket", (0, 1, 2, 3), penalties=STRICT), rules_of("racket"))
        match.no_show([Absence(0, "not there", ""), Absence(1, "not there", "")])

        match.fault(2, FaultKind.GONE, "gone")

        assert match.ended is not None
        assert match.ended.places == (3, 3, 2, 1)


class TestLate:
    def test_empties_the_bank(self) -> None:
        """
        Who is late has used up the bank; the next answer has its own time only.
        """
        match, _ = a_match(clock=Clock(bank=timedelta(seconds=5)))
        assert match.open_ask().bank == 5_000_000

        match.fault(0, FaultKind.LATE, "why", elapsed=6_000_000)

        assert match.open_ask().bank == 0
        assert match.banks[1].bank == 5_000_000

    @pytest.mark.parametrize("kind", sorted(set(FaultKind) - ALWAYS_THE_SEAT - {FaultKind.LATE}))
    def test_is_the_only_fault_that_does(self, kind: FaultKind) -> None:
        """
        Another fault costs no time.
        """
        match, _ = a_match(clock=Clock(bank=timedelta(seconds=5)))

        match.fault(0, kind, "why")

        assert match.banks[0].bank == 5_000_000
