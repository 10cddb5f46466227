"""
Make the Python code of `proto/`, or compare what is there with what would be made.

Knows: how to call the generator, and the types that it leaves out.
Does not know: what the messages mean.

Runs in an environment of its own, with `proto-requirements.txt` and nothing else: see
docs/decisions/0002-protobuf.md.
"""

from __future__ import annotations

import argparse
import filecmp
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import grpc_tools
from google.protobuf.descriptor_pb2 import (
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
MADE = PROTO / "gen" / "python"

PACKAGES = {
    "parcheesi": '"""The contract between bots and the referee, as Python code. Made by `make proto`."""\n',
    "parcheesi/v1": '"""Version 1 of the contract. Made by `make proto`."""\n',
}
"""Each package of the code with its `__init__.py`, which the generator does not write."""


def main() -> int:
    """Make the code, or with `--check` only say whether it is what would be made."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit 1 if something would change"
    )
    if not parser.parse_args().check:
        make_anew(MADE)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder))
        stale = list(differences(Path(folder), MADE))
    for line in stale:
        print(line, file=sys.stderr)
    if stale:
        print("proto/gen/python is not what proto/ makes: run `make proto`", file=sys.stderr)
    return 1 if stale else 0


def make_anew(out: Path) -> None:
    """Make all code in *out*, and remove what `proto/` no longer makes."""
    out.mkdir(parents=True, exist_ok=True)
    made = make(out)
    for path in files(out) - made:
        (out / path).unlink()


def make(out: Path) -> set[Path]:
    """Make all code in *out*; return the files made, relative to it."""
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("parcheesi/**/*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        described = Path(folder) / "described.binpb"
        arguments = [
            f"-I{PROTO}",
            f"-I{Path(grpc_tools.__file__).parent / '_proto'}",
            f"--python_out={out}",
            f"--pyi_out={out}",
            f"--grpc_python_out={out}",
            f"--descriptor_set_out={described}",
        ]
        if protoc.main(["protoc", *arguments, *sources]) != 0:
            raise SystemExit(1)  # protoc has said why
        described_files = FileDescriptorSet.FromString(described.read_bytes()).file
    made = set()
    for package, text in PACKAGES.items():
        made.add(write(out, f"{package}/__init__.py", text))
    made.add(write(out, "parcheesi/py.typed", ""))
    for file in described_files:
        stem = file.name.removesuffix(".proto")
        made |= {Path(f"{stem}_pb2.py"), Path(f"{stem}_pb2.pyi")}
        if file.service:
            made.add(Path(f"{stem}_pb2_grpc.py"))
            made.add(write(out, f"{stem}_pb2_grpc.pyi", "\n".join(service_types(file)) + "\n"))
        else:
            (out / f"{stem}_pb2_grpc.py").unlink()  # the generator writes an empty one
    return made


def service_types(file: FileDescriptorProto) -> Iterator[str]:
    """
    Yield the lines of a stub for the services of *file*, which the generator leaves without types.

    The types are those of `grpc.aio`, the only kind of server and channel that we use.
    """
    yield "# Made by tools/proto.py from the services of " + file.name + ". DO NOT EDIT!"
    yield "from collections.abc import AsyncIterator, Awaitable"
    yield ""
    yield "import grpc.aio"
    yield ""
    yield f"from {file.package} import {Path(file.name).stem}_pb2"
    for service in file.service:
        yield ""
        yield f"class {service.name}Stub:"
        yield "    def __init__(self, channel: grpc.aio.Channel) -> None: ..."
        yield from (f"    {method.name}: {callable_type(method, file)}" for method in service.method)
        yield ""
        yield f"class {service.name}Servicer:"
        yield from servicer_methods(service, file)
        yield ""
        yield f"def add_{service.name}Servicer_to_server("
        yield f"    servicer: {service.name}Servicer, server: grpc.aio.Server"
        yield ") -> None: ..."


def callable_type(method: MethodDescriptorProto, file: FileDescriptorProto) -> str:
    """Return the type of what a caller of *method* calls."""
    kinds = ("Stream" if method.client_streaming else "Unary") + (
        "Stream" if method.server_streaming else "Unary"
    )
    return f"grpc.aio.{kinds}MultiCallable[{of(file, method.input_type)}, {of(file, method.output_type)}]"


def servicer_methods(service: ServiceDescriptorProto, file: FileDescriptorProto) -> Iterator[str]:
    """
    Yield the methods that a servicer of *service* has.

    One that streams may be a generator, or a coroutine that writes to its context.
    """
    for method in service.method:
        asked, answered = of(file, method.input_type), of(file, method.output_type)
        argument = (
            f"request_iterator: AsyncIterator[{asked}]" if method.client_streaming else f"request: {asked}"
        )
        result = (
            f"AsyncIterator[{answered}] | Awaitable[None]"
            if method.server_streaming
            else f"Awaitable[{answered}]"
        )
        yield f"    def {method.name}("
        yield f"        self, {argument}, context: grpc.aio.ServicerContext[{asked}, {answered}]"
        yield f"    ) -> {result}: ..."


def of(file: FileDescriptorProto, type_name: str) -> str:
    """Return how Python calls *type_name*, such as `.parcheesi.v1.Ask`, which *file* must define."""
    name = type_name.removeprefix(f".{file.package}.")
    if name not in {message.name for message in file.message_type}:
        raise SystemExit(f"{file.name}: a method's messages must stand in its own file, but {name} does not")
    return f"{Path(file.name).stem}_pb2.{name}"


def write(out: Path, name: str, text: str) -> Path:
    """Write *text* to the file *name* in *out*; return its name as a path."""
    (out / name).write_text(text, encoding="utf-8")
    return Path(name)


def files(folder: Path) -> set[Path]:
    """Return all files in *folder*, relative to it, but for what Python compiles."""
    return {
        path.relative_to(folder)
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def differences(made: Path, committed: Path) -> Iterator[str]:
    """Yield a line for each file that differs between the two folders."""
    new, old = files(made), files(committed)
    yield from (f"missing: {path}" for path in sorted(new - old))
    yield from (f"too much: {path}" for path in sorted(old - new))
    for path in sorted(new & old):
        if not filecmp.cmp(made / path, committed / path, shallow=False):
            yield f"differs: {path}"


if __name__ == "__main__":
    sys.exit(main())
