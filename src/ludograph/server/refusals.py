"""Refusals: why a request cannot be done, with the status of the answer."""


class RequestRefused(Exception):
    """A request cannot be done."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
