import hashlib
import hmac
import json
import sys


def throw(seed, seat, number, count):  # docs/dice.md spells it out
    dice, block = [], 0
    while len(dice) < count:
        text = f"parcheesi-dice-v1|{seat}|{number}|{block}".encode()
        dice += [byte % 6 + 1 for byte in hmac.new(seed, text, hashlib.sha256).digest() if byte < 252]
        block += 1
    return dice[:count]


try:
    lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]  # noqa: SIM115
    seed = bytes.fromhex(lines[-1]["seed"])
    throws = [line for line in lines if line["type"] in ("first_thrown", "thrown")]
    good, said = True, f"the seed is the one committed to, and all {len(throws)} throws follow from it"
    for n, x in enumerate(throws):
        number = 1 + sum(before["seat"] == x["seat"] for before in throws[:n])
        if x["number"] != number or x["dice"] != throw(seed, x["seat"], number, len(x["dice"])):
            good, said = False, f"throw {x['number']} of seat {x['seat']} does not follow from the seed"
    if hashlib.sha256(seed).hexdigest() != lines[0]["commitment"]:
        good, said = False, "the seed is not the one committed to"
except (OSError, ValueError, LookupError, TypeError) as error:
    good, said = False, f"this is no record of a finished game: {error!r}"
print(f"{sys.argv[-1]}: {said}")
sys.exit(not good)
