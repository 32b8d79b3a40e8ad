"""From a paper to what its overview figure should show: the Methodologist and the Visual Translator."""
