"""The web application under load, and asking where the doubt is."""
