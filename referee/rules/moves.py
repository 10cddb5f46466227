"""
What a pawn can do on the board, and what that changes: section 4 of the rule book.

Knows: which steps are possible by numbers and by bonuses, what a step captures, earns and leaves.
Does not know: which possible steps are legal together (`search.py`, `engine.py`), whose turn is next.

Of section 5, what looks at one step alone is seen to here: rule 4 (*Entering*) where a five that can
enter must, rule 1 where the second pawn of a pair stays, rule 2 (*Home with a doublet*).
"""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.errors import RefereeBug
from referee.rules.board import NEST, PAWNS, SEATS, SQUARE_HOME, SQUARE_LANE
from referee.rules.relay import mover_in, relays
from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrowIf,
    MustEnter,
    MustOpen,
    Ruleset,
    SamePair,
)
from referee.rules.state import (
    BONUS,
    BROUGHT_HOME,
    GAVE_UP,
    MOVED,
    Applied,
    Pawns,
    Position,
    State,
    Step,
    arrival,
    new,
)
from referee.rules.tables import (
    ALWAYS,
    ENTERS,
    ENTRY,
    LEFT,
    SQUARES,
    Numbers,
    Plan,
    Side,
    moved,
    pairs,
    possible,
    without,
)
from referee.rules.walls import SharedWalls, Sight, Stand, Standing, mixed_squares, shares

FOURTEEN: Final = 14
"""What a doublet and its opposite faces give together."""


class Moves:
    """A ruleset's board, compiled."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset: Final = ruleset
        self.home: Final = ruleset.board.home
        self.sides: Final = tuple(Side(ruleset, seat) for seat in SEATS)
        self.sights: Final = tuple(Sight(ruleset, seat) for seat in SEATS)
        self.broken_sights: Final = tuple(Sight(ruleset, seat, broken=True) for seat in SEATS)
        self.bonus_waits: Final = ruleset.bonus_timing is BonusTiming.AFTER_NUMBERS
        self.at_once: Final = ruleset.bonus_timing is BonusTiming.AT_ONCE
        self.breaks: Final = ruleset.double_one_breaks
        self.relays: Final = relays(ruleset)
        """Whether a seat that has finished plays with its partner's pawns."""
        self.second_stays: Final = ruleset.same_pair is SamePair.SECOND_STAYS
        self.enters_when_possible: Final = ruleset.must_enter is MustEnter.WHEN_POSSIBLE
        self.doublet_home: Final = ruleset.doublet_home
        self._whole_waits: Final = self.bonus_waits and self.doublet_home is DoubletHome.WHOLE_FOURTEEN
        self._faces: Final = ruleset.doublet_faces is DoubletFaces.BOTH
        self.marks: Final = ruleset.entry_capture is EntryCapture.WHEN_FULL
        """Whether it is remembered who came last where two stand."""
        self._capture_bonus: Final[Numbers] = (ruleset.capture_bonus,) if ruleset.capture_bonus else ()
        self._home_bonus: Final[Numbers] = (ruleset.home_bonus,) if ruleset.home_bonus else ()
        self.remembers: Final = remembered(ruleset)
        """What of `State.past` is kept."""
        self._passing: Final = ruleset.capture is Capture.PASSING
        self._meet: Final = tuple(
            tuple(
                (side.seat, place)
                for side in self.sides
                for place in (side.progress[square],)
                if 0 < square < SQUARE_LANE and place >= 0
            )
            for square in range(128)
        )
        """By square code: which seats can stand on it, and their progress there; none off the ring."""
        mixed = mixed_squares(ruleset)
        self._company: Final = tuple(
            tuple(
                tuple(
                    (seat, there)
                    for seat, there in self._meet[square]
                    if seat != side.seat and square in mixed
                )
                if self._meet[square]
                else None
                for square in side.squares
            )
            for side in self.sides
        )
        """By seat and progress: who else can stand there, and their progress; None off the ring."""
        self._stands: Final = {seat: Stand(ruleset, seat) for seat in SEATS}
        alone = ruleset.entry_capture is EntryCapture.ALONE
        elsewhere = self._passing or self.breaks or self.relays
        self._does_more: Final = not alone or elsewhere or bool(self.remembers) or self.at_once
        """Whether a step may do more than capture who stands where it leads, or is to be remembered."""
        self.shared: Final = self._shared() if shares(ruleset) else None
        """What tells walls where colours share squares; None where they do not."""
        self.is_plain: Final = self.shared is None and not self.relays
        """Whether each seat moves its own pawns, and walls are those of each seat alone."""
        self.drops_at_sight: Final = self.second_stays or self.doublet_home is not DoubletHome.FREE
        """Whether rules 1 or 2 drop steps that need no more than a look at the throw."""

    def _shared(self) -> tuple[SharedWalls, ...]:
        return tuple(SharedWalls(self.ruleset, side, self._stands) for side in self.sides)

    # Who moves.

    def mover(self, position: Position, seat: int) -> int:
        """Return whose pawns *seat* plays with: its own, or its partner's when it has finished."""
        return mover_in(self.ruleset, position, seat) if self.relays else seat

    # What is possible.

    def standing(self, position: Position, side: Side, *, broken: bool = False) -> int | Standing:
        """Return what all other seats are to *side*, for `walls`."""
        if self.shared is not None:
            return self.shared[side.seat].standing(position, broken=broken)
        sights = self.broken_sights if broken else self.sights
        walls = ALWAYS
        for other in side.opponents:
            walls |= sights[other][position[other]]
        return walls

    def walls(self, standing: int | Standing, side: Side, own: Pawns) -> int:
        """Return all that stands in the way of *side* with its pawns on *own*."""
        if isinstance(standing, tuple):
            assert self.shared is not None
            return self.shared[side.seat].walls(standing, own)
        return standing | pairs(own, side.pair_walls)

    def is_broken(self, dice: Sequence[int]) -> bool:
        """Tell whether pairs of opponents do not stop the numbers of this throw."""
        return self.breaks and tuple(dice) == (1, 1)

    def by_number(self, state: State, *, entering: bool = True) -> list[Step]:
        """
        Return the steps that are possible with a number, in canonical order.

        They are those that rule 4 keeps, unless *entering* is false.
        """
        position, seat, _, _, dice, numbers, _, _, _, _ = state
        side = self.sides[self.mover(position, seat)]
        own = position[side.seat]
        assert own is not None
        standing = self.standing(position, side, broken=self.is_broken(dice))
        walls = self.walls(standing, side, own)
        plans = self.plans(state, side)
        ways, forced, _ = plans[numbers]
        if entering and forced and self.enters_when_possible and NEST in own and not walls & side.shut:
            ways = forced
        found = possible(ways, own, walls)
        return self.kept_at_sight(state, side, found, plans) if self.drops_at_sight else found

    def plans(self, state: State, side: Side) -> Mapping[Numbers, Plan]:
        """Return what may be done with numbers; short of home where rule 2 lets none of them lead there."""
        dice = state.dice
        if self.doublet_home is DoubletHome.FREE or len(dice) == 1 or dice[0] != dice[1]:
            return side.plans
        if not self._faces or NEST in state.at_throw:
            return side.plans_short_of_home
        # A bonus that comes in between could take a pawn part of the way.
        if self._whole_waits and self.home - FOURTEEN not in state.at_throw:
            return side.plans_short_of_home
        return side.plans

    def by_bonus(self, state: State) -> list[Step]:
        """Return the steps that are possible with a bonus, in canonical order."""
        position, seat, _, _, _, numbers, bonuses, _, _, past = state
        side = self.sides[self.mover(position, seat)]
        own = position[side.seat]
        assert own is not None
        if numbers and self.bonus_waits and past & BROUGHT_HOME:
            return []  # rule 2 wants all numbers used, and the bonus would give them up
        walls = self.walls(self.standing(position, side), side, own)
        found: list[Step] = []
        for bonus in sorted(set(bonuses)):
            found += possible(side.bonuses[bonus], own, walls)
        return sorted(found) if len(found) > 1 else found

    def kept_at_sight(
        self, state: State, side: Side, found: list[Step], plans: Mapping[Numbers, Plan]
    ) -> list[Step]:
        """Return the steps by number among *found* that rules 1 and 2 do not drop at sight."""
        dice = state.dice
        if dice[0] != dice[-1] or len(dice) == 1:
            return found
        if self.second_stays:
            stay = second_pawns(side, state)
            found = [step for step in found if not stay >> step.pawn & 1]
        if self.doublet_home is DoubletHome.WHOLE_FOURTEEN and plans is side.plans:
            takes_all = state.past & MOVED if len(state.numbers) == 1 else 0
            found = [step for step in found if step.square != SQUARE_HOME or takes_all == 1 << step.pawn]
        return found

    # What a step does.

    def apply(self, state: State, step: Step) -> Applied:
        """
        Return what *step* does. It must be possible; whether it is legal is not asked again.

        Raises:
            RefereeBug: No number or bonus that is left leads this pawn to that square.
        """
        position, seat, repeats, _, dice, numbers, bonuses, at_throw, arrived, past = state
        pawn, use, square = step
        more = self._does_more
        mover = self.mover(position, seat) if self.relays else seat
        own = position[mover]
        assert own is not None
        side = self.sides[mover]
        lands, prey = side.landings[square]
        place = own[pawn]
        try:
            if use < BONUS:
                numbers = LEFT[numbers][use]
                if self.at_once:
                    bonuses = ()
            else:
                bonuses = without(bonuses, use - BONUS)
                if self.bonus_waits:
                    if numbers:
                        past |= GAVE_UP & self.remembers
                    numbers = ()
            if place:
                if lands != place + SQUARES[use]:
                    if (place, SQUARES[use], lands) not in side.turnings:
                        raise LookupError
                    if lands == ENTRY:
                        prey = ()  # it comes round to its entry, where only one that enters captures
            elif lands != ENTRY or use not in ENTERS:
                raise LookupError
        except (LookupError, ValueError):
            raise RefereeBug(f"{step} is no step in {state}") from None
        pawns = [*own]
        pawns[pawn] = lands
        own = tuple(pawns)  # type: ignore[assignment]
        seats = [*position]
        seats[mover] = own
        captured: tuple[tuple[int, int], ...] = ()
        earned: Numbers = ()
        if more:
            if not place:
                captured = self._last_on_entry(state, side)
            elif self._passing:
                prey = tuple(self._passed_by(position, side, place, square))
        for other, theirs in prey:
            there = seats[other]
            if there is not None and theirs in there:
                captured += tuple((other, victim) for victim in PAWNS if there[victim] == theirs)
        for other, victim in captured:
            there = seats[other]
            assert there is not None
            seats[other] = moved(there, victim, NEST)
            arrived &= ~arrival(other, victim)
            earned += self._capture_bonus
        won = False
        if lands == self.home:
            earned += self._home_bonus
            won = own.count(lands) == len(PAWNS)
        if earned:
            bonuses = tuple(sorted(bonuses + earned))
        position = tuple(seats)  # type: ignore[assignment]
        last_moved: int | None = pawn
        if more:
            if self.remembers and use < BONUS:
                past |= self.remembers & 1 << pawn
                if lands == self.home and len(dice) == 2 and dice[0] == dice[1]:
                    past |= BROUGHT_HOME & self.remembers
            if self.marks:
                arrived = self._arrivals(position, arrived, mover, pawn, place, captured=bool(captured))
            if won and not self._finishes(position, mover):
                if numbers:
                    past |= GAVE_UP & self.remembers
                won, last_moved, numbers, bonuses = False, None, (), ()
        after = new(
            State, (position, seat, repeats, last_moved, dice, numbers, bonuses, at_throw, arrived, past)
        )
        return new(Applied, (after, captured, earned, won))

    def _passed_by(
        self, position: Position, side: Side, place: int, square: int
    ) -> Sequence[tuple[int, int]]:
        """Return whose pawns a step captures in passing, the nearest first, and their progress."""
        passed = side.passed[place, square]
        found = list(side.landings[square][1]) if self.breaks else []
        for other in side.opponents:
            pawns = position[other]
            if pawns is None:
                continue
            _, single, _ = self._stands[other][pawns]
            if hit := single & passed & ~self._teamed(position, side, other):
                places = self._stands[other].places(pawns, hit)
                found += [(other, theirs) for theirs in places if (other, theirs) not in found]
        if len(found) < 2:
            return found
        board, origin = self.ruleset.board, side.squares[place]

        def ahead(prey: tuple[int, int]) -> int:
            other, theirs = prey
            return (board.square(other, theirs) - origin) % board.ring

        return sorted(found, key=ahead)

    def _teamed(self, position: Position, side: Side, other: int) -> int:
        """Return the squares on which the partner of *other* makes a pair with it, as walls."""
        mate = (other + 2) % len(SEATS)
        pawns = position[mate]
        if not side.friends or pawns is None:
            return 0
        _, single, _ = self._stands[mate][pawns]
        return single

    def _last_on_entry(self, state: State, side: Side) -> tuple[tuple[int, int], ...]:
        """Return whose pawn, and which, entering captures where colours share an entry."""
        if not self.marks:
            return ()
        position, opponents = state.position, side.opponents
        there = self._standing_on(position, side.squares[ENTRY])
        if len(there) < 2:
            return ()
        theirs = [(seat, pawn) for seat in opponents for pawn in PAWNS if arrival(seat, pawn) in there]
        last = [(seat, pawn) for seat, pawn in theirs if state.arrived & arrival(seat, pawn)]
        return tuple((last if len(theirs) > 1 else theirs)[:1])

    def _finishes(self, position: Position, mover: int) -> bool:
        """Tell whether the game is over when *mover* has finished: whether its partner has, or has gone."""
        if not self.relays:
            return True
        partner = position[(mover + 2) % len(SEATS)]
        return partner is None or partner.count(self.home) == len(PAWNS)

    def _arrivals(
        self, position: Position, arrived: int, seat: int, pawn: int, left: int, *, captured: bool
    ) -> int:
        """
        Return who arrived last wherever two stand, once a pawn of *seat* has gone from the place *left*.

        *arrived* is what was so before, without those that were captured; `settled` would find the same.
        """
        own = position[seat]
        assert own is not None
        lands = own[pawn]
        if arrived:
            arrived = self.departed(position, arrived, seat, pawn, left)
        others = self._company[seat][lands]
        if others is None:
            return arrived
        if own.count(lands) == 1:
            for other, theirs in others:  # as in `_is_any`
                there = position[other]
                if there is not None and theirs in there:
                    break
            else:
                return arrived
        if captured:  # else who stood here alone is not one who came last of two
            arrived &= ~sum(self._standing_on(position, self.sides[seat].squares[lands]))
        return arrived | arrival(seat, pawn)

    def departed(self, position: Position, arrived: int, seat: int, pawn: int, left: int) -> int:
        """Return who *arrived* last wherever two stand, a pawn of *seat* being gone from the place *left*."""
        gone = arrival(seat, pawn)
        if arrived & gone:
            return arrived ^ gone
        others = self._company[seat][left]
        if arrived and others is not None and (left in (position[seat] or ()) or _is_any(others, position)):
            arrived &= ~sum(self._standing_on(position, self.sides[seat].squares[left]))
        return arrived

    def _standing_on(self, position: Position, square: int) -> list[int]:
        """Return the bits of the pawns that stand on a *square* of the ring; of none elsewhere."""
        found: list[int] = []
        for seat, place in self._meet[square]:
            pawns = position[seat]
            if pawns is not None and place in pawns:
                found += [arrival(seat, pawn) for pawn in PAWNS if pawns[pawn] == place]
        return found

    def settled(self, position: Position, arrived: int) -> int:
        """
        Return who arrived last wherever two stand on a square of the ring, 0 where that is not asked.

        *arrived* is what was known before. Of two that began there the later in canonical order came last.
        """
        if not self.marks:
            return 0
        settled = 0
        for square in range(1, self.ruleset.board.ring + 1):
            both = self._standing_on(position, square)
            if len(both) > 1:
                settled |= sum(both) & arrived or both[-1]
        return settled


def _is_any(pawns: Sequence[tuple[int, int]], position: Position) -> bool:
    """Tell whether *position* has one of these *pawns*, each told by its seat and its progress."""
    for seat, place in pawns:
        there = position[seat]
        if there is not None and place in there:
            return True
    return False


def remembered(ruleset: Ruleset) -> int:
    """Return what of `State.past` a ruleset asks for."""
    past = 0
    if (
        ruleset.same_pair is SamePair.SECOND_STAYS
        or ruleset.doublet_home is DoubletHome.WHOLE_FOURTEEN
        or ruleset.must_open is not MustOpen.NONE
    ):
        past |= MOVED
    if ruleset.doublet_home is DoubletHome.WITH_FOURTEEN:
        past |= BROUGHT_HOME
    waits = ruleset.bonus_timing is BonusTiming.AFTER_NUMBERS
    if ruleset.extra_throw_if is ExtraThrowIf.ALL_USED and (waits or relays(ruleset)):
        past |= GAVE_UP
    return past


def second_pawns(side: Side, state: State) -> int:
    """Return, as bits, the pawns that stay because the other of their pair has been moved by a number."""
    stay = 0
    for one, two in side.together[state.at_throw]:
        if state.past >> one & 1:
            stay |= 1 << two
        if state.past >> two & 1:
            stay |= 1 << one
    return stay
