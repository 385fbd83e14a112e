"""A complete game of Hexil in the browser: a scripted player against three bots, trades included."""

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, expect

from tests.pages.browsers import CHROMIUM, Visitor

pytestmark = [
    pytest.mark.optional,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian's package chromium) for the pages"),
    pytest.mark.xdist_group("pages"),
]

ME = {"kind": "me"}
EASY = {"kind": "bot", "bot": "easy"}
MAX_ACTIONS = 600
WANTED = ("Roll", "City", "Village", "Card", "Road", "Play a knight", "Agree", "Accept")
"""Buttons that the script presses whenever it can, the first ones first."""
LAST = ("Refuse all this turn", "Refuse", "Decline", "End the turn")


class Script:
    """What the player does. Mutable."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page: Page = visitor.page
        self.offers = 0
        self.roads = 0
        self.has_offered = False

    def play(self) -> None:
        """Play until the game is over."""
        status = self.page.locator("#status")
        for _ in range(MAX_ACTIONS):
            expect(status).not_to_contain_text("Waiting", timeout=30_000)
            if "over" in (status.text_content() or ""):
                return
            try:
                self._act()
            except PlaywrightError as error:
                # A bot may have moved in between; then the next round looks again.
                if "Timeout" not in str(error):
                    raise
        raise AssertionError("the game did not end")

    def _act(self) -> None:
        for label in WANTED:
            if label == "Road" and self.roads >= 4:
                continue
            button = self._button(label)
            if button.count():
                self.roads += label == "Road"
                self.has_offered = self.has_offered and label != "Roll"
                button.first.click(timeout=2000)
                return
        if not self.has_offered and self._button("End the turn").count():
            self.has_offered = True
            if self._offer():
                return
        more = self.page.locator("#answers button[aria-label$='more']:not([disabled])")
        if more.count():
            more.first.click(timeout=2000)
            return
        done = self.page.locator("#answers .done:not([disabled])")
        if done.count():
            done.click(timeout=2000)
            return
        for label in LAST:
            if self._button(label).count():
                self._button(label).first.click(timeout=2000)
                return
        target = self.page.locator("[data-target][aria-pressed=false] .hit")
        if target.count():
            target.nth(target.count() // 2).click(force=True, timeout=2000)
            return
        self.page.locator(".answers button:not([disabled])").first.click(timeout=2000)

    def _button(self, label: str) -> Locator:
        return self.page.locator(".answers button:not([disabled])").filter(has_text=label)

    def _offer(self) -> bool:
        """Offer one card of what the player has for one of something else."""
        trade = self.page.locator("#trade")
        give = trade.locator("button[aria-label^='give:'][aria-label$='more']:not([disabled])")
        if not give.count():
            return False
        kind = (give.first.get_attribute("aria-label") or "").split()[2]
        give.first.click(timeout=2000)
        get = trade.locator(f"button[aria-label^='get:'][aria-label$='more']:not([aria-label*='{kind}'])")
        get.last.click(timeout=2000)
        trade.get_by_role("button", name="Offer", exact=True).click(timeout=2000)
        self.offers += 1
        return True


def test_a_complete_game_against_three_bots_with_trades(visitor: Visitor) -> None:
    visitor.open_table("hexil", ME, EASY, EASY, EASY, options={"points": 4})
    visitor.expect_status("Your turn")
    script = Script(visitor)
    script.play()
    visitor.expect_status("The game is over")
    assert script.offers > 0
    expect(visitor.page.locator("#refusal")).to_be_empty()
