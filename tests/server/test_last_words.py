"""What the library has still to do for a stream when the house has closed its door."""

import asyncio

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.server.guests import Line, a_house, bearer, remote


async def test_closing_waits_for_the_tasks_of_all_streams() -> None:
    """
    A loop that ended before them would cancel them, and a traceback would be the last word.
    """
    names = [f"bot-{number}" for number in range(8)]
    lines = []
    async with a_house(*map(remote, names)) as house:
        for name in names:
            lines.append(line := Line(house.address, bearer(f"{name}-token")))
            await line.say(pb.PlayRequest(hello=pb.Hello(name="guest")))
            assert await line.hear() is not None

    left = [task for task in asyncio.all_tasks() if task.get_name() == "rpc_task"]

    for line in lines:
        await line.__aexit__()
    assert not left
