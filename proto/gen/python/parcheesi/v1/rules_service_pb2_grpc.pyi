# Made by tools/proto.py from the services of parcheesi/v1/rules_service.proto. DO NOT EDIT!
from collections.abc import AsyncIterator, Awaitable

import grpc.aio

from parcheesi.v1 import rules_service_pb2

class RulesServiceStub:
    def __init__(self, channel: grpc.aio.Channel) -> None: ...
    DescribeRuleset: grpc.aio.UnaryUnaryMultiCallable[rules_service_pb2.DescribeRulesetRequest, rules_service_pb2.DescribeRulesetResponse]
    ListPlays: grpc.aio.UnaryUnaryMultiCallable[rules_service_pb2.ListPlaysRequest, rules_service_pb2.ListPlaysResponse]
    ApplyStep: grpc.aio.UnaryUnaryMultiCallable[rules_service_pb2.ApplyStepRequest, rules_service_pb2.ApplyStepResponse]
    ExplainStep: grpc.aio.UnaryUnaryMultiCallable[rules_service_pb2.ExplainStepRequest, rules_service_pb2.ExplainStepResponse]

class RulesServiceServicer:
    def DescribeRuleset(
        self, request: rules_service_pb2.DescribeRulesetRequest, context: grpc.aio.ServicerContext[rules_service_pb2.DescribeRulesetRequest, rules_service_pb2.DescribeRulesetResponse]
    ) -> Awaitable[rules_service_pb2.DescribeRulesetResponse]: ...
    def ListPlays(
        self, request: rules_service_pb2.ListPlaysRequest, context: grpc.aio.ServicerContext[rules_service_pb2.ListPlaysRequest, rules_service_pb2.ListPlaysResponse]
    ) -> Awaitable[rules_service_pb2.ListPlaysResponse]: ...
    def ApplyStep(
        self, request: rules_service_pb2.ApplyStepRequest, context: grpc.aio.ServicerContext[rules_service_pb2.ApplyStepRequest, rules_service_pb2.ApplyStepResponse]
    ) -> Awaitable[rules_service_pb2.ApplyStepResponse]: ...
    def ExplainStep(
        self, request: rules_service_pb2.ExplainStepRequest, context: grpc.aio.ServicerContext[rules_service_pb2.ExplainStepRequest, rules_service_pb2.ExplainStepResponse]
    ) -> Awaitable[rules_service_pb2.ExplainStepResponse]: ...

def add_RulesServiceServicer_to_server(
    servicer: RulesServiceServicer, server: grpc.aio.Server
) -> None: ...
