"""Features by name: what the baselines warp. All of them are unit rows, some every 10 ms."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from earmark.audio.features import Frames
from earmark.stats.vectors import unit_rows
from earmark.values.errors import InputError

BUILT_IN = ("sound", "mfcc")


@dataclass(frozen=True, slots=True)
class Extractor:
    """Samples at 16 kHz to unit rows, and how many seconds lie between two rows."""

    extract: Callable[[Any], Frames]
    hop: float


def extractor(name: str) -> Extractor:
    """The features of that name: `sound`, `mfcc`, or a wav2vec 2.0 model by name or path."""
    if name == "sound":
        from earmark.tasks.keywords.run.sounds import network, sound_vectors

        network()
        return Extractor(lambda samples: unit_rows(sound_vectors(samples, hop=2)), 0.02)
    if name == "mfcc":
        from earmark.tasks.keywords.run.utterance import Utterance

        return Extractor(lambda samples: Utterance(samples).spectrum.shape, 0.02)
    return Extractor(partial(_quantised, _wav2vec(name)), 0.02)


def _wav2vec(name: str) -> Any:
    """A wav2vec 2.0 model with its quantiser; from a folder, or by the name that was given."""
    try:
        from transformers import Wav2Vec2ForPreTraining
    except ImportError as error:
        raise InputError(
            "wav2vec 2.0 needs the package transformers", got=error, fix="pip install transformers"
        ) from error
    try:
        local = Path(name).is_dir()
        model = Wav2Vec2ForPreTraining.from_pretrained(name, local_files_only=local)
    except (OSError, ValueError) as error:
        raise InputError(
            f"there are no features '{name}'",
            got=str(error).partition("\n")[0],
            want=f"{', '.join(BUILT_IN)}, or the name or folder of a wav2vec 2.0 model",
        ) from error
    return model.eval()


def _quantised(model: Any, samples: Any) -> Frames:
    """The quantiser's projected output, a unit row for every 20 ms."""
    import torch

    values = torch.from_numpy(samples.astype("float32"))[None]
    values = (values - values.mean()) / torch.sqrt(values.var(unbiased=False) + 1e-7)
    short = int(model.config.inputs_to_logits_ratio) * 2 - values.shape[1]
    if short > 0:
        values = torch.nn.functional.pad(values, (0, short))
    with torch.inference_mode():
        found = model(values).projected_quantized_states[0]
    return unit_rows(found.numpy())
