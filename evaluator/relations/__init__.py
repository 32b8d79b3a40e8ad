"""Relations: general truths about apps that make trials. One file a relation, in folders by what it is about."""
