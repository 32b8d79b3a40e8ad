"""What strangers may try with runs, pages and packages, each tried here."""
