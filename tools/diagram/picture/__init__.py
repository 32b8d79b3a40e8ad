"""Environment Curator: the picture as flat grounds and ink, whatever its size, noise and colours."""
