"""Metrics that count n-grams: BLEU, CIDEr and ROUGE-L."""
