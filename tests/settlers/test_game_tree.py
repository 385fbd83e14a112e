"""Game trees: nodes are added, moved and removed; trees and records convert to each other."""

import copy
import pickle

import pytest
from hypothesis import given

from ludograph.notation import han
from ludograph.settlers import Act, Commented, EndTurn, Player, Record, Roll, Variation
from ludograph.settlers.game_tree import GameNode, GameTree
from ludograph.settlers.record import MAX_VARIATION_DEPTH
from ludograph.settlers.visitors import RecordVisitor
from tests.strategies import han_trees, less_often

ROLLS = [Roll((1, number)) for number in range(1, 5)]


def tree_of(text: str) -> GameTree:
    return GameTree.from_record(han.parse_game(text))


def text_of(tree: GameTree) -> str:
    return " ".join(han.format_game(tree.record()).split())


def totals(node: GameNode) -> list[int | None]:
    return [each.action.total for each in node.variations if isinstance(each.action, Roll)]


@pytest.fixture
def branching() -> GameTree:
    tree = GameTree()
    for roll in ROLLS:
        tree.add_variation(roll)
    return tree


@less_often
@given(han_trees())
def test_a_tree_has_the_main_line_and_the_events_of_its_record(record: Record) -> None:
    tree = GameTree.from_record(record)
    again = tree.record()
    assert again.events == record.events
    assert again.start == record.start
    assert tree == GameTree.from_record(again)
    assert again == GameTree.from_record(again).record()
    assert [node.event for node in tree.main_line()] == [
        event for event in record.events if isinstance(event, Act)
    ]
    assert tree.record(variations=False).variations == ()
    assert tree.copy() == pickle.loads(pickle.dumps(tree)) == copy.deepcopy(tree) == tree


def test_a_tree_keeps_headers_and_comments_at_every_action() -> None:
    tree = tree_of('[Event "Final"]\n{first} R? {a} {b} ({c} R(1+2) {d}) E')
    assert tree.headers == {"Event": "Final"}
    assert tree.comments == ["first"]
    roll, other = tree.variations
    assert (roll.comments, roll.starting_comments) == (["a", "b"], [])
    assert (other.comments, other.starting_comments) == (["d"], ["c"])
    tree.headers["Site"] = "Kitchen"
    roll.comments.clear()
    assert text_of(tree) == '[Event "Final"] [Site "Kitchen"] # first R? ({ c } R(1+2) { d }) E'


def test_an_added_variation_comes_last_and_an_added_main_variation_first(branching: GameTree) -> None:
    branching.add_variation(Roll((6, 6)))
    assert totals(branching) == [2, 3, 4, 5, 12]
    branching.add_main_variation(Roll((5, 6)), player=Player(2), comment="good")
    assert totals(branching) == [11, 2, 3, 4, 5, 12]
    assert (branching.variations[0].player, branching.variations[0].comments) == (Player(2), ["good"])


def test_a_line_is_added_node_by_node() -> None:
    tree = GameTree()
    last = tree.add_line([ROLLS[0], Act(EndTurn(), Player(1)), ROLLS[1]], comment="so far")
    assert [node.action for node in last.line()] == [ROLLS[0], EndTurn(), ROLLS[1]]
    assert (last.depth, last.comments, last.root()) == (3, ["so far"], tree)
    assert tree.end() is last


def test_a_variation_is_promoted_and_demoted_by_one(branching: GameTree) -> None:
    branching.promote(ROLLS[2])
    assert totals(branching) == [2, 4, 3, 5]
    branching.promote(0)
    assert totals(branching) == [2, 4, 3, 5]
    branching.demote(branching.variations[0])
    assert totals(branching) == [4, 2, 3, 5]
    branching.demote(3)
    assert totals(branching) == [4, 2, 3, 5]
    branching.promote_to_first(3)
    assert totals(branching) == [5, 4, 2, 3]


def test_a_node_is_promoted_to_the_main_line_with_all_before_it() -> None:
    tree = tree_of("R? (R(1+2) E (Bd)) (R(1+3)) E")
    draw = tree[1][1]
    assert draw.starts_variation()
    assert not draw.is_main_line()
    draw.promote_to_main()
    assert draw.is_main_line()
    assert not draw.starts_variation()
    assert text_of(tree) == "R(1+2) (R? E) (R(1+3)) Bd (E)"


def test_a_removed_variation_leaves_the_tree(branching: GameTree) -> None:
    removed = branching.remove_variation(ROLLS[0])
    assert removed.parent is None
    assert totals(branching) == [3, 4, 5]
    with pytest.raises(ValueError, match="does not belong"):
        removed.root()
    with pytest.raises(KeyError):
        branching.remove_variation(removed)


def test_variations_are_found_by_index_action_and_node(branching: GameTree) -> None:
    second = branching.variations[1]
    assert branching[1] is branching[ROLLS[1]] is branching[second] is second
    assert ROLLS[1] in branching
    assert 4 not in branching
    assert EndTurn() not in branching
    for wrong in (4, -1, EndTurn(), GameNode()):
        with pytest.raises(KeyError):
            branching.variation(wrong)


def test_the_nodes_of_a_tree_come_line_by_line() -> None:
    tree = tree_of("R? (R(1+2) E) E")
    assert [node.action for node in tree.nodes() if node.action] == [
        Roll(),
        EndTurn(),
        Roll((1, 2)),
        EndTurn(),
    ]
    assert [node.is_end() for node in tree.nodes()] == [False, False, True, False, True]


def test_a_comment_is_no_node(branching: GameTree) -> None:
    with pytest.raises(TypeError, match="comments of a node"):
        branching.add_variation(Commented("so"))


def test_a_node_has_an_event_or_an_action(branching: GameTree) -> None:
    with pytest.raises(TypeError, match="an event or an action, not 'E'"):
        branching.add_variation("E")  # type: ignore[arg-type]


@pytest.mark.parametrize("variation", [Variation(1, (Act(EndTurn()),)), Variation(0, (Commented("so"),))])
def test_a_variation_that_replaces_no_event_is_refused(variation: Variation) -> None:
    with pytest.raises(ValueError, match="replaces an event"):
        GameTree.from_record(Record((Act(EndTurn()),), None, (), (variation,)))


def test_a_long_line_is_no_deep_tree() -> None:
    tree = GameTree()
    tree.add_line([EndTurn()] * 5000)
    assert len(tree.record().events) == 5000
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert sum(1 for _ in tree.nodes()) == 5001


def test_variations_that_nest_too_deep_are_refused() -> None:
    tree = GameTree()
    node: GameNode = tree
    for _ in range(MAX_VARIATION_DEPTH + 1):
        node.add_variation(EndTurn())
        node = node.add_variation(EndTurn())
    with pytest.raises(ValueError, match="nest at most"):
        tree.record()


def test_a_tree_has_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(GameTree())


def test_a_tree_is_shown_to_a_visitor() -> None:
    class Texts(RecordVisitor[list[str]]):
        def begin_game(self) -> None:
            self.found: list[str] = []

        def visit_event(self, event: object) -> None:
            self.found += [event.text] if isinstance(event, Commented) else []

        def result(self) -> list[str]:
            return self.found

    assert tree_of("R? {a} (E {b}) {c}").accept(Texts()) == ["a", "c", "b"]
