"""A client of `spar serve`."""


class Client:
    """Filled in once the service is there."""
