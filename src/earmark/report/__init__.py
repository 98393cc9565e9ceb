"""Pages: what a study shows, in one HTML file that needs nothing else.

`study_page` and `tour_page` gather what a page shows; the templates in `templates/` say how it
looks, and escape whatever comes from outside; `svg` and `charts` draw.
"""
