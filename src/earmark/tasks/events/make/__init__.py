"""Material: soundscapes, laid out at random from labelled clips, with the truth about them."""
