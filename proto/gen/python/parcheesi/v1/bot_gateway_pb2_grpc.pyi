# Made by tools/proto.py from the services of parcheesi/v1/bot_gateway.proto. DO NOT EDIT!
from collections.abc import AsyncIterator, Awaitable

import grpc.aio

from parcheesi.v1 import bot_gateway_pb2

class BotGatewayStub:
    def __init__(self, channel: grpc.aio.Channel) -> None: ...
    Play: grpc.aio.StreamStreamMultiCallable[bot_gateway_pb2.PlayRequest, bot_gateway_pb2.PlayResponse]

class BotGatewayServicer:
    def Play(
        self, request_iterator: AsyncIterator[bot_gateway_pb2.PlayRequest], context: grpc.aio.ServicerContext[bot_gateway_pb2.PlayRequest, bot_gateway_pb2.PlayResponse]
    ) -> AsyncIterator[bot_gateway_pb2.PlayResponse] | Awaitable[None]: ...

def add_BotGatewayServicer_to_server(
    servicer: BotGatewayServicer, server: grpc.aio.Server
) -> None: ...
