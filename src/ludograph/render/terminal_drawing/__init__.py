"""Terminal pictures of settlers boards; `picture` combines the other modules."""
