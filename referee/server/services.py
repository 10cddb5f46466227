"""
The services beside the gateway: the rules, standard health, standard reflection.

The questions of `RulesService` come in as bytes: a library that parses first would tell whoever sends what is
no message in its own words, and call it a mistake of ours.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from parcheesi.v1 import bot_gateway_pb2, rules_service_pb2

from referee.server.rules_service import RulesService

_RULES: Final = rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"]

SERVICES: Final = (
    "",
    bot_gateway_pb2.DESCRIPTOR.services_by_name["BotGateway"].full_name,
    _RULES.full_name,
)
"""The services whose health is told; "" stands for the whole server."""


def add_services(server: grpc.aio.Server, rules: RulesService) -> health.aio.HealthServicer:
    """Add the services to *server*, *rules* among them; return the one that tells their health."""
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    server.add_generic_rpc_handlers((_handlers(rules),))
    names = (
        *(name for name in SERVICES if name),
        health_pb2.DESCRIPTOR.services_by_name["Health"].full_name,
        reflection.SERVICE_NAME,
    )
    reflection.enable_server_reflection(names, server)
    return servicer


def _handlers(rules: RulesService) -> grpc.GenericRpcHandler:
    """Return what a server is given to serve *rules*."""
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        method.name: grpc.unary_unary_rpc_method_handler(
            _reading(GetMessageClass(method.input_type), getattr(rules, method.name))
        )
        for method in _RULES.methods
    }
    return grpc.method_handlers_generic_handler(_RULES.full_name, methods)


def _reading(
    kind: type[Message], answer: Callable[[Any, Any], Awaitable[Message]]
) -> Callable[[bytes, Any], Awaitable[bytes]]:
    """Return what reads bytes as a message of *kind* and *answer*s it, or says that they are none."""

    async def answered(data: bytes, context: Any) -> bytes:
        try:
            request = kind.FromString(data)
        except DecodeError:
            wrong = f"the request is no {kind.DESCRIPTOR.name}, or compressed"
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, wrong)
            raise  # abort has raised
        return (await answer(request, context)).SerializeToString()

    return answered
