"""Metrics that compare graphs of captions: SPICE+ and SPICE+emb."""
