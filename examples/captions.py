"""A short caption, a full one and a padded one: what three metrics say, and why."""

from earmark import evaluate
from earmark.tasks import captions
from earmark.tasks.captions import Captions, explain_one

references = {
    "street": Captions.of(
        "a dog barks while a train passes by",
        "a train passes and a dog is barking in the distance",
        "a passing train and a barking dog",
    ),
    "kitchen": Captions.of("water is poured into a glass", "someone pours water"),
}
systems = {
    "short": {"street": "a dog barks", "kitchen": "water"},
    "full": {"street": "a dog barks as a train passes", "kitchen": "water pours into a glass"},
    "padded": {
        "street": "a dog barks and birds chirp and a man is speaking in the background",
        "kitchen": "water pours into a glass and water pours into a glass",
    },
}

for metric in (captions.cider(), captions.spice_plus_emb(), captions.earshot()):
    for system, said in systems.items():
        outputs = {item: Captions.of(text) for item, text in said.items()}
        score = evaluate(metric, references, outputs, resamples=0)
        print(f"{metric.name:15} {system:7} {score.value:.3f}")

explanation = explain_one(references["street"].texts, systems["padded"]["street"])
for match in explanation["matches"]:
    print(" ".join(match["tuple"]), "~", " ".join(match["nearest"]), match["similarity"])
print(explanation["earshot"])
