"""
Load the generated code and talk through it once, with whatever runtime is installed here.

Knows: protobuf, grpcio, and the generated package `parcheesi`.
Does not know: the referee.

`runtimes.py` calls this with the oldest runtime that we allow and with the newest.
"""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from types import ModuleType
from typing import Any

import grpc.aio
import parcheesi.v1
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

GATEWAY = "parcheesi.v1.BotGateway"


def main() -> None:
    """Load all, carry all messages over and back, and serve once; print the versions that could."""
    modules = {found.name: importlib.import_module(f"parcheesi.v1.{found.name}") for found in found_modules()}
    messages = [kind for name, module in modules.items() if name.endswith("_pb2") for kind in kinds(module)]
    for kind in messages:
        there = filled(kind())
        if kind.FromString(there.SerializeToString()) != there:
            raise SystemExit(f"{kind.DESCRIPTOR.full_name} does not come back as it went")
    asyncio.run(serve_once(modules["bot_gateway_pb2"], modules["bot_gateway_pb2_grpc"]))
    print(f"{len(messages)} messages, grpcio {version('grpcio')}, protobuf {version('protobuf')}")


def found_modules() -> Iterator[pkgutil.ModuleInfo]:
    """Yield the modules of the generated package."""
    return pkgutil.iter_modules(parcheesi.v1.__path__)


def kinds(module: ModuleType) -> Iterator[type[Message]]:
    """Yield the message types of a generated module."""
    for name in module.DESCRIPTOR.message_types_by_name:
        yield getattr(module, name)


def filled(message: Message) -> Message:
    """Return *message* with something in every field that is a number, a text or a list of such."""
    for field in message.DESCRIPTOR.fields:
        if field.type in (FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_ENUM):
            continue
        some: Any = {str: "a", bytes: b"b", bool: True}.get(type(field.default_value), 1)
        held = getattr(message, field.name)
        if hasattr(held, "extend"):
            held.extend(
                [{FieldDescriptor.TYPE_STRING: "a", FieldDescriptor.TYPE_BYTES: b"b"}.get(field.type, 1)]
            )
        else:
            setattr(message, field.name, some)
    return message


async def serve_once(pb: ModuleType, pb_grpc: ModuleType) -> None:
    """Serve the gateway with health and reflection beside it, and be a bot that says hello."""

    class Gateway(pb_grpc.BotGatewayServicer):  # type: ignore[misc, name-defined]
        async def Play(self, request_iterator: AsyncIterator[Any], context: Any) -> None:  # noqa: N802
            async for request in request_iterator:
                await context.write(pb.PlayResponse(welcome=pb.Welcome(session=request.hello.name)))

    server = grpc.aio.server()
    pb_grpc.add_BotGatewayServicer_to_server(Gateway(), server)
    healthy = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(healthy, server)
    await healthy.set(GATEWAY, health_pb2.HealthCheckResponse.SERVING)
    reflection.enable_server_reflection([GATEWAY, reflection.SERVICE_NAME], server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        play = pb_grpc.BotGatewayStub(channel).Play()
        await play.write(pb.PlayRequest(hello=pb.Hello(name="greedy")))
        if (await play.read()).welcome.session != "greedy":
            raise SystemExit("the stream lost a word")
        await play.done_writing()
        check = health_pb2_grpc.HealthStub(channel).Check  # type: ignore[attr-defined]
        answer = await check(health_pb2.HealthCheckRequest(service=GATEWAY))
        if answer.status != health_pb2.HealthCheckResponse.SERVING:
            raise SystemExit("the gateway does not say that it serves")
    await server.stop(1)


if __name__ == "__main__":
    main()
