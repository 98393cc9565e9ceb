"""Talks that the small language model makes up: text in the register of speech that may be shipped.

    python -m benchmarks.talks.sample FOLDER --talks 96 --pieces 440 --seed 1

Speeches and books in the public domain are not spoken the way talks are, and talks that are may not
be trained on for weights that are given away. SmolLM2 (Apache-2.0) has read talks; what it samples
after a made-up opening has their rhythm, and it sets full stops and commas itself. What it says is
nonsense: only where sentences end is learnt from it. The openings and topics are made up.
"""

import argparse
import random
from collections import defaultdict
from pathlib import Path

# How much of the probability is drawn from, and how flat it is made: from .95 on the model falls
# apart, below it repeats itself, so that no run of pieces may come twice in a talk. By eye.
NUCLEUS, TEMPERATURE = 0.95, 0.85
ONCE = 5
LANES = 192
FIRST_WORD = 17  # the pieces before it are control signs of the chat format
# After a blank line the model tends to comment on the talk instead of going on with it.
BREAK = "\n"


def openings(count, seed):
    """Return as many prompts, each an opening about a topic."""
    draw = random.Random(seed)
    lines, topics = (
        Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
        for name in ("openings.txt", "topics.txt")
    )
    return [draw.choice(lines).format(topic=draw.choice(topics)) for _ in range(count)]


def sample(model, prompts, pieces, seed):
    """Return the text that the model goes on with after each prompt, the prompt included."""
    import torch

    net = model.network
    shape = net.shape
    cut = [[model.first, *model.pieces(prompt)] for prompt in prompts]
    size = max(map(len, cut)) + pieces
    stored = (shape.layers, len(cut), shape.key_heads, size, shape.head_size)
    keys, values = (torch.zeros(stored, dtype=net.dtype) for _ in range(2))
    draw = torch.Generator().manual_seed(seed)
    groups = shape.heads // shape.key_heads
    rows = torch.arange(len(cut))
    breaks = model.pieces_where(lambda text: BREAK in text)
    said = [defaultdict(list) for _ in cut]  # per lane: what came after a run of pieces
    with torch.inference_mode():
        for place in range(size - 1):
            # a lane whose prompt is read goes on with what it said, the others with their prompt
            now = torch.tensor([[row[place]] for row in cut])
            seen = place + 1

            def attend(layer, q, k, v, place=place, seen=seen):
                keys[layer, rows, :, place] = k[:, :, 0]
                values[layer, rows, :, place] = v[:, :, 0]
                grouped = q.reshape(len(cut), shape.key_heads, groups, shape.head_size)
                mixed = torch.nn.functional.scaled_dot_product_attention(
                    grouped, keys[layer, :, :, :seen], values[layer, :, :, :seen]
                )
                return mixed.reshape(q.shape)

            positions = torch.full((len(cut), 1), place)
            states = net.run(now, positions, attend)[:, 0]
            short = [lane for lane, row in enumerate(cut) if len(row) == seen]
            if short:
                refused = [breaks + said[lane][tuple(cut[lane][1 - ONCE :])] for lane in short]
                drawn = _draw(net, states[short], refused, draw)
                for lane, piece in zip(short, drawn, strict=True):
                    said[lane][tuple(cut[lane][1 - ONCE :])].append(piece)
                    cut[lane].append(piece)
    return [model.tokeniser.decode(row[1:]) for row in cut]


def _draw(net, states, refused, generator):
    """Return one piece per state, from the most probable that make up the nucleus."""
    import torch

    logits = (states @ net.output.T).float() / TEMPERATURE
    logits[:, :FIRST_WORD] = -torch.inf
    for row, pieces in zip(logits, refused, strict=True):
        row[pieces] = -torch.inf
    best, pieces = logits.topk(400)
    shares = torch.exp(best - logits.logsumexp(-1, keepdim=True))
    shares[shares.cumsum(-1) - shares > NUCLEUS] = 0
    return pieces.gather(1, torch.multinomial(shares, 1, generator=generator))[:, 0].tolist()


def main():
    """Sample talks in groups, and write each to a file of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="a folder")
    parser.add_argument("--talks", type=int, default=LANES)
    parser.add_argument("--pieces", type=int, default=480, help="length of each, in word pieces")
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    from earmark.text.causal_model import load_causal_model

    model = load_causal_model(fast=True)
    for start in range(0, words.talks, LANES):
        prompts = openings(min(LANES, words.talks - start), f"{words.seed} {start}")
        texts = sample(model, prompts, words.pieces, words.seed * 1_000_003 + start)
        words.out.mkdir(exist_ok=True)
        for number, text in enumerate(texts, start=start):
            # the last sentence was cut off where the pieces ended
            whole = text[: max(map(text.rfind, ".?!")) + 1]
            path = words.out / f"sampled-{words.seed}-{number:05d}.txt"
            path.write_text(whole + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
