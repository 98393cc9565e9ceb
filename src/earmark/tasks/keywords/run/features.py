"""Features by name, for the baselines: unit rows that warping can compare."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from earmark.arrays import Samples
from earmark.audio.features import Frames
from earmark.files.models import use_model, use_named_model
from earmark.stats.vectors import unit_rows
from earmark.task.extras import MissingExtra, install_line
from earmark.values.errors import InputError

BUILT_IN = ("sound", "mfcc")
# Seconds between two rows of every kind of features here.
HOP = 0.02
FEATURES_HELP = (
    "What is warped: sound (Google's embedding), mfcc, or a wav2vec 2.0 model by name or path."
)


@dataclass(frozen=True, slots=True)
class Extractor:
    """Samples at 16 kHz to unit rows, and the seconds between two rows."""

    extract: Callable[[Samples], Frames]
    hop: float


def extractor(name: str) -> Extractor:
    """Return the features `sound`, `mfcc`, or those of a wav2vec 2.0 model by name or path."""
    if name == "sound":
        from earmark.tasks.keywords.run.networks.speech_embedding import (
            embedding_network,
            speech_embeddings,
            use_networks,
        )

        use_networks()
        embedding_network()
        return Extractor(lambda samples: unit_rows(speech_embeddings(samples, hop=2)), HOP)
    if name == "mfcc":
        from earmark.tasks.keywords.run.utterance import Utterance

        return Extractor(lambda samples: Utterance(samples).spectrum.shape, HOP)
    return Extractor(partial(_quantised, _wav2vec(name)), HOP)


def _wav2vec(name: str) -> Any:
    """Load a wav2vec 2.0 model with its quantiser from a folder, or by its name on a hub."""
    try:
        from transformers import Wav2Vec2ForPreTraining
    except ImportError as error:
        raise MissingExtra(
            "wav2vec 2.0 needs the package transformers", fix=install_line("nets")
        ) from error
    local = Path(name).is_dir()
    if local:
        use_model(Path(name))
    try:
        # weights as safetensors alone: the older form is a pickle, which could run anything
        model = Wav2Vec2ForPreTraining.from_pretrained(
            name, local_files_only=local, use_safetensors=True
        )
    except (OSError, ValueError) as error:
        raise InputError(
            f"there are no features '{name}'",
            got=str(error).partition("\n")[0],
            want=f"{', '.join(BUILT_IN)}, or the name or folder of a wav2vec 2.0 model",
        ) from error
    if not local:
        use_named_model(name, getattr(model.config, "_commit_hash", None))
    return model.eval()


def _quantised(model: Any, samples: Samples) -> Frames:
    """Return the quantiser's projected output, one unit row per 20 ms."""
    import torch

    values = torch.from_numpy(samples.astype("float32"))[None]
    values = (values - values.mean()) / torch.sqrt(values.var(unbiased=False) + 1e-7)
    # The quantiser needs two frames at least.
    missing = int(model.config.inputs_to_logits_ratio) * 2 - values.shape[1]
    if missing > 0:
        values = torch.nn.functional.pad(values, (0, missing))
    with torch.inference_mode():
        rows: Frames = model(values).projected_quantized_states[0].numpy()
    return unit_rows(rows)
