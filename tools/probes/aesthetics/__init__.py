"""Craft by measurement: how regular layout, type, colour, spacing, motion and images are, each 0 (poor) to 1 (excellent).

Pure functions of what the page is made of (`craft.js`) and of its picture. None of them reads what a text says. Defects – low
contrast, overlap, clipped text, broken images, a layout that does not fit a phone – are the other probes' findings, and are not
measured here a second time.
"""
