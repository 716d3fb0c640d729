"""Records a run step by step. It stands before `harness.py` in one text, and what is said there holds here too.

Each step is written as JSON to a device of the sandbox, which adds how much was printed before. A value is shown by the
code below and never by the program's own `__repr__`: that may print, loop, or change what the run does. For the same
reason a class is asked of `type`, and attributes are taken out of the object's own dictionary alone.
"""

import collections
import datetime
import decimal
import inspect
import json.encoder
import opcode
import posix
import sys
import types

RECORD_DEVICE = "/dev/program-record"
# Of a record: more nobody walks through, and it is sent to a browser.
MOST_STEPS = 2_000
MOST_BYTES = 48 * 1024
# What the sandbox adds to a step.
ADDED_BYTES = 17
# The recorder needs a few calls itself, and must not be what exceeds Python's limit.
MOST_DEPTH = 900
MOST_CHARACTERS = 80
MOST_ITEMS = 20
MOST_LEVELS = 3
MOST_BITS = 400


def _make_recorder(file, flush):
    write, open_file, close_file, write_only = posix.write, posix.open, posix.close, posix.O_WRONLY
    set_trace, get_trace = sys.settrace, sys.gettrace
    quote = json.encoder.encode_basestring
    text_type, dict_type, list_type, tuple_type, type_of, bool_type = str, dict, list, tuple, type, bool
    number, real, complex_number, bytes_type, byte_array = int, float, complex, bytes, bytearray
    as_repr, as_text, length, is_subclass, problem = repr, str, len, issubclass, Exception
    encode, cut, bits, raw_text = str.encode, slice(0, MOST_CHARACTERS), int.bit_length, str.__str__
    base_exception = BaseException
    # Nothing of a program answers these.
    name_of = type.__dict__["__name__"].__get__
    parents_of = type.__dict__["__mro__"].__get__
    fields_of = type.__dict__["__dict__"].__get__
    arguments_of = BaseException.__dict__["args"].__get__
    slot = types.GetSetDescriptorType
    LISTS = (
        (list, list.__iter__, list.__len__, "[", "]"),
        (tuple, tuple.__iter__, tuple.__len__, "(", ")"),
        (set, set.__iter__, set.__len__, "{", "}"),
        (frozenset, frozenset.__iter__, frozenset.__len__, "{", "}"),
        (collections.deque, collections.deque.__iter__, collections.deque.__len__, "[", "]"),
    )
    NAMELESS = (list, tuple, set, dict)
    UNTOLD = (
        type,
        types.ModuleType,
        types.FunctionType,
        types.BuiltinFunctionType,
        types.MethodType,
    )
    AS_PYTHON_SHOWS_THEM = frozenset(
        (range, decimal.Decimal, datetime.date, datetime.time, datetime.datetime, datetime.timedelta)
    )
    # A zone of the program's own would show itself.
    ZONES = {kind: kind.tzinfo.__get__ for kind in (datetime.time, datetime.datetime)}
    OWN_ZONES = (types.NoneType, datetime.timezone)
    PAUSING = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
    FUNCTION, MORE_LISTED, MORE_NAMED = inspect.CO_OPTIMIZED, inspect.CO_VARARGS, inspect.CO_VARKEYWORDS
    RETURNS = frozenset(code for name, code in opcode.opmap.items() if name.startswith("RETURN_VALUE"))
    state = {"on": False, "file": -1, "steps": 0, "bytes": 0, "depth": 0}

    def bounded(text):
        return text if length(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"

    def joined(items, size):
        """Some of the items, as many as have room."""
        text, count = "", 0
        for item in items:
            if count >= MOST_ITEMS or length(text) > MOST_CHARACTERS:
                break
            text += (", " if count else "") + item
            count += 1
        return text + (", …" if count < size else "")

    def own_fields(value, kind):
        """The attributes of an object's own dictionary; none where the class has put something else in its place."""
        for parent in parents_of(kind):
            found = fields_of(parent).get("__dict__")
            if found is not None:
                return found.__get__(value) if type_of(found) is slot else None
        return None

    def show(value, level):
        kind = type_of(value)
        if value is None or kind is bool_type:
            return as_repr(value)
        if is_subclass(kind, number):
            size = bits(value)
            return number.__repr__(value) if size <= MOST_BITS else f"an int of {size} bits"
        if is_subclass(kind, real):
            return real.__repr__(value)
        if is_subclass(kind, complex_number):
            return complex_number.__repr__(value)
        if is_subclass(kind, text_type):
            return as_repr(text_type.__getitem__(value, cut)) + ("…" if text_type.__len__(value) > MOST_CHARACTERS else "")
        for base in (bytes_type, byte_array):
            if is_subclass(kind, base):
                return as_repr(base.__getitem__(value, cut)) + ("…" if base.__len__(value) > MOST_CHARACTERS else "")
        if kind in AS_PYTHON_SHOWS_THEM and (kind not in ZONES or type_of(ZONES[kind](value)) in OWN_ZONES):
            return as_repr(value)
        name = raw_text(name_of(kind))
        for base, items_of, size_of, opening, closing in LISTS:
            if is_subclass(kind, base):
                size = size_of(value)
                if level >= MOST_LEVELS and size > 0:
                    inner = "…"
                else:
                    inner = joined((show(item, level + 1) for item in items_of(value)), size)
                if base is tuple_type and size == 1:
                    inner += ","
                text = opening + inner + closing if size > 0 or opening != "{" else "set()" if kind is base else ""
                return text if kind in NAMELESS else f"{name}({text})" if text != "set()" else f"{name}()"
        if is_subclass(kind, dict_type):
            size = dict_type.__len__(value)
            if level >= MOST_LEVELS and size > 0:
                inner = "…"
            else:
                inner = joined(
                    (f"{show(key, level + 1)}: {show(item, level + 1)}" for key, item in dict_type.items(value)), size
                )
            return f"{{{inner}}}" if kind is dict_type else f"{name}({{{inner}}})"
        if is_subclass(kind, UNTOLD):
            return "a class" if is_subclass(kind, type_of) else "a module" if kind is UNTOLD[1] else "a function"
        if is_subclass(kind, base_exception):
            shown = arguments_of(value)
            return f"{name}({joined((show(item, level + 1) for item in shown), length(shown))})"
        fields = own_fields(value, kind)
        if fields is None or type_of(fields) is not dict_type:
            return f"<{name}>"
        own = [(key, item) for key, item in dict_type.items(fields) if type_of(key) is text_type]
        if level >= MOST_LEVELS and own:
            return f"{name}(…)"
        return f"{name}({joined((f'{key}={show(item, level + 1)}' for key, item in own), length(own))})"

    def shown(value):
        try:
            return bounded(show(value, 1))
        except problem:
            return "…"

    def changes(values, names, told):
        """The variables that have changed since they were told, as JSON; null for those that have no value any more."""
        text = ""
        now = {}
        for name in names:
            value = values.get(name, values)
            if value is values or is_subclass(type_of(value), UNTOLD):
                continue
            now[name] = shown(value)
            if told.get(name) != now[name]:
                text += f"{',' if text else ''}{quote(name)}:{quote(now[name])}"
        for name in told:
            if name not in now:
                text += f"{',' if text else ''}{quote(name)}:null"
        told.clear()
        told.update(now)
        return f',"vars":{{{text}}}'

    def own_names(values):
        """Names of a module or the body of a class, without what Python itself puts there."""
        if type_of(values) is not dict_type:
            # A class may be made in what answers with the program's own code.
            return []
        return [name for name in values if type_of(name) is text_type and name[:2] != "__"]

    def end(is_whole=True):
        """Ends the record; of the same run once more it does nothing."""
        if not state["on"]:
            return
        state["on"] = False
        is_ours = get_trace() is tracer
        if is_ours:
            set_trace(None)
        try:
            if not is_whole or not is_ours:
                write(state["file"], b"!")
            close_file(state["file"])
        except problem:
            # The program has closed it.
            pass

    def add(kind, line, fn, rest):
        step = f'{{"kind":"{kind}","line":{line},"fn":{quote(fn)},"depth":{state["depth"]}{rest}}}'
        data = encode(step, "utf-8", "replace")
        state["steps"] += 1
        state["bytes"] += length(data) + ADDED_BYTES
        if state["steps"] > MOST_STEPS or state["bytes"] > MOST_BYTES or state["depth"] > MOST_DEPTH:
            end(False)
            return
        flush()
        write(state["file"], data)

    def follower(code):
        """Gives the function that is told what happens in one call."""
        is_function = code.co_flags & FUNCTION != 0
        nests = is_function and code.co_flags & PAUSING == 0
        fn = code.co_name
        if fn[:1] == "<":
            fn = "(anonymous)" if is_function else ""
        names = None
        if is_function:
            names = [name for name in dict_type.fromkeys(code.co_varnames + code.co_cellvars) if name[:1] != "."]
        told = {}

        def follow(frame, event, given):
            if not state["on"]:
                return None
            try:
                if event == "line":
                    values = frame.f_locals
                    known = own_names(values) if names is None else names
                    add("line", frame.f_lineno, fn, changes(values, known, told))
                elif event == "return" and nests:
                    # An error that leaves the function is told by the same event.
                    is_value = code.co_code[frame.f_lasti] in RETURNS
                    add("return", frame.f_lineno, fn, f',"value":{quote(shown(given))}' if is_value else "")
                    state["depth"] -= 1
            except problem:
                end(False)
            return follow

        if nests:
            count = code.co_argcount + code.co_kwonlyargcount
            count += (code.co_flags & MORE_LISTED != 0) + (code.co_flags & MORE_NAMED != 0)
            return follow, fn, code.co_varnames[:count], told
        return follow, None, None, told

    def tracer(frame, event, given):
        if not state["on"]:
            return None
        try:
            code = frame.f_code
            if event != "call" or code.co_filename != file:
                return None
            # A generator that goes on.
            if frame.f_trace is not None:
                return frame.f_trace
            follow, fn, parameters, told = follower(code)
            if fn is not None:
                state["depth"] += 1
                add("call", frame.f_lineno, fn, changes(frame.f_locals, parameters, told))
            return follow
        except problem:
            end(False)
        return None

    def record():
        """Records what is run from here on."""
        state["file"] = open_file(RECORD_DEVICE, write_only)
        state["steps"] = state["bytes"] = state["depth"] = 0
        state["on"] = True
        set_trace(tracer)

    return record, end


