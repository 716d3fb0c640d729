"""Runs learners' programs inside the sandboxed interpreter.

Executed once, before the memory snapshot is taken. The sandbox keeps pointers to the functions named at the end and
calls them through the C API, so that nothing here is a module that a program could import, and no frame of this file
lies below a program's own frames. Everything a function needs is bound when the snapshot is taken: a program may later
replace whatever it likes in the standard library and only harms itself.
"""

import ast
import asyncio
import atexit
import builtins
import gc
import importlib
import inspect
import io
import linecache
import opcode
import os
import posix
import random
import sys
import time
import traceback
import types

FILE = "main.py"
HOME = "/home/learner"
CLOCK_FD = 3
PROMPT_FD = 4

# What lessons import; ready in the snapshot, it costs a run nothing.
COMMON_MODULES = """
abc argparse array base64 bisect calendar cmath collections collections.abc colorsys concurrent.futures contextlib copy
csv dataclasses datetime decimal difflib enum fractions functools getpass glob graphlib hashlib heapq html html.parser
inspect io itertools json keyword locale logging math numbers operator os os.path pathlib pickle platform pprint queue
random re sched secrets shlex shutil statistics string struct tempfile textwrap threading time timeit tokenize traceback
types typing unicodedata unittest unittest.mock urllib.parse uuid warnings weakref zlib zoneinfo
encodings.ascii encodings.latin_1 encodings.idna encodings.utf_16 encodings.utf_8_sig encodings.cp1252 _strptime
""".split()

# A program with only these names reaches nothing that outlives it: no module, no frame, no attribute of
# another's object.
PLAIN_SPECIAL_NAMES = """
__init__ __new__ __str__ __repr__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __bool__ __len__ __getitem__
__setitem__ __delitem__ __contains__ __iter__ __next__ __reversed__ __call__ __enter__ __exit__ __add__ __radd__
__iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ __imul__ __truediv__ __floordiv__ __mod__ __pow__ __neg__ __pos__
__abs__ __int__ __float__ __index__ __round__ __and__ __or__ __xor__ __invert__ __format__ __name__ __doc__ __class__
__module__ __qualname__ __firstlineno__ __static_attributes__ __classcell__ __classdict__ __annotate__ __annotations__
__conditional_annotations__ __type_params__ __slots__ __match_args__ __main__
""".split()
REACHING_NAMES = """
getattr setattr delattr globals locals vars exec eval compile open breakpoint help copyright credits license exit quit
memoryview abc register f_back f_code f_globals f_locals f_builtins
""".split()
REACHING_PREFIXES = ("gi_", "cr_", "ag_", "tb_", "co_")
# No modules and no containers: a program that sets no attribute cannot change these.
PLAIN_MODULES = ("math", "cmath", "itertools", "random", "string", "collections", "datetime", "time")
PLAIN_SPECIAL_WITH_MODULES = ("__name__", "__main__", "__module__", "__qualname__", "__firstlineno__", "__static_attributes__")

# No lesson needs machine code, other interpreters' memory or the host's bridge.
REMOVED_MODULES = """
_ctypes _pyodide_core _posixsubprocess _remote_debugging _testbuffer _testcapi _testclinic _testclinic_limited
_testinternalcapi _testlimitedcapi _xxtestfuzz xxsubtype
""".split()


def _build():
    for name in COMMON_MODULES:
        importlib.import_module(name)

    write = posix.write
    base_exception, system_exit, syntax_error = BaseException, SystemExit, SyntaxError
    text_type, dict_type, list_type, tuple_type, type_of = str, dict, list, tuple, type
    length, has_type, number = len, isinstance, int
    as_text, as_repr, encode, decode = str, repr, str.encode, bytes.decode
    raw_text = str.__str__
    compile_source, parse = compile, ast.parse
    expression_type, expression_node, module_node = ast.Expr, ast.Expression, ast.Module
    new_module = types.ModuleType
    text_stream, reader, writer, raw_file = io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.FileIO
    seed_random = random.seed
    is_coroutine, run_coroutine = inspect.iscoroutine, asyncio.run
    describe_exception, stack_summary = traceback.TracebackException, traceback.StackSummary
    lines_cache = linecache.cache
    run_exit_functions = atexit._run_exitfuncs
    collect = gc.collect
    modules = sys.modules
    all_of, numbered, frozenset_type, code_type = all, enumerate, frozenset, types.CodeType
    SPECIAL, REACHING = frozenset(PLAIN_SPECIAL_NAMES), frozenset(REACHING_NAMES)
    ASYNCHRONOUS = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
    IMPORT, EXTENDED = opcode.opmap["IMPORT_NAME"], opcode.opmap["EXTENDED_ARG"]
    SET_ATTRIBUTE, DELETE_ATTRIBUTE = opcode.opmap["STORE_ATTR"], opcode.opmap["DELETE_ATTR"]

    class VirtualSelector:
        """Waiting costs no real time: the clock is put forward instead."""

        def __init__(self):
            self._keys = {}

        def select(self, timeout=None):
            if timeout is None:
                raise RuntimeError("the program waits for something that can never happen")
            if timeout > 0:
                put_clock_forward(timeout)
            return []

        def get_map(self):
            return self._keys

        def close(self):
            pass

    class VirtualLoop(asyncio.BaseEventLoop):
        def __init__(self):
            super().__init__()
            self._selector = VirtualSelector()

        def _process_events(self, events):
            pass

        def _write_to_self(self):
            pass

    def put_clock_forward(seconds):
        write(CLOCK_FD, encode(as_text(seconds)))

    def sleep(seconds, /):
        """Wait for the number of seconds; the clock of this program moves on, nobody waits."""
        if not has_type(seconds, (number, float)):
            seconds = seconds.__float__() if hasattr(seconds, "__float__") else seconds.__index__()
        if not seconds >= 0:
            raise ValueError("sleep length must be non-negative")
        put_clock_forward(float(seconds))

    def read_input(prompt="", /):
        """Read one line of the program's input, without its line break."""
        out = sys.stdout
        if out is None or sys.stdin is None:
            raise RuntimeError("input(): lost sys.stdin" if out is not None else "input(): lost sys.stdout")
        state["read"] = True
        text = as_text(prompt)
        if out is state["stdout"]:
            out.flush()
            if text:
                write(PROMPT_FD, encode(text, "utf-8", "replace"))
        else:
            out.write(text)
            out.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError("EOF when reading a line")
        return line[:-1] if line[-1] == "\n" else line

    def leave(status=0, /):
        raise system_exit(status)

    read_input.__name__ = read_input.__qualname__ = "input"
    sleep.__name__ = sleep.__qualname__ = "sleep"
    leave.__name__ = leave.__qualname__ = "_exit"
    builtins.input = read_input
    time.sleep = sleep
    posix._exit = os._exit = leave
    asyncio.EventLoop = VirtualLoop
    asyncio.events._get_event_loop_policy()._loop_factory = VirtualLoop
    asyncio.new_event_loop = asyncio.events.new_event_loop = VirtualLoop
    asyncio.runners.events.new_event_loop = VirtualLoop
    sys.dont_write_bytecode = True
    sys.argv = [FILE]
    sys.path.insert(0, HOME)
    sys.tracebacklimit = None
    del sys.tracebacklimit

    state = {
        "stdout": None,
        "stderr": None,
        "read": False,
        "code": "",
        "input": "",
        "namespace": None,
        "program": None,
        "plain": False,
    }

    class ErrorFile(io.FileIO):
        """Unbuffered, and after what was printed before it, as on a terminal."""

        def write(self, data):
            out = state["stdout"]
            if out is not None and not out.closed:
                out.flush()
            return super().write(data)

    def open_streams():
        # A program that closes its output must not silence the next test.
        options = {"encoding": "utf-8", "errors": "replace", "newline": "\n"}
        out = writer(raw_file(1, "w", closefd=False), 8192)
        state["stdout"] = sys.stdout = sys.__stdout__ = text_stream(out, **options)
        errors = ErrorFile(2, "w", closefd=False)
        state["stderr"] = sys.stderr = sys.__stderr__ = text_stream(errors, **options, write_through=True)
        open_input()

    def open_input():
        sys.stdin = sys.__stdin__ = text_stream(
            reader(raw_file(0, "r", closefd=False), 8192), encoding="utf-8", errors="replace"
        )
        state["read"] = False

    def flush():
        """Empties what the program printed into the sandbox's buffers. Errors leave through the C API."""
        for name in ("stdout", "stderr"):
            out = state[name]
            if out is not None and not out.closed:
                out.flush()

    record, end_record = _make_recorder(FILE, flush)

    def has_plain_names(part, with_modules):
        """Whether a code object and all those in it name nothing that leads further than the program's own objects."""
        if part.co_flags & ASYNCHRONOUS:
            return False
        for name in part.co_names:
            if name in REACHING or name.startswith(REACHING_PREFIXES):
                return False
            if with_modules:
                if name[0] == "_" != name and name not in PLAIN_SPECIAL_WITH_MODULES:
                    return False
            elif name[:2] == "__" and name[-2:] == "__" and name not in SPECIAL:
                return False
        return all_of(is_plain_constant(value, with_modules) for value in part.co_consts)

    def is_plain_constant(value, with_modules):
        kind = type_of(value)
        if kind is text_type:
            # A format's field or a pattern can name attributes too.
            return "__" not in value or value in SPECIAL
        if kind is tuple_type or kind is frozenset_type:
            return all_of(is_plain_constant(item, with_modules) for item in value)
        return kind is not code_type or has_plain_names(value, with_modules)

    def imports_of(part, found):
        """Adds the modules that a code object imports; gives whether it is known which, and that nothing is set in them."""
        instructions = part.co_code[::2]
        if IMPORT in instructions:
            for at, instruction in numbered(instructions):
                if instruction == IMPORT:
                    if at > 0 and instructions[at - 1] == EXTENDED:
                        return False
                    found.append(part.co_names[part.co_code[2 * at + 1]])
        if SET_ATTRIBUTE in instructions or DELETE_ATTRIBUTE in instructions:
            found.append(None)
        return all_of(imports_of(value, found) for value in part.co_consts if type_of(value) is code_type)

    def is_plain(part):
        found = []
        if not imports_of(part, found):
            return False
        names = [name for name in found if name is not None]
        if names and (None in found or not all_of(name in PLAIN_MODULES for name in names)):
            return False
        return has_plain_names(part, names != [])

    def start(request):
        """
        Takes (code, input, seed) and gives the program's code, its new namespace, and "plain" or nothing; raises
        SyntaxError.
        """
        code, given, seed = request
        state["code"], state["input"] = code, given
        # After a plain program nothing is restored: print and input alone reach its streams.
        if state["read"]:
            open_input()
        seed_random(number(seed))
        lines_cache.clear()
        read_input.__dict__.clear()
        main = new_module("__main__")
        main.__dict__["__builtins__"] = builtins
        main.__dict__["__file__"] = FILE
        modules["__main__"] = main
        state["namespace"] = main.__dict__
        known = state["program"]
        if known is None or known[0] != code:
            part = compile_source(code, FILE, "exec", dont_inherit=True)
            known = state["program"] = (code, part, "plain" if is_plain(part) else "")
        state["plain"] = known[2] != ""
        return known[1], main.__dict__, known[2]

    def expression():
        """
        The test's input: "plain" or nothing, then code objects to evaluate in order; the last one's value is the answer.
        """
        given = state["input"].strip()
        state["input"] = ""
        if not given:
            return ("plain",)
        try:
            parts = (compile_source(given, "<test>", "eval", dont_inherit=True),)
        except syntax_error:
            body = parse(given, "<test>").body
            if not has_type(body[-1], expression_type):
                raise
            first = compile_source(module_node(body[:-1], []), "<test>", "exec", dont_inherit=True)
            last = compile_source(expression_node(body[-1].value), "<test>", "eval", dont_inherit=True)
            parts = (first, last)
        state["plain"] = state["plain"] and all_of(is_plain(part) for part in parts)
        return ("plain" if state["plain"] else "", *parts)

    def clean(text):
        """A string that UTF-8 can carry."""
        text = raw_text(text)
        return text if text.isascii() else decode(encode(text, "utf-8", "replace"), "utf-8")

    def answer(value):
        """The canonical text of a value, a string as it is and anything else as repr, and which it is; None for None."""
        if is_coroutine(value):
            value = run_coroutine(value)
        end_record()
        if value is None:
            return None
        if has_type(value, text_type):
            return clean(value), "text"
        return clean(as_repr(value)), "value"

    def finish():
        """What the end of a process does: exit functions, then the program's own names go."""
        end_record()
        run_exit_functions()
        namespace = state["namespace"]
        namespace.clear()
        # What a plain program made is young, and nobody waits for the end of it.
        collect(0 if state["plain"] else 2)
        flush()

    def place(error):
        """The last position of the error in the learner's own text, as line and column from 1."""
        position = error.__traceback__
        found = None
        while position is not None:
            if position.tb_frame.f_code.co_filename == FILE:
                found = position
            position = position.tb_next
        if found is None:
            return "", ""
        line = found.tb_lineno
        column = ""
        for index, span in enumerate(found.tb_frame.f_code.co_positions()):
            if index == found.tb_lasti // 2:
                if span[0] == line and span[2] is not None:
                    column = as_text(length(source_line(line).encode()[: span[2]].decode("utf-8", "ignore")) + 1)
                break
        return as_text(line), column

    def depth(position):
        count = 0
        while position is not None:
            count, position = count + 1, position.tb_next
        return count

    def source_line(number):
        lines = state["code"].split("\n")
        return lines[number - 1] if 0 < number <= length(lines) else ""

    def trimmed(described, seen):
        """Leaves only the learner's own frames, in the chained errors too."""
        if described is None or id(described) in seen:
            return
        seen.append(id(described))
        own = [frame for frame in described.stack if frame.filename == FILE]
        described.stack = stack_summary.from_list(own)
        trimmed(described.__cause__, seen)
        trimmed(described.__context__, seen)

    def failure(error):
        """Name, message, line, column and printed traceback of an error, as one tuple of strings."""
        name = clean(type_of(error).__name__)
        if has_type(error, system_exit):
            code = error.code
            if code is None or has_type(code, number):
                return name, "", "", "", ""
            return name, "", "", "", clean(as_text(code)) + "\n"
        end_record()
        in_text = has_type(error, syntax_error) and error.filename == FILE and error.__traceback__ is None
        if has_type(error, syntax_error) and error.filename in (FILE, "<test>"):
            message = error.msg if has_type(error.msg, text_type) else "invalid syntax"
        else:
            try:
                message = as_text(error)
            except base_exception:
                message = "<exception str() failed>"
        line, column = place(error)
        if has_type(error, syntax_error) and error.filename == FILE and (in_text or not line):
            line = as_text(error.lineno or "")
            column = as_text(error.offset) if error.offset and error.offset > 0 else ""
        text = ""
        try:
            source = state["code"].splitlines(True)
            lines_cache[FILE] = (length(state["code"]), None, source, FILE)
            # A thousand frames of the same call tell no more than the first few, and take long to describe.
            few = 8 if depth(error.__traceback__) > 100 else None
            described = describe_exception(type_of(error), error, error.__traceback__, limit=few, compact=True)
            trimmed(described, [])
            text = "".join(described.format())
            hint = "".join(described.format_exception_only())
            # Which keyword was meant is found while the error is described.
            if has_type(error, syntax_error) and error.filename == FILE and has_type(described.msg, text_type):
                message = described.msg
            start_of_hint = hint.rfind(". Did you ")
            if start_of_hint > 0 and ". Did you " not in message and hint.count("\n") == 1:
                message += hint[start_of_hint:].rstrip()
        except base_exception:
            text = ""
        return name, clean(message), line, column, clean(text)

    # One run of everything before the snapshot, so that what Python makes on first use is in it.
    def rehearse():
        for program, call in (
            ("def f(n):\n  return [n, {'a': 1.5}, f'{n:>3}']\nprint(f(1))", "f(2)"),
            ("class A:\n  def __init__(self):\n    self.x = 1\nA().y", ""),
            ("import math, random\nprint(math.pi, random.random())", "x = 1; x"),
            ("print(undefined_name)", ""),
            ("if True:\nprint(1)", ""),
        ):
            try:
                code, namespace, _ = start((program, call, "1"))
                exec(code, namespace)
                for part in expression()[1:]:
                    answer(eval(part, namespace))
            except base_exception as error:
                failure(error)
            finish()

    def seal():
        """Ends the preparation; afterwards only the functions below are called."""
        open_streams()
        rehearse()
        modules.pop("__main__", None)
        main = new_module("__main__")
        modules["__main__"] = main
        open_streams()
        posix.chdir(HOME)
        lines_cache.clear()
        for name in REMOVED_MODULES:
            modules.pop(name, None)
        sys.builtin_module_names = tuple_type(n for n in sys.builtin_module_names if n not in REMOVED_MODULES)
        state["namespace"] = state["program"] = None
        collect()
        gc.freeze()

    return {
        "seal": seal,
        "start": start,
        "record": record,
        "expression": expression,
        "answer": answer,
        "finish": finish,
        "failure": failure,
        "flush": flush,
    }
