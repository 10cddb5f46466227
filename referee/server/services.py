"""The services beside the gateway: the rules, standard health, standard reflection."""

from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from parcheesi.v1 import bot_gateway_pb2, rules_service_pb2, rules_service_pb2_grpc

from referee.server.rules_service import RulesService

SERVICES: Final = (
    "",
    bot_gateway_pb2.DESCRIPTOR.services_by_name["BotGateway"].full_name,
    rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name,
)
"""The services whose health is told; "" stands for the whole server."""


def add_services(server: grpc.aio.Server, rules: RulesService) -> health.aio.HealthServicer:
    """Add the services to *server*, *rules* among them; return the one that tells their health."""
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    rules_service_pb2_grpc.add_RulesServiceServicer_to_server(rules, server)
    names = (
        *(name for name in SERVICES if name),
        health_pb2.DESCRIPTOR.services_by_name["Health"].full_name,
        reflection.SERVICE_NAME,
    )
    reflection.enable_server_reflection(names, server)
    return servicer
