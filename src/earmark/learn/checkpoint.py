"""Checkpoints: a training that was ended goes on where it was, with the same result.

One safetensors file holds all that the next epoch depends on: weights, the optimiser's moments, the
averaged and the best weights, torch's random state, and in its header the epoch, the log and what
is being trained. Batches are drawn from the epoch's number, so nothing of them need be kept.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.values.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

Header = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a training is kept, and a digest of everything that its result depends on."""

    path: Path
    of: str = ""
    every: int = 1  # epochs
    stays: bool = False  # when this training is over: others of the same command follow

    def write(self, tensors: "Mapping[str, Mapping[str, Tensor]]", header: Header) -> None:
        """Write groups of tensors and a header, whole or not at all."""
        from safetensors.torch import save

        from earmark.files.folder import write_file

        flat = {
            f"{group}/{name}": tensor.contiguous()
            for group, own in tensors.items()
            for name, tensor in own.items()
        }
        text = json.dumps({**header, "of": self.of})
        write_file(self.path, save(flat, metadata={"checkpoint": text}))

    def read(self) -> "tuple[dict[str, dict[str, Tensor]], Header] | None":
        """Return what `write` wrote; None if there is nothing, or if it is of another training.

        Raise InputError if the file is no checkpoint.
        """
        from safetensors import SafetensorError, safe_open

        if not self.path.exists():
            return None
        groups: dict[str, dict[str, Tensor]] = {}
        try:
            with safe_open(str(self.path), framework="pt") as file:
                header = json.loads((file.metadata() or {})["checkpoint"])
                for key in file.keys():
                    group, _, name = key.partition("/")
                    groups.setdefault(group, {})[name] = file.get_tensor(key)
        except (LookupError, OSError, SafetensorError, ValueError) as error:
            raise InputError(
                "a checkpoint cannot be read", at=self.path, got=error, fix="remove the file"
            ) from error
        return (groups, header) if header.get("of") == self.of else None

    def remove(self) -> None:
        """Remove the file: the training has ended."""
        self.path.unlink(missing_ok=True)
