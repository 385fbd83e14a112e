"""A real Chromium for the tests of the pages: Debian's, which Playwright drives."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """A person with a browser of their own. Mutable; it collects everything that goes wrong on the pages."""

    def __init__(self, browser: Browser, address: str, **context: Any) -> None:
        self.address = address
        self.context = browser.new_context(viewport=context.pop("viewport", DESK), **context)
        self.context.set_default_timeout(20_000)
        self.problems: list[str] = []
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("console", lambda message: self._note(message.type in ("error", "warning"), message.text))
        page.on("pageerror", lambda error: self._note(True, str(error)))
        page.on("request", lambda request: self._note(self._is_foreign(request.url), request.url))
        return page

    def _note(self, is_problem: bool, text: str) -> None:
        if is_problem:
            self.problems.append(text)

    def _is_foreign(self, url: str) -> bool:
        return not url.startswith((self.address, "data:", "blob:", self.address.replace("http", "ws")))

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """A request of the HTTP API in the visitor's session."""
        answer = self.context.request.post(
            self.address + path,
            data=body,
            headers={"origin": self.address, "content-type": "application/json"},
        )
        assert answer.ok, answer.text()
        return answer.json()

    def open_table(self, game: str, *seats: dict[str, str], **wanted: Any) -> Any:
        """Open a table and go to it."""
        own = self.post("/api/tables", {"game": game, "seats": seats, "players": len(seats), **wanted})
        self.go(f"/table.html#id={own['table']['id']}")
        return own

    def click(self, item: str) -> None:
        """Click something on the board."""
        self.page.locator(f"[data-target='{item}']").click(force=True)

    def expect_status(self, text: str) -> None:
        expect(self.page.locator("#status")).to_contain_text(text, timeout=20_000)

    def expect_moves(self, number: int) -> None:
        expect(self.page.locator("#log li")).to_have_count(number, timeout=20_000)

    def close(self) -> None:
        assert self.problems == [], self.problems
        self.context.close()
