"""Talks that the small language model makes up: text in the register of speech that may be shipped.

    python -m benchmarks.talks.sample FOLDER --talks 96 --pieces 440 --seed 1

Speeches and books in the public domain are not spoken the way talks are, and talks that are may not
be trained on for weights that are given away. SmolLM2 (Apache-2.0) has read talks; what it samples
after a made-up opening has their rhythm, and it sets full stops and commas itself. What it says is
nonsense: only where sentences end is learnt from it. The openings and topics are made up.
"""

import argparse
import random
from pathlib import Path

# How much of the probability is drawn from, and how flat it is made: below .9 the model repeats
# itself, above 1 it falls apart. Looked at by eye.
NUCLEUS, TEMPERATURE = 0.96, 0.95
LANES = 96
FIRST_WORD = 17  # the pieces before it are control signs of the chat format

OPENINGS = """
Thank you very much. It's great to be here. So I want to tell you a story about {topic}. And
So when I was about ten years old, my father took me to see {topic}. And I remember thinking,
How many of you have ever thought about {topic}? Yeah, quite a few of you. Well,
I've been working on {topic} for the last fifteen years, and I still don't know why
Now, here's the thing about {topic} that nobody tells you. You know,
Okay, so what you're looking at here is {topic}. And what's amazing is that
I'm going to talk today about {topic}. And I know what you're thinking: that's boring. But
Let me show you what I mean. This is {topic}. This is what it looked like twenty years ago. And
We live in a world where {topic} is everywhere. And yet, if you ask people, they'll say
A few years ago, I got a phone call from a woman who'd spent her life with {topic}. She said,
So we asked ourselves a very simple question. What if {topic} could be free? And the answer is
I have a confession to make. I never liked {topic}. I mean, really. But then
The first thing we did was look at {topic}. We went out, we talked to people, and
And that's the problem with {topic}. It doesn't scale. So what do we do? We
If I asked you to draw {topic}, what would you draw? Most people
I was standing in front of {topic}, and I was terrified. And then somebody came up to me and
There are three things I've learned about {topic}. The first is that
Imagine for a second that you've lost {topic}. You wake up, and
People ask me all the time about {topic}, and I tell them,
So this is a picture of {topic}, and this is my daughter. She's four. She
What we found about {topic} was, frankly, a surprise. It turns out that
Now, I'm not a scientist. I'm a musician. But {topic} has taught me that
In the next ten minutes, I'd like to convince you that {topic} matters. Why? Because
And so we built {topic}, and of course it broke. It broke on the first day. But
"""
TOPICS = """
bees; the bottom of the ocean; old maps; city buses; clean water; the human brain; handwriting;
malaria; a robot that walks; my grandmother's kitchen; schools in small towns; the price of bread;
music; sleep; the way we vote; a bridge; coral reefs; prisons; cancer cells; video games; the law;
newspapers; dolphins; poverty; a satellite; memory; laughter; the weather; refugees; batteries;
trees; fear; language; a small village; gravity; twins; football; the internet; cooking;
architecture; money; dinosaurs; a broken leg; solar panels; photographs; work; deafness; genes; a
theatre; the desert; the stock market; honesty; ants; migrating birds; doctors; plastic;
telescopes; teenagers; silence; seeds; mathematics; a hospital; war; bicycles; dance; happiness;
data; vaccines; rivers; pain; elephants; steel; poems; toys; soil; stress
"""


def openings(count, seed):
    """Return as many prompts, each an opening about a topic."""
    draw = random.Random(seed)
    lines = OPENINGS.strip().splitlines()
    topics = [topic.strip() for topic in TOPICS.replace("\n", " ").split(";")]
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
                drawn = _draw(net, states[short], draw)
                for lane, piece in zip(short, drawn, strict=True):
                    cut[lane].append(piece)
    return [model.tokeniser.decode(row[1:]) for row in cut]


def _draw(net, states, generator):
    """Return one piece per state, from the most probable that make up the nucleus."""
    import torch

    logits = (states @ net.output.T).float() / TEMPERATURE
    logits[:, :FIRST_WORD] = -torch.inf
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
