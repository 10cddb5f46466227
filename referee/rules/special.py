"""
The moments at which a rule may be in force that only the search knows.

`Rules.steps` (engine.py) sees without a search that the rules of section 5 drop nothing. That holds
unless one of these is so, each in few rulesets and there seldom:

- Rule 1, `second_stays`: a doublet fell on a pair, and some numbers may find no other pawn.
- Rule 2 (*Home with a doublet*): a number of a doublet has brought a pawn home, or a pawn is so near that
  they can. Not so where rule 3 wants all four used anyhow, nor where none may lead home (`Moves.plans`).
  Where both ask for all four, of one pawn, and bonuses wait, counting (`NumbersOnly`) sees to it.
- Rule 4 (*Entering*), `most`: with two fives, a bonus to come first, or the entry shut by what may go.
- Rule 5 (*Opening*): the throw wants a pair opened, no pawn of one has been moved, and more than one number
  is left to do it with.
- Rule 6 with bonuses at once: a bonus that comes in between can take the place of a number.
- A five, where entering is more than a step of its own: it may capture one of two on a shared entry,
  or meet a pawn that comes round on its second lap.

Most throws are calm: none of their moments is one of these but for a five, or for bonuses at once, and
no pair stood when the dice fell that rule 1, `forbidden`, could have anything to say about.

Knows: these moments, and calm throws. Does not know: what is legal then (`search.py`).
"""

from collections.abc import Mapping
from typing import Final

from referee.rules.board import NEST
from referee.rules.moves import Moves
from referee.rules.ruleset import DoubletHome, EntryCapture, Fourteen, MustEnter, MustOpen, SamePair
from referee.rules.search import counts_numbers, must_open
from referee.rules.state import BROUGHT_HOME, FIVE_BY_SUM, MOVED, Pawns, State, Step
from referee.rules.tables import ENTRY_FULL, FIVE, LANDING, LEFT, OWN_ENTRY, Numbers, Plan, Side


class Special:
    """The special moments of one ruleset."""

    def __init__(self, moves: Moves) -> None:
        ruleset = moves.ruleset
        self._moves: Final = moves
        self._ruleset: Final = ruleset
        self._counts: Final = counts_numbers(ruleset)
        self.in_between: Final = moves.at_once and self._counts
        """Whether a bonus at once can take the place of a number."""
        with_fourteen = ruleset.doublet_home is DoubletHome.WITH_FOURTEEN
        self.home_is_barred: Final = ruleset.doublet_home is not DoubletHome.FREE and not (
            with_fourteen and ruleset.fourteen is Fourteen.ALL_OR_NOTHING
        )
        """Whether rule 2 asks more than rule 3 does, wherever a doublet gives four numbers."""
        self._most: Final = ruleset.must_enter is MustEnter.MOST
        all_four = ruleset.doublet_home is DoubletHome.WHOLE_FOURTEEN
        all_four = all_four and ruleset.fourteen is Fourteen.ALL_OR_NOTHING
        self._counts_home: Final = all_four and moves.bonus_waits and not self._most
        """Whether counting knows which pawn may come home with a doublet."""
        self.opens: Final = ruleset.must_open is not MustOpen.NONE
        """Whether rule 5 may be in force."""
        self._opens_at_sight: Final = not self._counts and ruleset.same_pair is not SamePair.FORBIDDEN
        """Whether the last number opens a pair, or does not, whatever the other rules say."""
        self._entry_opens: Final = ruleset.entry_capture is EntryCapture.WHEN_FULL and self._counts
        """Whether a capture on the entry can open a way that counting does not see."""
        self._lap: Final = ruleset.second_lap and (self._most or self._counts)
        """Whether a pawn that comes round can shut the entry, or find it shut by one that enters."""
        self.dice: Final = self._dice()
        """The throws at which a moment may be special."""
        self.numbers: Final = frozenset(filter(self._may_be_special, LEFT))
        """What is left of a throw when a moment may be special."""

    def _dice(self) -> frozenset[tuple[int, ...]]:
        if self.opens or self._moves.drops_at_sight:
            return frozenset({(6,)} if self._ruleset.dice == 1 else {(die, die) for die in range(1, 7)})
        return frozenset({(1, 1)} if self._moves.breaks else ())

    def _may_be_special(self, numbers: Numbers) -> bool:
        if self.in_between and len(numbers) > 1:
            return True
        may_enter = FIVE in numbers or numbers in FIVE_BY_SUM
        return may_enter and (self._most or self._entry_opens or self._lap)

    def asks_who_is_home(self, state: State) -> bool:
        """Tell whether a number has brought a pawn home and rule 2 asks more for it than rule 3 does."""
        return bool(state.past & BROUGHT_HOME) and (self.home_is_barred or NEST in state.at_throw)

    # The throw as a whole.

    def asks_who_stood_together(self, state: State, side: Side) -> bool:
        """Tell whether it matters in the throw of *state* which pawns stood together when the dice fell."""
        if not side.together[state.at_throw]:
            return False
        forbidden = self._ruleset.same_pair is SamePair.FORBIDDEN
        return forbidden or ((self._moves.second_stays or self.opens) and state.dice in self.dice)

    def asks_who_moved(self, state: State, side: Side, plans: Mapping[Numbers, Plan]) -> bool:
        """Tell whether it matters in the throw of *state* which pawns a number of it has moved."""
        if not self._moves.remembers & MOVED or state.dice not in self.dice:
            return False
        whole = self._moves.doublet_home is DoubletHome.WHOLE_FOURTEEN and plans is side.plans
        return whole or bool((self._moves.second_stays or self.opens) and side.together[state.at_throw])

    def is_calm(self, state: State, side: Side, plans: Mapping[Numbers, Plan]) -> bool:
        """
        Tell whether of all rules only 3, 4, 6 and 7 can have an effect as long as numbers alone are used.

        That is so but for moments at which what is left of the throw is special by itself. It stays so: pawns
        that stood together do not meet again by two different numbers (engine.py), and a pawn that all the
        numbers that are left do not bring home is not brought there by some of them.
        """
        own = state.position[side.seat]
        assert own is not None
        if self._ruleset.same_pair is SamePair.FORBIDDEN and side.together[state.at_throw]:
            differ = state.dice[0] != state.dice[-1]
            if not differ or not (self._moves.bonus_waits or own == state.at_throw):
                return False
        if state.dice not in self.dice:
            return True
        if self._moves.is_broken(state.dice) or self.asks_who_is_home(state):
            return False
        if self.asks_who_moved(state, side, plans):
            return False
        near = side.home - sum(state.numbers)
        return not (self._bars_home(plans, side) and any(near <= place < side.home for place in own))

    def stays_calm(self, state: State, side: Side, plans: Mapping[Numbers, Plan]) -> bool:
        """Tell whether a calm throw stays so when bonuses have been used."""
        if self._ruleset.same_pair is SamePair.FORBIDDEN and side.together[state.at_throw]:
            return False
        return state.dice not in self.dice or not self._bars_home(plans, side)

    def _bars_home(self, plans: Mapping[Numbers, Plan], side: Side) -> bool:
        """Tell whether rule 2 may have something against a number that leads home by *plans*."""
        return self.home_is_barred and plans is side.plans

    def must_be_searched(
        self, state: State, side: Side, own: Pawns, walls: int, plans: Mapping[Numbers, Plan]
    ) -> bool:
        """Tell whether only the search knows what is legal; *walls* and *plans* are those for numbers."""
        numbers = state.numbers
        if state.dice in self.dice and self._is_special_throw(state, side, own, plans):
            return True
        if self.in_between and len(numbers) > 1:
            return True
        return NEST in own and numbers in self.numbers and self._is_special_five(state, side, own, walls)

    def _is_special_throw(self, state: State, side: Side, own: Pawns, plans: Mapping[Numbers, Plan]) -> bool:
        dice, moves = state.dice, self._moves
        if self.opens and self._openers(state, side) and not self._sees_opening(state):
            return True
        if len(dice) == 1:
            return False
        if moves.second_stays and self._counts and side.together[state.at_throw]:
            return True
        if self.asks_who_is_home(state):
            return True
        if self.home_is_barred and not self._counts_home and plans is side.plans:
            near = side.home - sum(state.numbers)
            return any(near <= place < side.home for place in own)
        return False

    def plans_of_others(self, state: State, side: Side) -> Mapping[Numbers, Plan] | None:
        """Return the plans of all but a pawn that takes all four numbers and so may come home, or None."""
        doublet = state.dice[0] == state.dice[-1]
        return side.plans_short_of_home if self._counts_home and doublet else None

    def kept_by_opening(self, state: State, side: Side, found: list[Step]) -> list[Step]:
        """Return the steps by number among *found* that rule 5 keeps, where the last number decides it."""
        openers = self._openers(state, side) if self._sees_opening(state) else 0
        return [step for step in found if openers >> step.pawn & 1] or found

    def _openers(self, state: State, side: Side) -> int:
        """Return, as bits, the pawns of which rule 5 still wants one moved."""
        openers = must_open(self._ruleset, side, state)
        return 0 if state.past & openers else openers

    def _sees_opening(self, state: State) -> bool:
        return self._opens_at_sight and len(state.numbers) == 1 and not state.bonuses

    def _is_special_five(self, state: State, side: Side, own: Pawns, walls: int) -> bool:
        numbers, bonuses = state.numbers, state.bonuses
        if self._lap and min(side.to_entry[place] for place in own) <= sum(numbers) + sum(bonuses):
            return True
        if self._entry_opens and walls & (side.entry | side.entry << LANDING | ENTRY_FULL):
            return True
        if not self._most:
            return False
        shut = walls & side.shut and (walls & OWN_ENTRY or not self._moves.is_plain)
        return bool(numbers == (FIVE, FIVE) or bonuses or shut)
