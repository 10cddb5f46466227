"""
The standard services beside ours: health for whoever runs the referee, reflection for the curious.
"""

from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.server.guests import a_house

SERVING = health_pb2.HealthCheckResponse.SERVING


class TestHealth:
    async def test_is_told_for_the_whole_and_each_service(self) -> None:
        """
        An open house serves.
        """
        async with a_house() as house, grpc.aio.insecure_channel(house.address) as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            told = [
                (await stub.Check(health_pb2.HealthCheckRequest(service=service))).status
                for service in ("", "parcheesi.v1.BotGateway", "parcheesi.v1.RulesService")
            ]

        assert told == [SERVING] * 3

    async def test_of_a_house_that_closes_is_told_too(self) -> None:
        """
        Whoever watches learns that the house does not serve any more, before the door is shut.
        """
        house = a_house()
        await house.__aenter__()
        async with grpc.aio.insecure_channel(house.address) as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            watch = stub.Watch(health_pb2.HealthCheckRequest(service=""))
            before = await watch.read()
            await house.__aexit__()
            after = await watch.read()

        assert before.status == SERVING
        assert after.status == health_pb2.HealthCheckResponse.NOT_SERVING


class TestReflection:
    async def test_lists_all_services_and_tells_their_files(self) -> None:
        """
        A tool that knows nothing of us finds the contract on the wire.
        """
        questions = [
            reflection_pb2.ServerReflectionRequest(list_services=""),
            reflection_pb2.ServerReflectionRequest(file_containing_symbol="parcheesi.v1.BotGateway"),
        ]
        async with a_house() as house, grpc.aio.insecure_channel(house.address) as channel:
            dial: Any = reflection_pb2_grpc.ServerReflectionStub
            stub = dial(channel)
            listed, described = [answer async for answer in stub.ServerReflectionInfo(iter(questions))]

        assert {service.name for service in listed.list_services_response.service} == {
            "parcheesi.v1.BotGateway",
            "parcheesi.v1.RulesService",
            "grpc.health.v1.Health",
            "grpc.reflection.v1alpha.ServerReflection",
        }
        assert described.file_descriptor_response.file_descriptor_proto
