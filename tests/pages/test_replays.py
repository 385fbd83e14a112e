"""The page of replays in a real browser: a pasted game, a link to a moment, a study seen by somebody else."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.pages.browsers import CHROMIUM, PHONE, Visitor
from tests.server.servers import RunningServer

pytestmark = [
    pytest.mark.optional,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian's package chromium) for the pages"),
    pytest.mark.xdist_group("pages"),
]

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
WIN = ("grid[1][1]", "grid[0][0]", "grid[0][1]", "grid[2][2]", "grid[2][1]")
RECORD = '[Game "Tic-tac-toe"]\n[Rules "?"]\n[Players "2"]\n\n' + "\n".join(
    f"{number % 2}: {cell}.mark" for number, cell in enumerate(WIN)
)


@pytest.fixture
def visitor(browser: Browser, address: RunningServer) -> Iterator[Visitor]:
    found = Visitor(browser, address.address)
    yield found
    found.close()


def _paste(visitor: Visitor, text: str) -> None:
    """Open a text by pasting it into the field."""
    visitor.go("/replay.html")
    visitor.page.locator("#open-text").fill(text)
    visitor.page.locator("#open-button").click()
    expect(visitor.page.locator("#viewer")).to_be_visible(timeout=60_000)
    _expect_place(visitor, "0 /")


def _expect_place(visitor: Visitor, text: str) -> None:
    expect(visitor.page.locator("#count")).to_contain_text(text, timeout=20_000)


def _open(visitor: Visitor, text: str) -> str:
    """Open a replay in the session of a visitor, without the form; its id."""
    visitor.go("/")
    opened = visitor.post("/api/replays", {"text": text})
    found: str = opened["replay"]["id"]
    return found


def test_a_pasted_cgn_game_is_replayed_by_slider_keys_and_clicks(visitor: Visitor) -> None:
    _paste(visitor, (EXAMPLES / "game.cgn").read_text(encoding="utf-8"))
    page = visitor.page
    _expect_place(visitor, "0 / 35")
    before = page.locator("#board [data-item]").count()
    page.keyboard.press("ArrowRight")
    _expect_place(visitor, "1 / 35")
    expect(page.locator("#caption")).to_contain_text("places a village")
    expect(page.locator("#announcer")).to_contain_text("places a village")
    page.keyboard.press("End")
    _expect_place(visitor, "35 / 35")
    expect(page.locator("#forward")).to_be_disabled()
    expect(page.locator("#moves [aria-current]")).to_contain_text("E")
    expect(page.locator("#board [data-item]")).not_to_have_count(before)
    page.keyboard.press("Home")
    _expect_place(visitor, "0 / 35")
    page.locator("#step").fill("20")
    _expect_place(visitor, "20 / 35")
    page.locator("#moves [data-node='7']").click()
    _expect_place(visitor, "7 / 35")
    page.locator("#speed").select_option("150")
    page.locator("#count").click()
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    _expect_place(visitor, "9 / 35")
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")


def test_a_link_leads_to_a_moment_seen_by_a_player(browser: Browser, address: RunningServer) -> None:
    one, two = Visitor(browser, address.address), Visitor(browser, address.address)
    _paste(one, (EXAMPLES / "game.han").read_text(encoding="utf-8"))
    one.page.locator("#step").fill("30")
    one.page.locator("#view").select_option("2")
    one.page.wait_for_url(re.compile("at=30&view=2"))
    two.page.goto(one.page.url)
    _expect_place(two, "30 / 35")
    expect(two.page.locator("#view")).to_have_value("2")
    expect(two.page.locator("#board desc")).to_have_text(
        one.page.locator("#board desc").text_content() or "-"
    )
    one.close()
    two.close()


def test_a_variation_in_a_study_is_seen_and_copied_by_somebody_else(
    browser: Browser, address: RunningServer
) -> None:
    one, two = Visitor(browser, address.address), Visitor(browser, address.address)
    _paste(one, RECORD)
    page = one.page
    page.locator("#step").fill("2")
    page.locator("#vary").click()
    page.locator("[data-target$='2--0-']").first.click(force=True)
    expect(page.locator("#moves .starts")).to_contain_text("grid[2][0].mark")
    _expect_place(one, "3 / 3")
    page.locator("#move-text").fill("grid[0][2].mark")
    page.locator("#move-text").press("Enter")
    _expect_place(one, "4 / 4")
    page.locator("#note").fill("<b>both</b> sides")
    page.locator("#save-note").click()
    expect(page.locator("#moves .noted")).to_have_count(1)
    page.wait_for_url(re.compile("at=7"))
    two.page.goto(page.url)
    _expect_place(two, "4 / 4")
    expect(two.page.locator("#note")).to_have_value("<b>both</b> sides")
    expect(two.page.locator("#ownership")).to_contain_text("somebody else")
    expect(two.page.locator("#remove")).to_be_hidden()
    first = two.page.url
    two.page.locator("#vary").click()
    two.page.locator("#move-text").fill("grid[1][0].mark")
    two.page.locator("#move-text").press("Enter")
    _expect_place(two, "5 / 5")
    expect(two.page.locator("#ownership")).to_contain_text("Only you")
    assert two.page.url != first
    page.reload()
    _expect_place(one, "4 / 4")
    expect(page.locator("#moves .move")).to_have_count(8)
    page.locator("#remove").click()
    expect(page.locator("#moves .move")).to_have_count(6)
    one.close()
    two.close()


def test_dice_are_chosen_or_drawn(visitor: Visitor) -> None:
    visitor.go(
        f"/replay.html#id={_open(visitor, (EXAMPLES / 'setup.ccn').read_text(encoding='utf-8'))}&at=16"
    )
    page = visitor.page
    _expect_place(visitor, "16 / 16")
    page.locator("#vary").click()
    page.locator("#answers").get_by_role("button", name="Roll").click()
    expect(page.locator("#varying-words")).to_contain_text("Chance decides")
    page.locator("[data-outcome='2']").click()
    page.locator("[data-outcome='4']").click()
    _expect_place(visitor, "17 / 17")
    expect(page.locator("#caption")).to_contain_text("3 + 5 = 8")
    page.keyboard.press("ArrowLeft")
    _expect_place(visitor, "16 / 17")
    page.locator("#answers").get_by_role("button", name="Roll").click()
    page.get_by_role("button", name="Draw at random").click()
    expect(page.locator("#caption")).to_contain_text("rolls")


def test_the_best_moves_can_be_played_and_the_chart_shows_the_evaluation(visitor: Visitor) -> None:
    visitor.go(f"/replay.html#id={_open(visitor, RECORD)}&at=4")
    page = visitor.page
    _expect_place(visitor, "4 / 5")
    page.locator("#best").click()
    best = page.locator("#best-moves li").first
    expect(best).to_contain_text("grid[2][1].mark")
    expect(best).to_contain_text("+1.00 sure")
    page.get_by_role("button", name="Bot’s evaluation").click()
    expect(page.locator("#progress-text")).to_contain_text("6 of 6", timeout=30_000)
    assert page.locator("#chart .series").first.get_attribute("d")
    page.locator("#best-moves button").first.click()
    _expect_place(visitor, "5 / 5")
    expect(page.locator("#legend")).to_contain_text("1")


def test_texts_and_pictures_are_copied_and_saved(visitor: Visitor) -> None:
    visitor.go(f"/replay.html#id={_open(visitor, (EXAMPLES / 'game.han').read_text(encoding='utf-8'))}&at=3")
    page = visitor.page
    _expect_place(visitor, "3 / 35")
    page.locator("#format").select_option("hsn")
    page.locator("#copy-text").click()
    expect(page.locator("#saved-text")).to_have_value(re.compile(r"^\[3SSSS"))
    page.locator("#format").select_option("svg")
    with page.expect_download() as started:
        page.locator("#save-text").click()
    assert started.value.suggested_filename == "hexil-3.svg"
    assert Path(started.value.path()).read_text(encoding="utf-8").startswith("<svg")
    page.locator("#format").select_option("sgn")
    page.locator("#copy-text").click()
    expect(page.locator("#losses")).to_contain_text("cannot say")


def test_a_wrong_text_is_explained_at_its_place(visitor: Visitor) -> None:
    visitor.go("/replay.html")
    page = visitor.page
    page.locator("#open-button").click()
    expect(page.locator("#open-findings")).to_contain_text("no text yet")
    page.locator("#open-text").fill("Pv(d4n)\nPr(d4q)")
    page.locator("#open-button").click()
    expect(page.locator("#open-findings")).to_contain_text("Line 2, column 4", timeout=30_000)
    selected = page.locator("#open-text").evaluate(
        "area => area.value.slice(area.selectionStart, area.selectionEnd)"
    )
    assert selected == "d4q)"


def test_a_file_may_be_chosen_or_dropped(visitor: Visitor) -> None:
    visitor.go("/replay.html")
    page = visitor.page
    page.locator("#open-file").set_input_files(EXAMPLES / "game.sgn")
    _expect_place(visitor, "0 / 34")
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "start.ccn"));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
        }""",
        (EXAMPLES / "setup.ccn").read_text(encoding="utf-8"),
    )
    _expect_place(visitor, "0 / 16")
    page.locator("#all-replays").click()
    expect(page.locator("#own li")).to_have_count(2)
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#own li").first.get_by_role("button", name="Delete").click()
    expect(page.locator("#own li")).to_have_count(1)


def test_an_ended_game_has_a_link_to_its_replay_on_a_phone(browser: Browser, address: RunningServer) -> None:
    visitor = Visitor(browser, address.address, viewport=PHONE, has_touch=True, is_mobile=True)
    visitor.open_table("tic-tac-toe", {"kind": "me"}, {"kind": "me"})
    for count, cell in enumerate(WIN, 1):
        asked = visitor.page.locator("#people .asked")
        expect(asked).to_have_attribute("data-seat", str((count - 1) % 2))
        visitor.page.locator("#move-text").fill(f"{cell}.mark")
        visitor.page.locator("#move-text").press("Enter")
        visitor.expect_moves(count)
    visitor.go("/")
    visitor.page.get_by_text("Finished games").tap()
    visitor.page.locator("#finished").get_by_role("link", name="Replay").tap()
    _expect_place(visitor, "0 / 5")
    visitor.page.locator("#forward").tap()
    _expect_place(visitor, "1 / 5")
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    visitor.close()
