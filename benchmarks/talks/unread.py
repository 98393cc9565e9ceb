"""Text that SmolLM2 cannot have read: this repository's own pages and its made-up talks.

    python -m benchmarks.talks.unread FOLDER

SmolLM2 was published in November 2024 and these pages were written in 2026. Their prose is
written to a text file each (code, tables, lists and headings are left out) and the sentences of
all of them to `prose.txt`, one text for boundaries; the made-up talks of the tour go to
`talks.jsonl` and the pages to `pages.jsonl` for context.
"""

import argparse
import json
import re
from pathlib import Path

HERE = Path(__file__).parents[2]
FEWEST = 8  # words of a paragraph that is worth reading


def prose(markdown):
    """Return the paragraphs of a page without code, tables, lists, headings and marks of links."""
    text = re.sub(r"```.*?```", "", markdown, flags=re.DOTALL)
    paragraphs = []
    for block in re.split(r"\n\s*\n", text):
        if re.match(r"\s*([#|>!<*-]|\d+\.)", block):
            continue
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", block)
        # code within a line is no English
        if "`" in plain or len(plain.split()) < FEWEST:
            sentences = re.split(r"(?<=[.?!])\s+", plain)
            plain = " ".join(s for s in sentences if "`" not in s and len(s.split()) >= FEWEST)
        plain = re.sub(r"[*_]{1,2}", "", " ".join(plain.split()))
        if plain:
            paragraphs.append(plain)
    return paragraphs


def main():
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    out = parser.parse_args().out
    out.mkdir(parents=True)
    from earmark.tasks.context.talks import TALKS

    pages = sorted([*HERE.glob("docs/**/*.md"), *HERE.glob("src/earmark/tasks/*/README.md")])
    rows = [
        {"id": str(page.relative_to(HERE)), "text": "\n\n".join(prose(page.read_text("utf-8")))}
        for page in pages
    ]
    rows = [row for row in rows if row["text"]]
    for name, texts in (("pages", rows), ("talks", _talks(TALKS))):
        lines = [json.dumps(row, ensure_ascii=False) for row in texts]
        (out / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        whole = "\n\n".join(row["text"] for row in texts) + "\n"
        (out / f"{'prose' if name == 'pages' else name}.txt").write_text(whole, encoding="utf-8")
        print(f"{name}: {len(texts)} texts, {len(whole.split()):,} words")


def _talks(talks):
    return [{"id": name, "text": " ".join(text.split())} for name, text in talks.items()]


if __name__ == "__main__":
    main()
