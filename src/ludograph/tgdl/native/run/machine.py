"""Machine code: LLVM text in, an object out, and from an object functions to call.

Only this module uses llvmlite. If llvmlite is missing, `unavailable_reason` says why and the reference engine
plays the game. LLVM is loaded on first use, because loading takes a tenth of a second.

Objects use the small code model and are linked by JITLink, which places all sections of an object next to
each other. Calls and tables in the object are addressed directly; the default code model of LLVM's JIT loads
each address into a register first. Windows keeps the default, because its JIT linker supports no other.

All functions may be called from several threads: llvmlite serialises its calls, and this module shares no
data between calls. The compiled functions run without the lock of the interpreter.
"""

import ctypes
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from ludograph.tgdl.native.ir.nodes import LONG, SELDOM, THOROUGH

try:
    import llvmlite
except ImportError as error:
    _import_failure = str(error)
else:
    _import_failure = ""

# The release series whose API is used below; other series differ.
NEEDED_SERIES = (0, 50)

CType = type[Any]  # such as ctypes.c_int64


class MachineError(RuntimeError):
    """LLVM rejects the generated text. Never the author's mistake."""


class Unavailable(RuntimeError):
    """There is no native engine on this machine; the message says why."""


def is_available() -> bool:
    """Whether machine code can be compiled on this machine."""
    return unavailable_reason() is None


def unavailable_reason() -> str | None:
    """Why no machine code can be compiled on this machine, or None if it can."""
    return missing_reason() or _binding()[1]


_forbidden: list[str] = []
"""Why this process must not use LLVM any more."""


def forbid(reason: str) -> None:
    """Make machine code unavailable in this process; code that is already loaded can still run."""
    _forbidden.append(reason)


def missing_reason() -> str | None:
    """The same, as far as it is known without loading LLVM."""
    if _forbidden:
        return _forbidden[0]
    series = ".".join(map(str, NEEDED_SERIES))
    if _import_failure:
        return f"llvmlite {series} cannot be imported ({_import_failure})"
    if _series(llvmlite.__version__) != NEEDED_SERIES:
        return f"llvmlite {series} is needed, and {llvmlite.__version__} is installed"
    return None


@cache
def _binding() -> tuple[Any, str | None]:
    """llvmlite's binding of LLVM; if its library cannot be loaded, None and the reason."""
    try:
        import llvmlite.binding
    except (ImportError, OSError) as error:
        series = ".".join(map(str, NEEDED_SERIES))
        return None, f"llvmlite {series} cannot be imported ({error})"
    return llvmlite.binding, None


def _llvm() -> Any:
    """llvmlite's binding of LLVM; raises `Unavailable` if there is none."""
    reason = unavailable_reason()
    if reason is not None:
        raise Unavailable(reason)
    return _binding()[0]


def _no_poll() -> None:
    """A poll that never ends the work."""


def target() -> str:
    """Everything except the text that an object depends on: versions, processor and code model."""
    llvm = _llvm()
    triple, processor, features, is_small = _host()
    compiler = ".".join(map(str, llvm.llvm_version_info))
    model = "small" if is_small else "usual"
    return f"llvmlite {llvmlite.__version__}, LLVM {compiler}, {triple}, {processor}, {model}, {features}"


def assemble(text: str, *, level: int = 1, poll: Callable[[], None] = _no_poll) -> bytes:
    """Verify and optimise an LLVM text and compile it to an object for this machine.

    The target triple and the data layout are added to the text. At level 0 nothing is optimised, for code
    that hardly runs. A huge text is compiled with the simplest code generator, which takes a fifth of the
    time. `poll` is called between the steps and may raise an exception to end the work.
    """
    llvm = _llvm()
    is_huge = text.count("\n") > HUGE
    with _target_machine(0 if is_huge else level) as machine, llvm.create_context() as context:
        layout = f'target datalayout = "{machine.target_data}" target triple = "{machine.triple}" '
        with _read(layout, text, context) as module:
            poll()
            if level > 0:
                _optimise(module, machine, poll, is_huge=is_huge)
            poll()
            try:
                made: bytes = machine.emit_object(module)
            except RuntimeError as error:
                raise MachineError(f"LLVM cannot compile the text: {error}") from None
    return made


def link(made: bytes, exports: Iterable[str]) -> "Machine":
    """Load an object of this target; undefined symbols are looked up in the process."""
    llvm = _llvm()
    names = tuple(exports)
    is_small = _host()[-1]
    library = llvm.JITLibraryBuilder().add_object_img(made).add_current_process()
    for name in names:
        library.export_symbol(name)
    with (
        _target_machine(1) as machine,
        llvm.create_lljit_compiler(machine, use_jit_link=is_small, suppress_errors=True) as linker,
    ):
        try:
            return Machine(library.link(linker, "world"), names)
        except RuntimeError as error:
            raise MachineError(f"LLVM cannot link the object: {error}") from None


class Machine:
    """Loaded machine code. It is unloaded when neither it nor one of its functions is referenced any more."""

    __slots__ = ("_library", "exports")

    def __init__(self, library: Any, exports: tuple[str, ...]) -> None:
        self._library = library
        self.exports = exports

    def function(
        self, name: str, result: CType | None, *arguments: CType, is_short: bool = False
    ) -> Callable[..., Any]:
        """An exported function, for calls from any thread.

        The lock of the interpreter is released while it runs. Short functions keep it: releasing it would
        take longer than the function.
        """
        prototype = ctypes.PYFUNCTYPE if is_short else ctypes.CFUNCTYPE
        function = prototype(result, *arguments)(self.address(name))
        vars(function)["library"] = self._library  # keeps the code loaded while the function is referenced
        return function

    def address(self, name: str) -> int:
        """The address of an exported symbol, valid while the machine or a function of it is referenced."""
        assert name in self.exports, f"{name} was not among the exports {', '.join(self.exports)}"
        address: int = self._library[name]
        return address


def _read(layout: str, text: str, context: Any) -> Any:
    """The verified module of a text. The caller must close it before its context, or LLVM crashes."""
    try:
        module = _llvm().parse_assembly(layout + text, context)
        try:
            module.verify()
        except RuntimeError:
            module.close()
            raise
    except RuntimeError as error:
        raise MachineError(_explain(str(error), text)) from None
    return module


# LLVM's default pipelines repeat many passes. These pipelines take a third of the time, or two thirds for
# functions marked as thorough, and the code executes about as many instructions. Loop unrolling,
# interleaving, vectorisation and rotation made the code no faster. NewGVN is not used: it gains a few per
# cent and aborts the process on some programs.
INLINING_PASSES = ("always_inliner",)
PROMOTION_PASSES = ("sroa",)
"""Not for long functions: the time grows with the slots of a function multiplied by its blocks."""
MODULE_PASSES = ("ipsccp", "global_dead_code_eliminate", "post_order_function_attributes")
QUICK_PASSES = (
    "instruction_combine", "simplify_cfg", "jump_threading", "dead_store_elimination",
    "instruction_combine", "simplify_cfg",
)  # fmt: skip
PLAIN_PASSES = ("simplify_cfg",)
HUGE = 45_000
"""A text with more lines is huge; the longest text of a shipped game has 27,000."""


def _optimise(module: Any, machine: Any, poll: Callable[[], None], *, is_huge: bool) -> None:
    llvm = _llvm()
    with llvm.create_pipeline_tuning_options(speed_level=2) as options:
        options.loop_unrolling = False
        options.loop_interleaving = options.loop_vectorization = options.slp_vectorization = False
        with (
            llvm.create_pass_builder(machine, options) as builder,
            llvm.create_new_module_pass_manager() as inlining,
            llvm.create_new_function_pass_manager() as promotion,
            llvm.create_new_module_pass_manager() as whole,
            llvm.create_new_function_pass_manager() as quick,
            llvm.create_new_function_pass_manager() as plain,
            builder.getFunctionPassManager() as thorough,
        ):
            _add(inlining, INLINING_PASSES)
            _add(promotion, PROMOTION_PASSES)
            _add(whole, MODULE_PASSES)
            _add(quick, QUICK_PASSES)
            _add(plain, PLAIN_PASSES)
            inlining.run(module, builder)
            for function in module.functions:
                if not function.is_declaration and not _is_marked(function, LONG):
                    promotion.run(function, builder)
            poll()
            if is_huge:
                return
            whole.run(module, builder)
            for function in module.functions:
                if function.is_declaration:
                    continue
                poll()
                if _is_marked(function, SELDOM) or _is_marked(function, LONG):
                    if _is_marked(function, SELDOM):
                        plain.run(function, builder)
                    function.add_function_attribute("noinline")
                    function.add_function_attribute("optnone")  # for code generation, which takes longest
                else:
                    passes = thorough if _is_marked(function, THOROUGH) else quick
                    passes.run(function, builder)


def _is_marked(function: Any, mark: str) -> bool:
    """Whether a function has one of our attributes; LLVM returns all attributes as one string."""
    return any(f'"{mark}"'.encode() in attributes for attributes in function.attributes)


def _add(passes: Any, names: Iterable[str]) -> None:
    for name in names:
        getattr(passes, f"add_{name}_pass")()


@cache
def _host() -> tuple[str, str, str, bool]:
    """Triple, processor, its features, and whether the small code model is used."""
    llvm = _llvm()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple: str = llvm.get_process_triple()
    is_small = llvm.get_object_format(triple) in {"ELF", "MachO"}
    return triple, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), is_small


def _target_machine(level: int) -> Any:
    triple, processor, features, is_small = _host()
    target: Any = _llvm().Target
    return target.from_triple(triple).create_target_machine(
        cpu=processor,
        features=features,
        opt=level,
        reloc="pic" if is_small else "default",
        codemodel="small" if is_small else "jitdefault",
        jit=True,
    )


def _series(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


CONTEXT_LINES = 3
MAX_MESSAGE_LENGTH = 2_000


def _explain(message: str, text: str) -> str:
    """The message of LLVM, with the lines of the text that it mentions and some context."""
    lines = text.splitlines()
    mentioned = _mentioned_lines(message, lines)
    shown = sorted(
        {
            number
            for line in mentioned
            for number in range(line - CONTEXT_LINES, line + CONTEXT_LINES + 1)
            if 0 <= number < len(lines)
        }
    )
    marked = (f"{'>' if number in mentioned else ' '}{number + 1:6} {lines[number]}" for number in shown)
    words = message.strip().removeprefix("LLVM IR parsing error\n")
    return "\n".join(("LLVM rejects the text:", words[:MAX_MESSAGE_LENGTH], *marked))


def _mentioned_lines(message: str, lines: list[str]) -> set[int]:
    """Line numbers from 0. The parser reports a line number; the verifier prints instructions without one."""
    reported = re.search(r"<string>:(\d+):", message)
    if reported is not None:
        return {int(reported[1]) - 1}
    printed = {line.strip() for line in message.splitlines()[1:]} - {""}
    found = [number for number, line in enumerate(lines) if line.strip() in printed]
    return set(found[:10])
