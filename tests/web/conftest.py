"""A browser with a microphone that plays a tone, and a server for each task's study."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser import chromium
from tests.web.places import STUDIES, Place, serving

HERTZ = 700.0  # of the tone that the fake microphone hears


@pytest.fixture(scope="session")
def microphone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound file that the browser takes for its microphone: a tone at 48 kHz."""
    import soundfile

    path = tmp_path_factory.mktemp("microphone") / "tone.wav"
    times = np.arange(48000 * 4) / 48000
    soundfile.write(path, 0.3 * np.sin(2 * np.pi * HERTZ * times), 48000, subtype="PCM_16")
    return path


@pytest.fixture(scope="module")
def browser(microphone: Path) -> Iterator[Any]:
    flags = (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={microphone}",
        "--autoplay-policy=user-gesture-required",
    )
    with chromium(*flags) as opened:
        yield opened


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Place]]:
    """Return task to a server of its study; each is started when it is first asked for."""
    root, running = tmp_path_factory.mktemp("asked"), dict[str, Place]()
    with ExitStack() as stack:

        def start(task: str) -> Place:
            if task not in running:
                running[task] = stack.enter_context(serving(STUDIES[task](root / task)))
            return running[task]

        yield start
