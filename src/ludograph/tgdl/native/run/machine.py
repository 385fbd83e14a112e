"""Machine code: LLVM text in, an object out, and from an object functions to call.

Everything that knows llvmlite is here. Where it is missing, `unavailable_reason` says why and the reference
engine plays on. LLVM itself is loaded when it is first used, because that takes a tenth of a second.

Objects use the small code model and are linked by JITLink, which puts all of one object side by side in
memory: calls and tables inside it are reached directly, where LLVM's usual choice for code of its own making
goes through an address in a register each time. Windows keeps the usual choice, the only one that its linker
of code in memory knows.

All of this may be called from several threads: llvmlite takes turns at each of its calls, and nothing here is
shared between two of ours. The functions that come out run without holding Python's lock.
"""

import ctypes
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from ludograph.tgdl.native.ir.nodes import SELDOM, THOROUGH

try:
    import llvmlite
except ImportError as error:
    _import_failure = str(error)
else:
    _import_failure = ""

# The series whose calls are written below; others name or do things differently.
NEEDED_SERIES = (0, 50)

CType = type[Any]  # such as ctypes.c_int64


class MachineError(RuntimeError):
    """LLVM refuses what we wrote. Never the author's mistake."""


class Unavailable(RuntimeError):
    """There is no native engine here; the message says why."""


def is_available() -> bool:
    """Whether machine code can be made here."""
    return unavailable_reason() is None


def unavailable_reason() -> str | None:
    """Why no machine code can be made here, or None if it can."""
    return missing_reason() or _binding()[1]


def missing_reason() -> str | None:
    """Why no machine code can be made here, as far as is known without loading LLVM."""
    series = ".".join(map(str, NEEDED_SERIES))
    if _import_failure:
        return f"llvmlite {series} cannot be imported ({_import_failure})"
    if _series(llvmlite.__version__) != NEEDED_SERIES:
        return f"llvmlite {series} is needed, and {llvmlite.__version__} is installed"
    return None


@cache
def _binding() -> tuple[Any, str | None]:
    """llvmlite's interface to LLVM; where its library does not run, None and the reason."""
    try:
        import llvmlite.binding
    except (ImportError, OSError) as error:
        series = ".".join(map(str, NEEDED_SERIES))
        return None, f"llvmlite {series} cannot be imported ({error})"
    return llvmlite.binding, None


def _llvm() -> Any:
    """llvmlite's interface to LLVM; `Unavailable` where there is none."""
    reason = unavailable_reason()
    if reason is not None:
        raise Unavailable(reason)
    return _binding()[0]


def target() -> str:
    """What the objects of this process depend on beside their text: versions, processor and code model."""
    llvm = _llvm()
    triple, processor, features, is_small = _host()
    compiler = ".".join(map(str, llvm.llvm_version_info))
    model = "small" if is_small else "usual"
    return f"llvmlite {llvmlite.__version__}, LLVM {compiler}, {triple}, {processor}, {model}, {features}"


def assemble(text: str, *, level: int = 1) -> bytes:
    """Check and optimise a text and translate it into an object for this machine.

    The text need not say what it is for: triple and data layout are put before it. At level 0 nothing is
    optimised, for code that hardly runs.
    """
    llvm = _llvm()
    with _target_machine(level) as machine, llvm.create_context() as context:
        layout = f'target datalayout = "{machine.target_data}" target triple = "{machine.triple}" '
        with _read(layout, text, context) as module:
            if level > 0:
                _optimise(module, machine)
            try:
                made: bytes = machine.emit_object(module)
            except RuntimeError as refusal:
                raise MachineError(f"LLVM cannot translate the text: {refusal}") from None
    return made


def link(made: bytes, exports: Iterable[str]) -> "Machine":
    """Load an object of this target; what it calls but does not define is looked for in the process."""
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
        except RuntimeError as refusal:
            raise MachineError(f"LLVM cannot link the object: {refusal}") from None


class Machine:
    """Loaded machine code. It is unloaded when it and all its functions are gone, and never before."""

    __slots__ = ("_library", "exports")

    def __init__(self, library: Any, exports: tuple[str, ...]) -> None:
        self._library = library
        self.exports = exports

    def function(
        self, name: str, result: CType | None, *arguments: CType, is_short: bool = False
    ) -> Callable[..., Any]:
        """An exported function, for calls from any thread.

        Python's lock is free while it runs, but for short ones, which are over before that pays.
        """
        prototype = ctypes.PYFUNCTYPE if is_short else ctypes.CFUNCTYPE
        function = prototype(result, *arguments)(self.address(name))
        vars(function)["library"] = self._library  # or the code would go while somebody can still call it
        return function

    def address(self, name: str) -> int:
        """Where an exported function or constant is, while the machine or a function of it is held."""
        assert name in self.exports, f"{name} was not among the exports {', '.join(self.exports)}"
        address: int = self._library[name]
        return address


def _read(layout: str, text: str, context: Any) -> Any:
    """The module of a text, checked. Whoever gets it closes it before its context, or LLVM crashes."""
    try:
        module = _llvm().parse_assembly(layout + text, context)
        try:
            module.verify()
        except RuntimeError:
            module.close()
            raise
    except RuntimeError as refusal:
        raise MachineError(_explain(str(refusal), text)) from None
    return module


# LLVM's own series of passes for a module go over it again and again. These take a third of the time, or two
# thirds for functions that ask for the thorough ones, and the code runs about as many instructions. Copying
# loop bodies, side by side or into vectors, made it no faster, nor did turning loops round.
# NewGVN is not among them: it brings a few per cent and aborts the whole process on some programs.
MODULE_PASSES = (
    "always_inliner",
    "sroa",
    "ipsccp",
    "global_dead_code_eliminate",
    "post_order_function_attributes",
)
QUICK_PASSES = (
    "instruction_combine", "simplify_cfg", "jump_threading", "dead_store_elimination",
    "instruction_combine", "simplify_cfg",
)  # fmt: skip
PLAIN_PASSES = ("simplify_cfg",)


def _optimise(module: Any, machine: Any) -> None:
    llvm = _llvm()
    with llvm.create_pipeline_tuning_options(speed_level=2) as options:
        options.loop_unrolling = False
        options.loop_interleaving = options.loop_vectorization = options.slp_vectorization = False
        with (
            llvm.create_pass_builder(machine, options) as builder,
            llvm.create_new_module_pass_manager() as whole,
            llvm.create_new_function_pass_manager() as quick,
            llvm.create_new_function_pass_manager() as plain,
            builder.getFunctionPassManager() as thorough,
        ):
            _add(whole, MODULE_PASSES)
            _add(quick, QUICK_PASSES)
            _add(plain, PLAIN_PASSES)
            whole.run(module, builder)
            for function in module.functions:
                if function.is_declaration:
                    continue
                if _is_marked(function, SELDOM):
                    plain.run(function, builder)
                    function.add_function_attribute("noinline")
                    function.add_function_attribute("optnone")  # for the translation, which takes longest
                else:
                    passes = thorough if _is_marked(function, THOROUGH) else quick
                    passes.run(function, builder)


def _is_marked(function: Any, mark: str) -> bool:
    """Whether a function has an attribute of ours; LLVM gives all attributes in one text."""
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
LONGEST_REFUSAL = 2_000


def _explain(refusal: str, text: str) -> str:
    """LLVM's words, and the lines of our text that they speak of, with some before and after."""
    lines = text.splitlines()
    spoken_of = _lines_spoken_of(refusal, lines)
    shown = sorted(
        {
            number
            for line in spoken_of
            for number in range(line - CONTEXT_LINES, line + CONTEXT_LINES + 1)
            if 0 <= number < len(lines)
        }
    )
    marked = (f"{'>' if number in spoken_of else ' '}{number + 1:6} {lines[number]}" for number in shown)
    words = refusal.strip().removeprefix("LLVM IR parsing error\n")
    return "\n".join(("LLVM refuses the text:", words[:LONGEST_REFUSAL], *marked))


def _lines_spoken_of(refusal: str, lines: list[str]) -> set[int]:
    """Counted from 0. The parser tells the line, the verifier prints instructions that may stand anywhere."""
    told = re.search(r"<string>:(\d+):", refusal)
    if told is not None:
        return {int(told[1]) - 1}
    printed = {line.strip() for line in refusal.splitlines()[1:]} - {""}
    found = [number for number, line in enumerate(lines) if line.strip() in printed]
    return set(found[:10])
