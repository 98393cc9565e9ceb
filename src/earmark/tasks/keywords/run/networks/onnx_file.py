"""The weights in an ONNX file, read as data: no runtime and no package of ONNX is needed.

An ONNX file is a protocol buffer: fields of a number, a wire type and a value, nested. Only the
fields that name a graph's nodes and its stored tensors are looked at (onnx.proto3: ModelProto.graph
is 7; GraphProto.node 1, .initializer 5; NodeProto.input 1, .op_type 4; TensorProto.dims 1,
.data_type 2, .name 8, .raw_data 9).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GRAPH = 7
NODE, INITIALISER = 1, 5
NODE_INPUT, NODE_KIND = 1, 4
TENSOR_SHAPE, TENSOR_TYPE, TENSOR_NAME, TENSOR_BYTES = 1, 2, 8, 9
FLOAT32 = 1
# Wire types: a varint, eight bytes, a length with as many bytes, four bytes.
VARINT, EIGHT, BYTES, FOUR = 0, 1, 2, 5

Field = tuple[int, int | memoryview]


@dataclass(frozen=True, slots=True, eq=False)
class OnnxLayer:
    """A node that has weights: what it does, and its stored tensors in the order of its inputs."""

    kind: str
    weights: tuple[NDArray[np.float32], ...]


def read_layers(content: bytes) -> list[OnnxLayer]:
    """Return the nodes with float32 weights of the graph in an ONNX file, in the file's order.

    Raises
    ------
    ValueError, IndexError
        If the content is no such file; callers check its SHA-256 first.
    """
    graph = next(value for number, value in _fields(memoryview(content)) if number == GRAPH)
    if isinstance(graph, int):
        raise ValueError("the graph is no message")
    nodes, tensors = [], {}
    for number, value in _fields(graph):
        if number == NODE and isinstance(value, memoryview):
            nodes.append(_node(value))
        elif number == INITIALISER and isinstance(value, memoryview):
            tensors.update(_tensor(value))
    layers = [
        OnnxLayer(kind, tuple(tensors[name] for name in inputs if name in tensors))
        for kind, inputs in nodes
    ]
    return [layer for layer in layers if layer.weights]


def _node(message: memoryview) -> tuple[str, list[str]]:
    """Return a node's kind and the names of its inputs."""
    kind, inputs = "", []
    for number, value in _fields(message):
        if number == NODE_KIND and isinstance(value, memoryview):
            kind = bytes(value).decode()
        elif number == NODE_INPUT and isinstance(value, memoryview):
            inputs.append(bytes(value).decode())
    return kind, inputs


def _tensor(message: memoryview) -> dict[str, NDArray[np.float32]]:
    """Return a stored tensor by its name, or nothing if it is none of raw float32."""
    shape: list[int] = []
    name, kind, raw = "", 0, None
    for number, value in _fields(message):
        if number == TENSOR_SHAPE:
            shape += [value] if isinstance(value, int) else list(_varints(value))
        elif number == TENSOR_TYPE and isinstance(value, int):
            kind = value
        elif number == TENSOR_NAME and isinstance(value, memoryview):
            name = bytes(value).decode()
        elif number == TENSOR_BYTES and isinstance(value, memoryview):
            raw = value
    if kind != FLOAT32 or raw is None:
        return {}
    return {name: np.frombuffer(raw, dtype="<f4").reshape(shape)}


def _fields(message: memoryview) -> Iterator[Field]:
    """Yield the number and the value of every field of a message."""
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            value, position = _varint(message, position)
            yield number, value
            continue
        if wire == BYTES:
            size, position = _varint(message, position)
        elif wire in (EIGHT, FOUR):
            size = 8 if wire == EIGHT else 4
        else:
            raise ValueError(f"there is no wire type {wire}")
        yield number, message[position : position + size]
        position += size


def _varints(packed: memoryview) -> Iterator[int]:
    position = 0
    while position < len(packed):
        value, position = _varint(packed, position)
        yield value


def _varint(message: memoryview, position: int) -> tuple[int, int]:
    """Return the number at a position, seven bits per byte, lowest first, and the next position."""
    value = shift = 0
    while True:
        byte = message[position]
        position += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, position
