"""The pages in a real browser: games by clicks, without errors, foreign requests or policy violations."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Error as PlaywrightError

import ludograph
from tests.pages.browsers import CHROMIUM, DESK, PHONE, Visitor
from tests.server.servers import RunningServer, running_server

pytestmark = [
    pytest.mark.optional,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian's package chromium) for the pages"),
    pytest.mark.xdist_group("pages"),
]

ME = {"kind": "me"}
EASY = {"kind": "bot", "bot": "easy"}


def test_the_lobby_shows_every_game_with_its_picture(visitor: Visitor) -> None:
    visitor.go("/")
    expect(visitor.page.locator(".game")).to_have_count(len(ludograph.list_games()))
    visitor.page.locator("#search").fill("dice")
    shown = visitor.page.locator(".game:visible h3")
    expect(shown).to_contain_text(["Liar's dice"])
    picture = visitor.context.request.get(visitor.address + "/pictures/tic-tac-toe.svg")
    assert picture.ok and picture.text().startswith("<svg")
    assert visitor.context.request.get(visitor.address + "/pictures/nothing.svg").status == 404


def test_two_browsers_play_a_game_to_its_end(browser: Browser, address: RunningServer) -> None:
    one, two = Visitor(browser, address.address), Visitor(browser, address.address)
    own = one.open_table("tic-tac-toe", ME, {"kind": "invited"})
    one.expect_status("Waiting for players")
    two.go(own["links"][0]["path"])
    moves = [(one, "0-", "0-"), (two, "1-", "0-"), (one, "0-", "1-"), (two, "1-", "1-"), (one, "0-", "2-")]
    for count, (who, row, column) in enumerate(moves, 1):
        who.expect_status("Your turn")
        who.page.locator(f"[data-target$='{row}-{column}']").click()
        who.expect_moves(count)
    one.expect_status("you win")
    two.expect_status("over")
    one.close()
    two.close()


def test_hexil_against_three_bots_is_one_click_away(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.page.get_by_role("button", name="Play Hexil against bots", exact=True).click()
    visitor.page.wait_for_url(re.compile("table.html"))
    visitor.expect_status("Your turn")
    for _ in range(2):
        visitor.page.locator("[data-target] .hit").first.click(force=True)
    expect(visitor.page.locator("#log li")).not_to_have_count(0)
    expect(visitor.page.locator("#log li").nth(1)).to_contain_text(re.compile(r"Pv\([a-g][1-7][ns]\)"))
    expect(visitor.page.locator("[data-item='tile.d4']")).to_have_count(1)
    expect(visitor.page.locator("[data-item='name.player0']")).to_contain_text("(you)")
    expect(visitor.page.locator("[data-item='name.player1']")).not_to_contain_text("(you)")


def test_a_piece_or_its_target_may_be_clicked_first(visitor: Visitor) -> None:
    visitor.open_table("chess", ME, ME)
    page = visitor.page
    page.locator("[data-target][aria-label*='e2']").click()
    expect(page.locator("[data-target][aria-pressed=false]")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator("[data-target][aria-pressed=false]")).to_have_count(10)
    page.locator("[data-target][aria-label*='e2']").click()
    page.locator("[data-target][aria-label*='e4']").click()
    visitor.expect_moves(1)
    expect(page.locator("#log li").first).to_contain_text("e2.play(to: e4)")


def test_a_move_can_be_typed_and_a_refusal_says_why(visitor: Visitor) -> None:
    visitor.open_table("chess", ME, ME)
    page = visitor.page
    visitor.expect_status("your turn")
    page.locator("#move-text").fill("e2.play(to: e5)")
    page.locator("#move-text").press("Enter")
    expect(page.locator("#refusal")).not_to_be_empty()
    page.locator("#move-text").fill("e2.play(to: e4)")
    page.locator("#move-text").press("Enter")
    visitor.expect_moves(1)
    expect(page.locator("#move-text")).to_have_value("")


def test_the_keyboard_is_enough(visitor: Visitor) -> None:
    visitor.open_table("connect-four", ME, ME)
    page = visitor.page
    visitor.expect_status("your turn")
    for count in range(1, 5):
        page.locator("[data-target][tabindex='0']").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        visitor.expect_moves(count)


def test_a_page_that_is_loaded_again_goes_on_where_it_was(visitor: Visitor) -> None:
    visitor.open_table("othello", ME, ME)
    visitor.page.locator("[data-target] .hit").first.click(force=True)
    visitor.expect_moves(1)
    visitor.page.reload()
    visitor.expect_moves(1)
    other = visitor.new_page()
    other.goto(visitor.page.url)
    expect(other.locator("#log li")).to_have_count(1)
    visitor.page.locator("[data-target] .hit").first.click(force=True)
    expect(other.locator("#log li")).to_have_count(2)


def test_uploaded_rules_are_checked_and_played(visitor: Visitor) -> None:
    visitor.go("/")
    page = visitor.page
    page.locator("#write-game").click()
    page.locator("#source").fill('game "Nim";\nglobal state heap\n{\n  decimal left = 7\n}\n')
    page.locator("#dialog-open").click()
    expect(page.locator("#dialog-problem")).to_contain_text("line")
    page.locator("#source").fill(
        'game "Nim";\nglobal state heap\n{\n  decimal left = 7;\n  action take\n  {\n'
        "    trigger on player choice;\n"
        "    input decimal number from 1 to 3 { number <= left }\n"
        "    effect { left -= number; if left == 0 win player; pass; }\n  }\n}\n"
    )
    page.locator("#dialog-open").click()
    expect(page.locator("#dialog-title")).to_contain_text("Nim")
    for seat in page.locator(".seats select").all():
        seat.select_option("me")
    page.locator("#dialog-open").click()
    page.wait_for_url(re.compile("table.html"))
    visitor.expect_status("your turn")
    page.get_by_role("button", name="3", exact=True).click()
    visitor.expect_moves(1)


def test_a_phone_shows_the_board_and_the_prompt_without_scrolling_sideways(
    browser: Browser, address: RunningServer
) -> None:
    visitor = Visitor(browser, address.address, viewport=PHONE, has_touch=True, is_mobile=True)
    for path in ("/", None):
        if path is None:
            visitor.open_table("hexil", ME, EASY, EASY)
            visitor.expect_status("Your turn")
        else:
            visitor.go(path)
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    visitor.page.locator("[data-target] .hit").first.tap(force=True)
    visitor.close()


def test_a_spectator_sees_no_hands_and_has_no_choices(browser: Browser, address: RunningServer) -> None:
    player, spectator = Visitor(browser, address.address), Visitor(browser, address.address)
    own = player.open_table("crazy-eights", ME, ME)
    player.expect_status("your turn")
    spectator.go(f"/table.html#id={own['table']['id']}")
    spectator.expect_status("Waiting for")
    expect(spectator.page.locator("[data-target]")).to_have_count(0)
    expect(spectator.page.locator("#move-form")).to_be_hidden()
    assert player.page.locator("svg .face").count() > spectator.page.locator("svg .face").count()
    player.close()
    spectator.close()


@pytest.mark.parametrize("game", ludograph.list_games())
def test_every_game_is_played_by_generic_clicks(game: str, visitor: Visitor, photographs: Path) -> None:
    """Click whatever is marked or has a button, until ten moves are made or the game is over."""
    players = min(ludograph.load(game).player_counts)
    visitor.open_table(game, *[ME] * players)
    page = visitor.page
    shown = page.locator("[data-target][aria-pressed=false], .answers button, #uncover, .tray button")
    ready = shown.and_(page.locator(":not([disabled])")).filter(visible=True)
    done = page.locator("#answers .done:not([disabled])")
    for click in range(100):
        if page.locator("#log li").count() >= 10 or "over" in (page.locator("#status").text_content() or ""):
            break
        expect(ready.or_(done).first).to_be_attached()
        every = done.all() or ready.all()
        # The page may have gone on since it was asked; then the next round clicks again.
        with suppress(PlaywrightError):
            each = every[click % len(every)]
            hit = each.locator(".hit")
            (hit if hit.count() else each).click(force=True, timeout=1000)
        page.wait_for_timeout(50)
    assert page.locator("#log li").count() >= (5 if game == "tic-tac-toe" else 10)
    if page.locator("#uncover").is_visible():
        page.locator("#uncover").click()
    for name, size in (("large", DESK), ("small", PHONE)):
        page.set_viewport_size(size)
        for theme in ("light", "dark"):
            page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            picture = page.screenshot(path=photographs / f"{game}-{name}-{theme}.png", full_page=True)
            assert len(picture) > 5000
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_chess_with_castling_promotion_and_an_undo_that_the_other_agrees_to(
    browser: Browser, address: RunningServer
) -> None:
    one, two = Visitor(browser, address.address), Visitor(browser, address.address)
    own = one.open_table("chess", ME, {"kind": "invited"})
    two.go(own["links"][0]["path"])

    def play(who: Visitor, *places: str) -> None:
        who.expect_status("Your turn")
        for place in places:
            who.page.locator(f"[data-target][aria-pressed=false][aria-label*='{place}']").first.click()

    # A piece with one move needs one click.
    opening = [("e2", "e4"), ("a7", "a5"), ("g1", "f3"), ("a5",), ("f1", "e2"), ("a4",)]
    for number, places in enumerate(opening, 1):
        play((two, one)[number % 2], *places)
        one.expect_moves(number)
    one.page.locator("#move-text").fill("e1.castle(side: 2)")
    one.page.locator("#move-text").press("Enter")
    one.expect_moves(7)
    play(two, "a3")
    one.expect_moves(8)
    one.page.get_by_role("button", name="Undo my turn").click()
    two.page.get_by_role("button", name="Agree").click()
    expect(one.page.locator("#log")).to_contain_text("takes moves back")
    one.expect_status("Your turn")
    play(one, "h2", "h3")
    play(two, "a3")
    play(one, "h3")
    play(two, "b2", "a1")  # the promotion opens
    beside, square = (
        two.page.locator("#beside").bounding_box(),
        two.page.locator("[data-item='cell.a1']").bounding_box(),
    )
    assert beside is not None and square is not None
    assert abs(beside["y"] - square["y"] - square["height"]) < 20, "the answers open at the target"
    two.page.get_by_role("button", name="Queen").click()
    expect(two.page.locator("#log")).to_contain_text("queen")
    one.close()
    two.close()


def test_a_game_goes_on_after_the_server_was_killed(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with running_server(f"sqlite:///{tmp_path_factory.mktemp('killed') / 'tables.sqlite'}") as server:
        visitor = Visitor(browser, server.address)
        visitor.open_table("othello", ME, ME)
        visitor.page.locator("[data-target] .hit").first.click(force=True)
        visitor.expect_moves(1)
        server.kill()
        expect(visitor.page.locator("#connection")).to_be_visible(timeout=10_000)
        server.start()
        expect(visitor.page.locator("#connection")).to_be_hidden(timeout=20_000)
        visitor.page.locator("[data-target] .hit").first.click(force=True)
        visitor.expect_moves(2)
        visitor.problems.clear()  # the browser reports each refused connection
        visitor.close()


def test_the_link_for_spectators_is_copied_and_a_bot_plays_on_a_left_seat(
    browser: Browser, address: RunningServer
) -> None:
    player, other = Visitor(browser, address.address), Visitor(browser, address.address)
    spectator = Visitor(browser, address.address)
    player.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address.address)
    own = player.open_table("othello", {"kind": "me"}, {"kind": "invited"})
    other.go(own["links"][0]["path"])
    player.expect_status("Your turn")
    player.page.get_by_role("button", name="Copy the link for spectators").click()
    expect(player.page.get_by_role("button", name="Copied")).to_be_visible()
    spectator.page.goto(player.page.evaluate("navigator.clipboard.readText()"))
    spectator.expect_status("Waiting for Player 1")
    expect(spectator.page.locator("#move-form")).to_be_hidden()
    # The first click asks, and one may stay.
    player.page.get_by_role("button", name="Leave my seat").click()
    player.page.get_by_role("button", name="Stay").click()
    player.page.get_by_role("button", name="Leave my seat").click()
    player.page.get_by_role("button", name="Leave", exact=True).click()
    player.page.wait_for_url(address.address + "/")
    # A bot plays for the one who left, and the others see it.
    other.expect_status("Your turn")
    for each in (other, spectator):
        expect(each.page.locator("#people li[data-seat='0']")).to_contain_text("Bot (")
    for each in (player, other, spectator):
        each.close()
