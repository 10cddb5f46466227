"""
What each field of a ruleset decides and what each of its values means, in a sentence for people.

Knows: the rule book, told in single sentences. Does not know: how a rule is carried out.

A field that holds an amount has one sentence for all amounts but those that change nothing.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from referee.rules.ruleset import Ruleset


class Meaning(NamedTuple):
    """What a field *decides*, and what each of its *values* means; `*` stands for any other number."""

    decides: str
    values: Mapping[str, str]


class Difference(NamedTuple):
    """A *field* that two rulesets have different values for."""

    field: str
    one: str
    other: str


MEANINGS: Final[Mapping[str, Meaning]] = {
    "board": Meaning(
        "The squares that are played on.",
        {
            "parcheesi68": "A ring of 68 squares with twelve safe ones, the entries among them; lanes of 7.",
            "pahrcheesi56": "A ring of 56 squares with four safe ones, one an arm; lanes of 5.",
        },
    ),
    "dice": Meaning(
        "How many dice a throw has.",
        {"1": "A throw is one die.", "2": "A throw is two dice, and two equal ones are a doublet."},
    ),
    "first_player": Meaning(
        "Who begins.",
        {
            "lowest": "The seat that throws the lowest sum begins; those that tie throw again.",
            "highest": "The seat that throws the highest sum begins; those that tie throw again.",
            "seat_0": "The seat with the lowest number begins, and nobody throws for it.",
        },
    ),
    "first_player_dice": Meaning(
        "How many dice each seat throws for the beginning.",
        {"1": "Who begins is thrown for with one die.", "2": "Who begins is thrown for with two dice."},
    ),
    "turn_order": Meaning(
        "Which way turns go round the table.",
        {
            "with": "Turns go round in the direction in which pawns travel.",
            "against": "Turns go round against the direction in which pawns travel.",
        },
    ),
    "pawns_out_at_start": Meaning(
        "How many pawns of each seat begin on its entry.",
        {
            "0": "All pawns begin in their nests.",
            "1": "One pawn of each seat begins on its entry.",
            "2": "Two pawns of each seat begin on its entry, as a pair.",
        },
    ),
    "must_enter": Meaning(
        "Whether a five must bring a pawn in.",
        {
            "never": "A five may be used for anything, even where it could bring a pawn in.",
            "when_possible": "A five that could bring a pawn in at that moment is used for nothing else.",
            "most": "Only plays that bring in as many pawns as can come in with this throw are allowed.",
        },
    ),
    "capture": Meaning(
        "Which opponents a moving pawn captures.",
        {
            "none": "Nobody is captured on the way: a pawn cannot land where an opponent stands alone.",
            "landing": "A pawn captures the single opponent on the plain square on which it lands.",
            "passing": "A pawn captures single opponents on all plain squares that it passes or lands on.",
        },
    ),
    "entry_capture": Meaning(
        "What entering does to opponents on the entry.",
        {
            "none": "A pawn that enters captures nobody: it shares the entry with a single opponent.",
            "alone": "A pawn that enters captures an opponent that stands alone on the entry.",
            "when_full": "A pawn that enters a full entry captures the opponent that came there last.",
        },
    ),
    "safe_sharing": Meaning(
        "Whether opponents share a safe square.",
        {
            "true": "A pawn may land beside a single opponent on a safe square, and both stay.",
            "false": "A pawn cannot land on a safe square that an opponent holds.",
        },
    ),
    "square_limit": Meaning(
        "How many pawns a square holds.",
        {
            "two": "A square of the ring holds two pawns at most, of whatever colours.",
            "two_of_a_colour": "A square of the ring holds two pawns of each colour at most.",
        },
    ),
    "pairs": Meaning(
        "Which two pawns on a square block it.",
        {
            "same_colour": "Two pawns of one colour on a square block it for everybody.",
            "mixed_on_safe": "Any two pawns on a safe square block it, elsewhere two of one colour.",
        },
    ),
    "lane_pairs_block": Meaning(
        "Whether a pair blocks its own lane.",
        {
            "true": "Two pawns on one square of their lane block it, and no third joins them.",
            "false": "Nothing blocks a lane: pawns pass each other there, and any number shares a square.",
        },
    ),
    "capture_bonus": Meaning(
        "The bonus for each captured pawn.",
        {"0": "A capture earns no bonus.", "*": "Each captured pawn earns a bonus of so many squares."},
    ),
    "home_bonus": Meaning(
        "The bonus for a pawn that comes home.",
        {
            "0": "A pawn that comes home earns no bonus.",
            "*": "Each pawn that comes home earns a bonus of so many squares.",
        },
    ),
    "bonus_timing": Meaning(
        "When a bonus is used within its throw.",
        {
            "after_numbers": "A bonus waits until no number of the throw is left that can be used.",
            "at_once": "A bonus is used before the next number, and is lost where it cannot be.",
            "any_time": "Bonuses and numbers are used in any order.",
        },
    ),
    "doublet_faces": Meaning(
        "Whether a doublet gives its opposite faces too.",
        {
            "top": "A doublet gives its two numbers, like any throw.",
            "both": "With no pawn in the nest a doublet gives its opposite faces too, fourteen in all.",
        },
    ),
    "fourteen": Meaning(
        "Whether the four numbers of a doublet belong together.",
        {
            "as_possible": "Of the four numbers of a doublet those are used that can be.",
            "all_or_nothing": "The four numbers of a doublet are all used, or the throw is forfeited.",
        },
    ),
    "doublet_home": Meaning(
        "Whether a number of a doublet brings a pawn home.",
        {
            "free": "A number of a doublet brings a pawn home like any other.",
            "with_fourteen": "A number of a doublet brings a pawn home only if all four numbers are used.",
            "whole_fourteen": "A number of a doublet brings a pawn home only if it took all four numbers.",
        },
    ),
    "use": Meaning(
        "How much of a throw must be used.",
        {
            "maximal": "Of all plays those are allowed that use the most numbers of the throw.",
            "greedy": "A seat plays on as long as it can, even if another order would have used more.",
        },
    ),
    "single_number": Meaning(
        "Which of two different numbers is used where only one can be.",
        {
            "either": "Where only one of two numbers can be used, the seat chooses which.",
            "larger": "Where only one of two numbers can be used, it is the larger one if that can be.",
        },
    ),
    "same_pair": Meaning(
        "Whether a pair moves on as a pair within one throw.",
        {
            "free": "Two pawns that stood together may go on together.",
            "forbidden": "Two pawns that stood together at the throw do not end it together elsewhere.",
            "second_stays": "On a doublet the numbers move only one of two pawns that stood together.",
        },
    ),
    "must_open": Meaning(
        "Which throw obliges a seat to open a pair of its own.",
        {
            "none": "Nobody has to open a pair.",
            "on_six": "On a six it opens a pair of one's own on the ring, if it can.",
            "on_doublet": "On a doublet a number opens a pair of one's own on the ring, if one can.",
        },
    ),
    "extra_throw": Meaning(
        "Which throw is followed by another of the same seat.",
        {
            "none": "The turn goes on to the next seat after every throw.",
            "doublet": "After a doublet the seat throws again.",
            "six": "After a six the seat throws again.",
        },
    ),
    "extra_throw_if": Meaning(
        "What must have been played for another throw.",
        {
            "always": "Another throw is given whatever could be played.",
            "played": "Another throw is given only if something was moved.",
            "all_used": "Another throw is given only if every number was used.",
        },
    ),
    "third_throw": Meaning(
        "What the third doublet or six of a turn costs.",
        {
            "none": "A third one in a turn is like the first, and so is any further one.",
            "nearest_home": "A third one is not played: it returns the pawn nearest home and ends the turn.",
            "last_moved": "A third one is not played: it ends the turn and returns the pawn that was "
            "moved last in it, if that is on the ring.",
        },
    ),
    "six_counts_seven": Meaning(
        "Whether a six counts more once all pawns are out.",
        {"true": "With no pawn in the nest a six counts seven.", "false": "A six counts six."},
    ),
    "second_lap": Meaning(
        "Whether a pawn may go round again.",
        {
            "true": "A pawn that comes to its lane may go on round the ring instead.",
            "false": "A pawn that comes to its lane turns into it.",
        },
    ),
    "double_one_breaks": Meaning(
        "Whether a double one gets past pairs of opponents.",
        {
            "true": "The numbers of a double one pass opponents' pairs, and capture both on a plain square.",
            "false": "Pairs stop a double one like any other throw.",
        },
    ),
    "teams": Meaning(
        "Whether seats play together.",
        {"none": "Each seat plays for itself.", "pairs": "Seats 0 and 2 play against seats 1 and 3."},
    ),
    "team_win": Meaning(
        "When a team has won; without teams it means nothing.",
        {
            "one_member": "A team wins when one of its two seats has all its pawns home.",
            "both_members": "A team wins when both its seats have all pawns home; who is done plays on "
            "with the partner's.",
        },
    ),
    "partner": Meaning(
        "What partners' pawns are to each other; without teams it means nothing.",
        {
            "capture": "On the board partners are opponents like any others.",
            "pair": "A partner's pawns count as one's own: they share squares and make pairs together.",
        },
    ),
}


def meaning(field: str, text: str) -> str:
    """Return what *field* means with the value *text*, as `Ruleset.as_text` has it."""
    values = MEANINGS[field].values
    return values.get(text) or values["*"]


def differences(one: Ruleset, other: Ruleset) -> list[Difference]:
    """Return the fields in which the two differ, in the order of the rule book."""
    texts = other.as_text()
    return [
        Difference(field, text, texts[field]) for field, text in one.as_text().items() if text != texts[field]
    ]
