"""What a table offers beside clicks on the board: trades, quantities, reasons, the log, keys."""

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.pages.browsers import CHROMIUM, PHONE, Visitor
from tests.pages.conftest import source_of
from tests.server.servers import RunningServer

pytestmark = [
    pytest.mark.optional,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian's package chromium) for the pages"),
    pytest.mark.xdist_group("pages"),
]

ME = {"kind": "me"}
INVITED = {"kind": "invited"}


def stepper(visitor: Visitor, table: str, thing: str) -> Locator:
    """The button that counts something of a tray up."""
    return visitor.page.get_by_role("button", name=f"{table}: one {thing} more", exact=True)


def number(visitor: Visitor, table: str, thing: str) -> Locator:
    return stepper(visitor, table, thing).locator("xpath=preceding-sibling::output")


def test_a_trade_is_offered_countered_and_accepted(visitor: Visitor, other: Visitor) -> None:
    """One player at a screen of their own, two at another."""
    own = visitor.open_table("", ME, INVITED, INVITED, source=source_of("market"))
    for link in own["links"]:
        other.post(f"/api/tables/{own['table']['id']}/take_seat", {"key": link["key"]})
    other.go(f"/table.html#id={own['table']['id']}")
    visitor.expect_status("Your turn")
    offer = visitor.page.locator("#trade").get_by_role("button", name="Offer", exact=True)
    expect(offer).to_be_disabled()
    stepper(visitor, "give", "Figs").click()
    stepper(visitor, "get", "Salt").click()
    expect(visitor.page.locator("#trade")).to_contain_text("1 figs for 1 salt")
    offer.click()
    chips = visitor.page.locator("#trade li.chip")
    expect(chips).to_have_text(["▲ Player 2: …", "■ Player 3: …"])
    # Each seat has its own prompt, and everybody sees whom the game waits for.
    other.expect_status("Player 2: your turn; also waiting for Player 3")
    expect(number(other, "give", "Salt")).to_have_text("1")
    expect(number(other, "want", "Figs")).to_have_text("1")
    stepper(other, "want", "Figs").click()
    other.page.get_by_role("button", name="Offer this instead").click()
    expect(number(visitor, "give", "Figs")).to_have_text("2")
    other.page.get_by_role("button", name="Refuse", exact=True).click()
    expect(chips).to_have_text(["▲ Player 2: Refuse", "■ Player 3: …"])
    other.expect_status("Player 3: your turn")
    other.page.get_by_role("button", name="Accept").click()
    visitor.expect_status("Your turn")
    expect(visitor.page.locator("#trade li.chip")).to_have_count(0)
    # The trays are still there, also where no trade is possible.
    expect(other.page.locator("#trade")).to_contain_text("Not now: it is not your turn.")


def test_the_trays_of_hexil_are_in_sight_without_scrolling(browser: Browser, address: RunningServer) -> None:
    visitor = Visitor(browser, address.address, viewport={"width": 1200, "height": 800})
    visitor.open_table("hexil", ME, {"kind": "bot", "bot": "easy"})
    trade = visitor.page.locator("#trade")
    expect(trade).to_be_visible()
    expect(trade).to_be_in_viewport(ratio=1)
    expect(visitor.page.locator("#boxes")).to_be_in_viewport(ratio=1)
    visitor.page.set_viewport_size(PHONE)
    expect(visitor.page.locator(".side #trade")).to_have_count(1)
    for game in ("hexil", "crazy-eights"):
        visitor.open_table(game, ME, {"kind": "bot", "bot": "easy"})
        expect(visitor.page.locator("#boxes [data-item]").first).to_be_attached()
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), game
    visitor.close()


def test_all_offers_of_a_turn_can_be_refused_at_once(visitor: Visitor, other: Visitor) -> None:
    own = visitor.open_table("", ME, INVITED, source=source_of("market"))
    other.go(own["links"][0]["path"])
    visitor.expect_status("Your turn")
    for goods in ("Salt", "Tea"):
        stepper(visitor, "give", "Figs").click()
        stepper(visitor, "get", goods).click()
        visitor.page.locator("#trade").get_by_role("button", name="Offer", exact=True).click()
        if goods == "Salt":
            other.page.get_by_role("button", name="Refuse all this turn").click()
            visitor.expect_status("Your turn")
            expect(number(visitor, "give", "Figs")).to_have_text("0")
    expect(visitor.page.locator("#log li", has_text="refuse")).to_have_count(2)
    visitor.page.get_by_role("button", name="End", exact=True).click()
    other.expect_status("Your turn")


def test_offers_of_a_turn_stay_refused_after_the_answer_of_somebody_else(
    visitor: Visitor, other: Visitor
) -> None:
    """Offers belong to the player whose turn it is, also while another player's answer is on the table."""
    own = visitor.open_table("", ME, ME, INVITED, source=source_of("market"))
    other.go(own["links"][0]["path"])
    visitor.expect_status("Player 1: your turn")
    offer = visitor.page.locator("#trade").get_by_role("button", name="Offer", exact=True)
    for count in (1, 2):
        visitor.expect_status("Player 1: your turn")
        expect(offer).to_be_disabled()  # the trays are those of player 1 again
        stepper(visitor, "give", "Figs").click()
        stepper(visitor, "get", "Salt").click()
        offer.click()
        visitor.expect_status("Player 2: your turn")
        if count == 1:
            stepper(visitor, "want", "Figs").click()
            visitor.page.get_by_role("button", name="Offer this instead").click()
            expect(number(other, "want", "Figs")).to_have_text("2")
            other.page.get_by_role("button", name="Refuse all this turn").click()
        expect(visitor.page.locator("#log li", has_text="refuse")).to_have_count(2 * count - 1)
        visitor.page.get_by_role("button", name="Refuse", exact=True).click()
    visitor.expect_status("Player 1: your turn")


def test_quantities_are_one_tray_and_a_list_is_toggles(visitor: Visitor) -> None:
    visitor.open_table("", ME, ME, source=source_of("basket"))
    page = visitor.page
    tray = page.get_by_role("group", name="Quantities")
    done = page.get_by_role("button", name="Done")
    expect(tray).to_contain_text("0 of 3 chosen, 3 left")
    for fruit in ("Apple", "Apple", "Plum"):
        page.get_by_role("button", name=f"one {fruit} more").click()
    expect(tray).to_contain_text("3 of 3 chosen, 0 left")
    expect(page.get_by_role("button", name="one Pear more")).to_be_disabled()
    done.click()
    tools = page.get_by_role("group", name="Choose some")
    tools.get_by_role("button", name="Axe").click()
    tools.get_by_role("button", name="Cup").click()
    expect(page.locator("#answers")).to_contain_text("2 of 2 chosen, 0 left")
    tools.get_by_role("button", name="Axe", pressed=True).click()
    tools.get_by_role("button", name="Dice").click()
    done.click()
    expect(page.locator("#log")).to_contain_text("discard(thrown: {apple: 2, plum: 1})")
    expect(page.locator("#log")).to_contain_text("take(kinds: {cup, dice})")


def test_a_place_that_cannot_be_chosen_explains_itself(visitor: Visitor) -> None:
    visitor.open_table("chess", ME, ME)
    page = visitor.page
    visitor.expect_status("your turn")
    page.locator("[data-item='cell.a8']").click(force=True)
    expect(page.locator("#refusal")).to_contain_text("belongs to Player 2, not to Player 1")
    page.locator("[data-target][aria-label*='e2']").click()
    page.locator("[data-item='cell.e5']").click(force=True)
    expect(page.locator("#refusal")).to_contain_text("Move: 'e5' is not a value")
    page.keyboard.press("Escape")
    # By keyboard: everything in the picture can be reached.
    page.get_by_role("button", name="Why can’t I?").click()
    page.locator("[data-target='cell.a8']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_contain_text("belongs to Player 2, not to Player 1")
    page.keyboard.press("Escape")
    expect(page.locator("[data-target='cell.a8']")).to_have_count(0)


def test_the_log_shows_earlier_positions_and_undoes_to_them(visitor: Visitor, other: Visitor) -> None:
    own = visitor.open_table("othello", ME, INVITED)
    other.go(own["links"][0]["path"])
    for who, count in ((visitor, 1), (other, 2), (visitor, 3)):
        who.expect_status("Your turn")
        who.page.locator("[data-target] .hit").first.click(force=True)
        visitor.expect_moves(count)
    pieces = visitor.page.locator("[data-item^='token.']")
    expect(pieces).to_have_count(7)
    visitor.page.locator("#log button").first.click()
    expect(visitor.page.locator("#moment")).to_contain_text("After move 1 of 3")
    expect(pieces).to_have_count(5)
    expect(visitor.page.locator("[data-target]")).to_have_count(0)
    visitor.page.keyboard.press("Escape")
    expect(pieces).to_have_count(7)
    visitor.page.locator("#log button").first.click()
    visitor.page.get_by_role("button", name="Undo to here").click()
    expect(visitor.page.locator("#consent")).to_contain_text("Waiting for Player 2")
    other.page.get_by_role("button", name="Agree").click()
    expect(pieces).to_have_count(5)
    expect(visitor.page.locator("#log s")).to_have_count(2)
    other.expect_status("Your turn")


def test_the_only_choice_is_taken_but_not_before_chance(visitor: Visitor) -> None:
    visitor.open_table("tic-tac-toe", ME, ME)
    for count, place in enumerate(("0][0", "0][1", "0][2", "1][1", "1][0", "2][0", "2][1", "2][2"), 1):
        visitor.page.locator("#move-text").fill(f"grid[{place}].mark")
        visitor.page.locator("#move-text").press("Enter")
        visitor.page.wait_for_timeout(0)
        if count < 8:
            visitor.expect_moves(count)
    visitor.expect_moves(9)
    visitor.expect_status("over")


def test_a_whole_game_is_played_by_keyboard_from_the_lobby(visitor: Visitor) -> None:
    visitor.go("/")
    page = visitor.page
    play = page.get_by_role("button", name="Play Tic-tac-toe against bots now")
    play.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/table.html**")
    visitor.expect_status("Your turn")
    page.keyboard.press("Tab")
    for _ in range(60):
        if page.evaluate("document.activeElement?.hasAttribute('data-target') ?? false"):
            break
        page.keyboard.press("Tab")
    for count in range(5):
        expect(page.locator("#status")).to_contain_text(r"Your turn" if count == 0 else "")
        expect(
            page.locator("[data-target]").or_(page.locator("#status", has_text="over")).first
        ).to_be_attached()
        if "over" in (page.locator("#status").text_content() or ""):
            break
        # The focus comes back to the board by itself after the answer of the bot.
        page.keyboard.press("Enter")
        expect(page.locator("#log li")).not_to_have_count(2 * count, timeout=20_000)
        expect(page.locator("#status")).not_to_contain_text("Waiting", timeout=20_000)
    visitor.expect_status("over")


def test_hands_stay_hidden_between_two_browsers(visitor: Visitor, other: Visitor) -> None:
    own = visitor.open_table("crazy-eights", ME, INVITED)
    other.go(own["links"][0]["path"])
    visitor.expect_status("Your turn")
    # The shuffle is shown in short, and in full on demand.
    shuffle = visitor.page.locator("#log .run")
    expect(shuffle).to_contain_text("more)")
    shuffle.get_by_role("button", name="All outcomes").click()
    expect(shuffle).not_to_contain_text("more)")
    expect(shuffle.get_by_role("button", name="All outcomes")).to_have_attribute("aria-expanded", "true")
    for turn in range(8):
        who, rest = (visitor, other) if "Your turn" in _status(visitor) else (other, visitor)
        mine, theirs = _faces(who), _faces(rest)
        assert len(mine & theirs) <= 1, "only the top of the pile is seen by both"
        ready = who.page.locator("[data-target][aria-pressed=false], .answers button:not([disabled])")
        count = who.page.locator("#log li").count()
        expect(ready.first).to_be_attached()
        first = ready.first
        hit = first.locator(".hit")
        (hit if hit.count() else first).click(force=True)
        if who.page.locator("#log li").count() == count and turn == 0:
            expect(who.page.locator("#log li").or_(who.page.locator(".crumb")).first).to_be_attached()
        who.page.wait_for_timeout(100)


def test_hands_are_covered_between_people_at_one_screen(visitor: Visitor) -> None:
    visitor.open_table("crazy-eights", ME, ME)
    visitor.expect_status("your turn")
    page = visitor.page
    for _ in range(60):
        if page.locator("#cover").is_visible():
            break
        ready = page.locator(".answers button").filter(has_text="End").or_(page.locator("[data-target]"))
        first = ready.or_(page.locator(".answers button")).first
        hit = first.locator(".hit")
        (hit if hit.count() else first).click(force=True)
        page.wait_for_timeout(100)
    expect(page.locator("#boxes")).to_be_hidden()
    expect(page.locator("#cover-title")).to_contain_text("it is your turn")
    page.get_by_role("button", name="Show my view").press("Enter")
    expect(page.locator("#boxes")).to_be_visible()


def _status(visitor: Visitor) -> str:
    return visitor.page.locator("#status").text_content() or ""


def _faces(visitor: Visitor) -> set[str]:
    items = visitor.page.locator("[data-item^='card.']")
    return {each.get_attribute("data-item") or "" for each in items.all()}


def test_animations_last_as_long_as_they_shall_and_respect_reduced_motion(
    browser: Browser, address: RunningServer
) -> None:
    note = (
        "window.animated = []; const before = Element.prototype.animate;"
        "Element.prototype.animate = function (frames, options)"
        "{ window.animated.push(options.duration); return before.call(this, frames, options); };"
    )
    for motion, expected in (("no-preference", {200}), ("reduce", set())):
        visitor = Visitor(browser, address.address, reduced_motion=motion)
        visitor.context.add_init_script(note)
        visitor.open_table("othello", ME, ME)
        visitor.page.locator("[data-target] .hit").first.click(force=True)
        visitor.expect_moves(1)
        assert set(visitor.page.evaluate("window.animated")) == expected
        visitor.close()


CONTRAST = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const curve = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const channel = (value) => curve(value / 255);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const over = (top, below) => {
    const alpha = top[3] ?? 1;
    return [0, 1, 2].map((each) => top[each] * alpha + below[each] * (1 - alpha));
  };
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length >= 3) layers.push(colour);
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const wrong = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || element.closest("svg, :disabled, [hidden], option")) continue;
    if (!element.checkVisibility() || element.closest(".visually-hidden")) continue;
    const style = getComputedStyle(element);
    const below = ground(element);
    const [one, two] = [light(over(parse(style.color), below)), light(below)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) wrong.push(`${ratio.toFixed(2)}: ${text}`);
  }
  return wrong;
}"""


def test_all_texts_have_the_contrast_of_wcag_aa_in_both_themes(visitor: Visitor) -> None:
    own = visitor.open_table("", ME, INVITED, source=source_of("market"))
    visitor.expect_status("Waiting for players")
    places = [f"/table.html#id={own['table']['id']}", "/"]
    visitor.open_table("", ME, ME, source=source_of("basket"))
    visitor.expect_status("your turn")
    visitor.page.get_by_role("button", name="one Pear more").click()
    visitor.page.locator("#move-text").fill("nonsense")
    visitor.page.locator("#move-text").press("Enter")
    expect(visitor.page.locator("#refusal")).not_to_be_empty()
    for place in (None, *places):
        if place is not None:
            visitor.go(place)
            expect(visitor.page.locator("#join button, .game button").first).to_be_visible()
        for theme in ("light", "dark"):
            visitor.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            wrong = visitor.page.evaluate(CONTRAST)
            assert wrong == [], (place, theme)


def test_a_table_for_friends_takes_three_clicks(visitor: Visitor, other: Visitor) -> None:
    visitor.go("/")
    page = visitor.page
    page.get_by_role("button", name="Open a table for friends to play Othello").click()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/table.html**")
    link = page.get_by_label("Link for player 2").input_value()
    other.page.goto(link)
    visitor.expect_status("Your turn")
    other.expect_status("Waiting for Player 1")


def test_names_are_seen_by_others(visitor: Visitor, other: Visitor) -> None:
    visitor.go("/")
    visitor.page.get_by_label("Your name").fill("Ada")
    visitor.page.get_by_label("Your name").press("Enter")
    expect(visitor.page.locator("#announcer")).to_contain_text("Others see you as Ada")
    own = visitor.open_table("othello", ME, {"kind": "open"}, listed=True)
    other.go(f"/table.html#id={own['table']['id']}")
    expect(other.page.locator("#people")).to_contain_text("Ada")
    other.page.get_by_label("Your name").fill("Bea")
    other.page.get_by_role("button", name="Play as ▲ player 2").click()
    visitor.expect_status("Your turn")
    expect(visitor.page.locator("#people")).to_contain_text("Bea")


def test_every_control_is_large_enough_for_a_finger(browser: Browser, address: RunningServer) -> None:
    visitor = Visitor(browser, address.address, viewport=PHONE, has_touch=True, is_mobile=True)
    visitor.open_table("", ME, ME, source=source_of("market"))
    visitor.expect_status("your turn")
    expect(visitor.page.locator("#trade .quantity").first).to_be_visible()
    small = visitor.page.evaluate(
        "[...document.querySelectorAll('button, input, select, a:not(.skip)')]"
        ".filter((each) => each.checkVisibility())"
        ".map((each) => [each.textContent || each.id, each.getBoundingClientRect()])"
        ".filter(([, box]) => box.width > 1 && (box.width < 24 || box.height < 24)).map(([name]) => name)"
    )
    assert small == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    visitor.close()
