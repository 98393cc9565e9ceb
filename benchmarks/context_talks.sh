#!/bin/sh
# The figures of the context task on a corpus of talks, from raw text to scores.
#
#   sh benchmarks/context_talks.sh talks.jsonl.gz OUT [paper-2018|clean] [SYSTEM ...]
#
# The seed fixes the split: 700 talks to train, 50 to choose thresholds and to end the training of
# the paper's networks, 150 to test. The language model takes 7 minutes of one core an epoch, the
# classifier 4; killed, the same command goes on after the last epoch.
set -eu
talks=$1 out=$2 preset=${3:-paper-2018}
shift; shift; [ $# -gt 0 ] && shift
systems=${*:-discourse classifier ngrams language-model}
earmark="${EARMARK:-earmark}"
mkdir -p "$out"
for part in train develop test; do
  reveal=; [ "$part" = test ] && reveal=--reveal # language models also compare the two words
  [ -d "$out/$part" ] || $earmark make context "$out/$part" --text "$talks" --preset "$preset" \
    --swaps 10 --seed 7 --split 700 --split 50 --split 150 --part "$part" $reveal
done
for system in $systems; do
  $earmark train context "$system" --study "$out/train" --develop "$out/develop" \
    --out "$out/$system.npz" --seed 7
  $earmark run "$out/test" "$system" --model "$out/$system.npz"
done
case " $systems " in
  *" discourse "*) $earmark run "$out/test" local --model "$out/discourse.npz" ;;
esac
$earmark score "$out/test" --against truth --json > "$out/scores.json"
