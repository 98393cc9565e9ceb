"""Score a challenge's prediction files, and see what calibration costs.

    python examples/keywords.py LABELS PREDICTIONS

Without arguments it invents two speakers.
"""

import sys
import tempfile
from pathlib import Path

from earmark.score.evaluate import evaluate
from earmark.tasks import keywords
from earmark.tasks.keywords.files import measure_folders, speakers


def invent(folder: Path) -> tuple[Path, Path]:
    labels, predictions = folder / "labels", folder / "predictions"
    labels.mkdir()
    predictions.mkdir()
    for speaker, threshold in (("P0001", 0.5), ("P0002", 0.9)):
        reference, output = [], []
        for k in range(20):
            target = k % 4 == 0
            score = 0.2 + 0.04 * k + (0.5 if target else 0.0)
            reference.append(f"{speaker}T{k:04d}.wav\t{int(target)}")
            output.append(f"{speaker}T{k:04d}.wav\t{int(score > threshold)}\t{score:.2f}")
        (labels / f"{speaker}_test_labels.txt").write_text("\n".join(reference) + "\n")
        (predictions / f"{speaker}_predictions.txt").write_text("\n".join(output) + "\n")
    return labels, predictions


def main(labels: Path, predictions: Path) -> None:
    pairing = measure_folders((labels,), predictions)
    metric, groups = keywords.wake_score(penalty=9.0), speakers(pairing.reference)
    score = evaluate(metric, pairing.reference, pairing.output, groups=groups)
    print(score)
    print(score.signature)
    for speaker, details in score.parts["speakers"].items():
        print(f"  {speaker}  S {details['value']:.3f}  {details['status']}")
    print("thresholds chosen with the labels in hand:", score.parts["oracle"])


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as place:
            main(*invent(Path(place)))
