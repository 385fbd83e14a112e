"""Shared settings of all tests: golden files, repeatable properties, a temporary cache, failing skips in CI.

Hypothesis draws the same examples in every run, so that a failure is repeatable. To try new examples, run
`python3 dev.py test --hypothesis-profile=explore`.
"""

import os
import re
import signal
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from ludograph.tgdl.native.run.engine import Engine
from tests.golden_files import Golden

ROOT = Path(__file__).resolve().parent.parent
GOLDEN_FOLDER = ROOT / "tests" / "golden"
LAST_TEST = "test_every_golden_file_is_used"

settings.register_profile("deterministic", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=1000)
settings.load_profile("deterministic")


GOLDEN = pytest.StashKey[Golden]()
UNUSED = pytest.StashKey[list[Path]]()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    return request.config.stash[GOLDEN]


class SkipsFail:
    """Turn a skipped test into a failure, unless it is marked optional and README.md names it or its file."""

    def __init__(self, readme: str) -> None:
        self.named = frozenset(re.findall(r"\btest_\w+", readme))
        self.named_files = frozenset(re.findall(r"\btests/[\w/]+\.py\b", readme))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        name = getattr(item, "originalname", None) or item.name
        file = item.path.relative_to(item.config.rootpath).as_posix()
        is_named = name in self.named or file in self.named_files
        optional = item.get_closest_marker("optional") is not None and is_named
        if report.skipped and not hasattr(report, "wasxfail") and not optional:
            report.outcome = "failed"
            report.longrepr = f"skipped, and in CI that is a failure: {_reason(report.longrepr)}"
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        if report.skipped:
            report.outcome = "failed"
            report.longrepr = f"skipped as a whole, and in CI that is a failure: {_reason(report.longrepr)}"
        return report


def _reason(longrepr: object) -> str:
    return str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[GOLDEN] = Golden(GOLDEN_FOLDER, write=os.environ.get("LUDOGRAPH_GOLDEN") == "write")
    if not hasattr(config, "workerinput"):  # the worker processes use the cache of the first process
        cache = tempfile.TemporaryDirectory(prefix="ludograph-")
        config.add_cleanup(cache.cleanup)
        os.environ["LUDOGRAPH_CACHE"] = cache.name
    Engine.verifies = True
    # A failure of the compiler must not hide behind the reference engine.
    os.environ["LUDOGRAPH_STRICT"] = "1"
    # A shell ignores SIGINT for background jobs, but tests interrupt the processes that they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.environ.get("CI"):
        # The hooks of this file do not see the doctests under src, so this is a separate plugin.
        config.pluginmanager.register(SkipsFail((ROOT / "README.md").read_text(encoding="utf-8")))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests by default, and run the test for unused golden files last and only with all others.

    With several processes no process runs all tests; the first process checks for unused files at the end.
    """
    if not config.getoption("markexpr"):
        slow = [item for item in items if item.get_closest_marker("slow") is not None]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item.get_closest_marker("slow") is None]
    last = [item for item in items if item.name == LAST_TEST]
    others = [item for item in items if item.name != LAST_TEST]
    runs_all = _is_whole_suite(config) and not hasattr(config, "workerinput")
    items[:] = [*others, *last] if runs_all else others
    if last and last[0] not in items:
        config.hook.pytest_deselected(items=last)


def _is_whole_suite(config: pytest.Config) -> bool:
    narrowed = any(
        config.getoption(name, None) for name in ("keyword", "markexpr", "lf", "deselect", "ignore")
    )
    return config.args_source is config.ArgsSource.TESTPATHS and not narrowed


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With several processes, collect the names of used golden files in the first process."""
    config = session.config
    used = config.stash[GOLDEN]
    sent = getattr(config, "workeroutput", None)
    if sent is not None:
        sent["golden"] = sorted(map(str, used.used))
    elif config.pluginmanager.hasplugin("dsession") and _is_whole_suite(config) and not session.testsfailed:
        config.stash[UNUSED] = [] if used.write else used.unused()
        if config.stash[UNUSED]:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    sent = getattr(node, "workeroutput", {})
    node.config.stash[GOLDEN].used.update(map(Path, sent.get("golden", ())))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for path in config.stash.get(UNUSED, []):
        terminalreporter.write_line(f"no test uses {path}; `python3 dev.py golden` removes it", red=True)
