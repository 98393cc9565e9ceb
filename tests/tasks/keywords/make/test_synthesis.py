import numpy as np
import pytest

from earmark.tasks.keywords.make.synthesis import SpeakingStyle, speak
from earmark.values.errors import InputError

pytest.importorskip("espeakng_loader", reason="needs the extra `speech`")

# caleb whispers: its breath is noise
STYLES = [SpeakingStyle(voice) for voice in ("de+f3", "en-us+m7", "de+caleb", "fr+grandma")]


def test_what_is_spoken_does_not_depend_on_what_was_spoken_before():
    alone = {style: speak("7 2", style) for style in STYLES}
    for style in [*reversed(STYLES), *STYLES[::2]]:
        np.testing.assert_array_equal(speak("7 2", style), alone[style])


def test_after_an_unknown_voice_the_others_speak_as_before():
    alone = speak("7 2", STYLES[0])
    with pytest.raises(InputError, match="no such voice"):
        speak("7 2", SpeakingStyle("nobody speaks this"))
    np.testing.assert_array_equal(speak("7 2", STYLES[0]), alone)
