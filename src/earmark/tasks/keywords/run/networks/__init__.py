"""Two pretrained networks, their weights read from the packages that carry them."""
