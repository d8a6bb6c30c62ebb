"""null.py LIBSPAR - every function of the public headers, with NULL for each of its pointers in turn.

The rule is in <spar/status.h>: where NULL is not allowed, a function that returns a status refuses it with SPAR_INVALID
and sets its out-parameter to NULL; any other function has no effect and returns 0, false, NULL, NaN or its word for
'none'. The functions are read from the headers, so a new one is tried without a word here, unless it takes a type or a
value that is not in the tables below. Each call is made in a process of its own: a crash is a failed test."""
import ctypes
import math
import os
import re
import struct
import sys
from ctypes import (CFUNCTYPE, byref, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_ubyte, c_uint32, c_uint64,
                    c_void_p, cast)

from harness import ROOT, done, note, ok

lib = ctypes.CDLL(sys.argv[1])
INVALID, NOTHING = -2, {0, None, False, 2**64 - 1, 2**64 - 2, 2**32 - 1}
SCALARS = {"size_t": c_size_t, "uint64_t": c_uint64, "uint32_t": c_uint32, "int64_t": c_int64, "double": c_double,
           "bool": c_bool, "int": c_int}

# Pointers that may be NULL, by function; err always may, and so may what _free takes.
ALLOWED = {
    "spar_arms_new": "x names", "spar_arms_add": "x name index",
    "spar_feedback_ranking": "level", "spar_answer_set_ranking": "level",
    "spar_user_new": "spec",
    "spar_policy_belief": "mean sd", "spar_policy_belief_at": "mean sd", "spar_policy_best": "x",
    "spar_policy_add_arm": "x name index",
    "spar_session_add_arm": "x name arm", "spar_session_belief": "mean sd", "spar_session_belief_at": "mean sd",
    "spar_session_best": "x", "spar_session_log": "sink context",
    "spar_decision_new": "settings", "spar_decision_add": "option", "spar_decision_record": "shown chosen",
    "spar_decision_pair": "before behind ties",
    "spar_decision_sentence": "names", "spar_decision_warning": "names",
    "spar_event_set_option": "x", "spar_event_set_screen": "place", "spar_event_set_imported": "key",
    "spar_event_set_hash": "hash",
    "spar_results_difference": "mean se worse",
    "spar_forecast_run": "progress context",
    "spar_standings_add": "option", "spar_standings_answer": "place", "spar_standings_strength": "mean low high",
    "spar_standings_place": "mean low high", "spar_standings_tie": "mean low high", "spar_standings_spread": "mean low high",
    "spar_taste_at": "mean low high", "spar_event_set_axes": "text",
    "spar_bytes_free": "bytes",
}
# Values of scalars and texts; by function and name, then by name.
VALUES = {
    "spec": b"rucb", "name": b"one", "how": b"team_draft", "policy": b"rucb", "text": b"one,two",
    "n": 3, "m": 2, "dim": 0, "capacity": 4, "horizon": 0, "seed": 7, "run": 1, "purpose": 1, "t": 1, "rounds": 1,
    "index": 0, "slot": 0, "i": 0, "j": 0, "k": 1, "a": 0, "b": 1, "arm": 0, "other": 0, "policy_index": 0, "top": 5,
    "options": 3, "option": 0, "alone": 0, "most": 2, "room": 100, "warning": 0, "number": 1, "level": 0, "place": 0,
    "lo": 0.0, "hi": 1.0, "on": 1.0, "weight": 1.0, "reward": 0.5, "outcome": 3, "revision": 0, "sequence": 1, "time": 0,
    "version": 1, "asks": 1, "results": 0, "access": 0, "which": 0, "family": 0, "kind": 1, "status": 0, "verdict": 0,
    "checkpoint": 0, "shuffle": 0, "tie_is_half": 0, "flags": 0, "milliseconds": 1, "voter": 1, "basis": 0, "engine": 1,
    "gap": 0.5, "truths": 2, "screens": 20, "delta": 0.05, "share": 0.1, "threads": 1, "feedback": b"pair",
    "best": 0, "worst": 1, "method": 0, "sd": 1.0, "half": 0, "may_tie": 0, "times": 1,
    "item": 0, "group": 0, "axis": 0, "value": 0, "against_last": 0, "microseconds": 0, "answers": 0,
}
SPECIAL = {
    ("spar_env_new", "spec"): b"utility(set=arith)", ("spar_user_new", "spec"): b"all_pairs",
    ("spar_round_set", "m"): 2, ("spar_feedback_ranking", "n"): 2, ("spar_answer_set_ranking", "n"): 2,
    ("spar_answer_parse_pairs", "text"): b"one>two", ("spar_space_add_choice", "n"): 3,
    ("spar_session_import", "n"): 2, ("spar_pair_counts_grow", "n"): 4, ("spar_session_draft", "number"): 9,
    ("spar_round_set_points", "dim"): 1, ("spar_arms_new_box", "dim"): 1, ("spar_policy_belief_at", "dim"): 1,
    ("spar_session_belief_at", "dim"): 1, ("spar_session_replay", "n"): 1,
    ("spar_answer_pair", "i"): 0, ("spar_rng_shuffle", "n"): 2, ("spar_event_set_outputs", "n"): 2,
    ("spar_results_run", "policy"): 0, ("spar_results_curve", "policy"): 0, ("spar_results_statistic", "policy"): 0,
    ("spar_results_decided", "policy"): 0, ("spar_results_decided_by", "policy"): 0,
    ("spar_results_named_right", "policy"): 0, ("spar_results_identified", "policy"): 0,
    ("spar_results_difference", "policy"): 0,
    ("spar_axes_new", "text"): b"speed 0..1", ("spar_taste_new", "dim"): 1, ("spar_taste_new", "n"): 1,
    ("spar_arms_find", "name"): b"one", ("spar_standings_set_places", "on"): 1,
}
OPTION, VOTER, SINK = (CFUNCTYPE(c_char_p, c_void_p, c_size_t), CFUNCTYPE(c_char_p, c_void_p, c_uint64),
                       CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p))
kept = []  # what C points to and Python must not free


class Function:
    def __init__(self, header, text):
        self.header = header
        head, _, inner = text.partition("(")
        self.result, self.name = re.fullmatch(r"(.*?)\s*\b(spar_\w+)", head.strip(), re.S).groups()
        inner = inner.strip()[:-1].strip()
        self.params = []
        for param in [] if inner == "void" else inner.split(","):
            kind, name = re.fullmatch(r"(.*?)\s*\b(\w+)", re.sub(r"(\w+)\[\w*\]$", r"*\1", " ".join(param.split()))).groups()
            self.params.append((kind.replace(" *", "*").replace("* ", "*"), name))

    def pointer(self, kind):
        return "*" in kind or kind == "spar_session_sink"

    def required(self):
        allowed = ALLOWED.get(self.name, "").split() + ([] if self.name.startswith("spar_error_") else ["err"])
        if self.name.endswith("_free"):
            return []
        return [i for i, (kind, name) in enumerate(self.params) if self.pointer(kind) and name not in allowed]


def declarations():
    for path in sorted((ROOT / "include/spar").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        for found in re.findall(r"^SPAR_API\s+([^;{]*?\([^;{]*?\));", text, re.M | re.S):
            function = Function(path.name, found)
            if hasattr(lib, function.name):
                yield function


def array(kind, *values):
    made = (kind * len(values))(*values)
    kept.append(made)
    return cast(made, c_void_p)


def made_by(name, *args):
    out = c_void_p()
    status = getattr(lib, name)(*args, byref(out), *([None] if name in WITH_ERROR else []))
    assert status == 0, (name, status)
    return out


WITH_ERROR = {"spar_policy_new", "spar_session_new", "spar_env_new", "spar_world_new", "spar_user_new",
              "spar_decision_new", "spar_simulate", "spar_standings_new", "spar_forecast_new", "spar_axes_new"}


def names():
    return array(c_char_p, b"one", b"two", b"three")


def arms_of(function):
    """Points of a box for what asks for one."""
    if function in ("spar_policy_belief_at", "spar_session_belief_at", "spar_arms_admit", "spar_event_set_space"):
        return made_by("spar_arms_new_box", c_size_t(1), array(c_double, 0), array(c_double, 1))
    return made_by("spar_arms_new", c_size_t(3), c_size_t(0), None, names())


def round_of(function):
    made = made_by("spar_round_new", c_size_t(2))
    assert lib.spar_round_set(made, c_size_t(2), array(c_size_t, 0, 1)) == 0
    return made


def feedback_of(function):
    made = made_by("spar_feedback_new", c_size_t(1 if function == "spar_feedback_reward" else 2))
    if function != "spar_feedback_reward":
        assert lib.spar_feedback_winner(made, c_size_t(0)) == 0
    return made


def policy_of(function):
    spec = b"kernel_self_sparring" if function.endswith("belief_at") else b"ind_self_sparring"
    return made_by("spar_policy_new", spec, arms_of(function), c_size_t(2), c_uint64(0), made("spar_rng", function))


def session_of(function):
    if function in ("spar_session_apply", "spar_session_check"):
        return made_by("spar_session_new_empty")
    spec = b"kernel_self_sparring" if function.endswith("belief_at") else b"ind_self_sparring"
    session = made_by("spar_session_new", spec, arms_of(function), c_size_t(2), c_uint64(0), c_uint64(1))
    number = c_uint64()
    if function not in ("spar_session_set_shuffle", "spar_session_log"):
        assert lib.spar_session_ask(session, byref(number), None) == 0
    if function == "spar_session_tell_winner":
        slot = lib.spar_session_slot_name
        slot.restype = c_char_p
        SPECIAL[function, "name"] = slot(session, c_uint64(1), c_size_t(0))
    return session


def answer_of(function):
    answer = made_by("spar_answer_new")
    if function in ("spar_answer_pair", "spar_answer_add_pair"):
        assert lib.spar_answer_add_pair(answer, c_size_t(2), c_size_t(3), c_int(3), None) == 0
    else:
        lib.spar_answer_set_winner(answer, c_size_t(0))
    return answer


def event_of(function):
    event = made_by("spar_event_new")
    assert lib.spar_event_set_created(event, b"rucb", c_uint64(1), c_int(1)) == 0
    if function == "spar_event_set_outputs":
        lib.spar_event_set_item(event, c_uint32(0))
    lib.spar_event_set_stamp(event, c_uint64(1), c_int64(0))
    return event


def env_of(function):
    spec = b"function(name=forrester,box=1)" if function.endswith("_at") else b"utility(set=arith)"
    return made_by("spar_env_new", spec)


def world_of(function):
    return made_by("spar_world_new", env_of(function), c_uint64(1), c_uint64(1))


def plan_of(function):
    specs = array(c_char_p, b"rucb")
    fields = struct.pack("QPPPPQQQQQQQiQPPPQ?PPP?", 200, address(b"utility(set=arith)"), 0, 0, specs.value, 1, 2, 10, 1, 0,
                         1, 1, 0, 0, 0, 0, 0, 0, False, 0, 0, 0, False)
    made = ctypes.create_string_buffer(struct.pack("Q", len(fields) + 7 & ~7) + fields[8:] + bytes(8))
    kept.append(made)
    return cast(made, c_void_p)


STEP = CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_uint64, c_uint64, c_void_p, c_void_p)


def policy_functions_of(function):
    step = STEP(lambda *a: 0)
    kept.append(step)
    at = cast(step, c_void_p).value
    made = ctypes.create_string_buffer(struct.pack("QPPPPPP", 56, 0, at, at, at, 0, 0))
    kept.append(made)
    return cast(made, c_void_p)


def env_functions_of(function):
    step = STEP(lambda *a: 0)
    kept.append(step)
    made = ctypes.create_string_buffer(struct.pack("QPPPPQQ", 56, 0, arms_of("").value, cast(step, c_void_p).value, 0, 0, 0))
    kept.append(made)
    return cast(made, c_void_p)


def address(text):
    made = ctypes.create_string_buffer(text)
    kept.append(made)
    return ctypes.addressof(made)


def results_of(function):
    return made_by("spar_simulate", plan_of(function))


def decision_of(function):
    return made_by("spar_decision_new", c_size_t(3), None)


def ballot_of(function):
    fields = struct.pack("QQPPiQQdQ", 72, 2, array(c_size_t, 0, 1).value, array(c_ubyte, 0, 3, 1, 0).value, 0, 1, 0, 0, 0)
    made = ctypes.create_string_buffer(fields)
    kept.append(made)
    return cast(made, c_void_p)


def standings_of(function):
    standings = made_by("spar_standings_new", c_size_t(3))
    if function.endswith(("_answer", "_add", "_retire")):
        return standings
    assert lib.spar_standings_answer(standings, c_size_t(2), array(c_size_t, 0, 1), array(c_size_t, 0, 1), answer_of(""),
                                     c_int(1), c_uint64(1), None) == 0
    assert lib.spar_standings_compute(standings, None) == 0
    return standings


def axes_of(function):
    return made_by("spar_axes_new", b"speed 0..1 m/s, mode {a,b}")


def taste_of(function):
    taste = made_by("spar_taste_new", c_size_t(1), array(c_size_t, 0), c_size_t(1), array(c_double, 0.5))
    if not function.endswith("_tell"):
        assert lib.spar_taste_tell(taste, c_size_t(2), array(c_double, 0.2, 0.8), answer_of(""), None) == 0
        assert lib.spar_taste_compute(taste, None) == 0
    return taste


def forecast_of(function):
    forecast = made_by("spar_forecast_new", c_size_t(3))
    assert lib.spar_forecast_set_truths(forecast, c_size_t(1), None) == 0
    assert lib.spar_forecast_set_limit(forecast, c_uint64(5), None) == 0
    assert lib.spar_forecast_add(forecast, b"ind_self_sparring", c_size_t(2), None) == 0
    return forecast


def mix_of(function):
    mix = made_by("spar_mix_new")
    lists = array(c_void_p, array(c_uint64, 1, 2, 3).value, array(c_uint64, 3, 2, 1).value)
    assert lib.spar_mix_lists(b"team_draft", c_size_t(2), lists, array(c_size_t, 3, 3), c_size_t(3),
                              made("spar_rng", function), mix, None) == 0
    return mix


def entry_of(function):
    lib.spar_catalog_entry.restype = c_void_p
    for i in range(50):
        entry = c_void_p(lib.spar_catalog_entry(c_int(0), c_size_t(i)))
        lib.spar_entry_params.restype = c_size_t
        if lib.spar_entry_params(entry):
            return entry


def param_of(function):
    lib.spar_entry_param.restype = c_void_p
    return c_void_p(lib.spar_entry_param(entry_of(function), c_size_t(0)))


def error_of(function):
    lib.spar_error_new.restype = c_void_p
    return c_void_p(lib.spar_error_new())


def space_of(function):
    space = made_by("spar_space_new")
    assert lib.spar_space_add_range(space, c_double(0), c_double(1)) == 0
    return space


MAKERS = {
    "spar_arms": arms_of, "spar_round": round_of, "spar_feedback": feedback_of, "spar_policy": policy_of,
    "spar_session": session_of, "spar_answer": answer_of, "spar_event": event_of, "spar_env": env_of,
    "spar_world": world_of, "spar_plan": plan_of, "spar_results": results_of, "spar_decision": decision_of,
    "spar_ballot": ballot_of, "spar_mix": mix_of, "spar_entry": entry_of, "spar_param": param_of, "spar_error": error_of,
    "spar_space": space_of, "spar_axes": axes_of, "spar_taste": taste_of, "spar_standings": standings_of, "spar_forecast": forecast_of,
    "spar_policy_functions": policy_functions_of, "spar_env_functions": env_functions_of,
    "spar_progress": lambda f: None,
    "spar_rng": lambda f: made_by("spar_rng_new", c_uint64(1), c_uint64(1), c_uint64(1)),
    "spar_scratch": lambda f: made_by("spar_scratch_new"),
    "spar_pair_counts": lambda f: made_by("spar_pair_counts_new", c_size_t(3)),
    "spar_user": lambda f: made_by("spar_user_new", None, env_of(f)),
    "spar_decision_settings": lambda f: None, "spar_decision_names": lambda f: None,
    "spar_snapshot": lambda f: None,  # there is one only while an observer runs: no call without NULL
    "void": lambda f: None,
}


def made(kind, function):
    return MAKERS[kind](function)


def saved(function):
    """Bytes that the loader of this name takes, and how many."""
    kind = function.removesuffix("_load").removesuffix("_decode")
    out, length = c_void_p(), c_size_t()
    save = getattr(lib, kind + ("_encode" if function.endswith("decode") else "_save"))
    status = save(made(kind, function), byref(out), byref(length), *([None] if kind == "spar_session" else []))
    assert status == 0, (function, status)
    return out, length


ARRAYS = {  # contents of arrays by name; outputs get room for 100 values
    "arm": (c_size_t, 0, 1), "option": (c_size_t, 0, 1), "slot": (c_size_t, 0, 1), "level": (c_size_t, 0, 1), "place": (c_size_t, 0, 1),
    "length": (c_size_t, 3, 3), "lo": (c_double, 0), "hi": (c_double, 1), "clicked": (c_bool, True, False, False),
    "x": (c_double, 0.5, 0.5, 0.5, 0.5), "y": (c_double, 0.5), "reference": (c_double, 0.5), "axis": (c_size_t, 0),
    "value": (c_size_t, 0, 0), "key": (c_ubyte, *range(32)), "hash": (c_ubyte, *range(32)),
}


def argument(function, kind, name):
    """A good value for a parameter of the type."""
    base = kind.replace("const ", "").replace("const", "").replace(" ", "")
    key = (function.name, name)
    if base in SCALARS or (base.startswith("spar_") and "*" not in base and base != "spar_session_sink"):
        value = SPECIAL.get(key, VALUES.get(name))
        assert value is not None, f"{function.name}: no value for {name}"
        return SCALARS.get(base, c_int)(value)
    if base == "char*":
        if "const" not in kind:
            return array(ctypes.c_char, *[b"x"] * 100)
        return c_char_p(SPECIAL.get(key, VALUES.get(name)))
    if base == "spar_session_sink" or base == "spar_session_sink*":
        kept.append(SINK(lambda *a: 0))
        return cast(kept[-1], c_void_p)
    if name == "bytes" and base == "unsignedchar*":
        return saved(function.name)[0]
    if base == "char**":
        return names()
    if name == "list":
        return array(c_void_p, array(c_uint64, 1, 2, 3).value, array(c_uint64, 3, 2, 1).value)
    if base == "spar_event**" and "const" in kind:
        return array(c_void_p, event_of(function.name).value)
    if base.endswith("**"):
        return cast(ctypes.pointer(c_void_p(0xdead)), c_void_p)
    if base[:-1] in MAKERS:
        return made(base[:-1], function.name)
    if name in ARRAYS and ("const" in kind):
        return array(ARRAYS[name][0], *ARRAYS[name][1:])
    if name == "x" and function.name.startswith("spar_rng"):
        return array(c_size_t, 0, 1)
    assert base[:-1] in SCALARS or base[:-1] in ("unsignedchar", "spar_outcome"), f"{function.name}: {kind} {name}"
    return array(c_double, *[0] * 100)


def call(function, skipped):
    """Calls with good arguments but for NULL at `skipped` (None: nowhere). Gives (result, out-parameter is NULL)."""
    args, outs = [], []
    for i, (kind, name) in enumerate(function.params):
        if name == "length" and kind == "size_t":
            args.append(saved(function.name)[1])
            continue
        value = None if i == skipped or function.name == "spar_arms_add" and name == "x" else argument(function, kind, name)
        if name in ("x",) and function.name in ("spar_arms_new", "spar_arms_add", "spar_policy_add_arm",
                                                "spar_session_add_arm", "spar_policy_best", "spar_session_best",
                                                "spar_event_set_option"):
            value = None
        args.append(value)
        if kind.endswith("**") and "const" not in kind and value is not None:
            outs.append(value)
    result = function.result
    get = getattr(lib, function.name)
    get.restype = (None if result == "void" else c_void_p if "*" in result else
                   SCALARS.get(result.replace("const ", "").strip(), c_int))
    got = get(*args)
    return got, all(c_void_p.from_address(out.value).value is None for out in outs)


def verdict(function, skipped, allowed=False):
    """What is wrong with a call; '' for nothing."""
    got, empty = call(function, skipped)
    if skipped is None or allowed:
        return f"returns {got}" if function.result == "spar_status" and got == INVALID else ""
    if function.result == "spar_status":
        if got != INVALID and function.name != "spar_error_status":
            return f"returns {got}"
        return "" if empty else "leaves its out-parameter"
    if function.result in ("void", "spar_verdict", "spar_answer_kind", "spar_param_kind", "spar_event_kind"):
        return ""
    if isinstance(got, float):
        return "" if got == 0 or math.isnan(got) else f"returns {got}"
    if "char" in function.result and got:  # a word such as 'unknown' is as good
        return ""
    return "" if got in NOTHING else f"returns {got}"


def tried(function, skipped, allowed=False):
    """The verdict of a call in a process of its own."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        try:
            text = verdict(function, skipped, allowed)
        except Exception as e:  # noqa: the parent says it
            text = f"{type(e).__name__}: {e}"
        os.write(writer, text.encode()[:1000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return f"ends by signal {-status}" if status < 0 else text


functions = list(declarations())
ok(len(functions) > 250, "the headers were read")
silent = [name for name in sorted({f.header for f in functions} - {"status.h"})
          if not re.search(r"NULL is refused([\s*]+unless[\s*]+said[\s*]+otherwise)?:[\s*]+see[\s*]+status\.h",
                           (ROOT / "include/spar" / name).read_text())]
ok(not silent, "every header states the rule") or note(silent)
for function in functions:
    faults = []
    snapshot = any("spar_snapshot" in kind for kind, _ in function.params)
    trials = ([] if snapshot or function.name.endswith("_free") else [None]) + function.required()
    for skipped in trials:
        text = tried(function, skipped)
        if text:
            faults.append(f"{'good arguments' if skipped is None else function.params[skipped][1] + ' NULL'}: {text}")
    for name in ALLOWED.get(function.name, "").split():
        at = [i for i, (_, n) in enumerate(function.params) if n == name]
        text = tried(function, at[0], True) if at else "no such parameter"
        if text:
            faults.append(f"{name} NULL is allowed: {text}")
    ok(not faults, f"{function.header}: {function.name}") or note("\n".join(faults))


def refused(what, call):
    """Pointers behind pointers."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(writer, str(call()).encode())
        os._exit(0)
    os.close(writer)
    status = os.waitpid(pid, 0)[1]
    with os.fdopen(reader) as pipe:
        got = pipe.read()
    ok(status == 0 and got == str(INVALID), what) or note((status, got))


def plan_without(offset):
    plan = plan_of("")
    c_void_p.from_address(plan.value + offset).value = None
    out = c_void_p()
    return lib.spar_simulate(plan, byref(out), None)


def ballot_without(offset):
    ballot = ballot_of("")
    c_void_p.from_address(ballot.value + offset).value = None
    return lib.spar_decision_answer(decision_of(""), ballot, None)


two = array(c_char_p, b"one", None)
refused("a plan without an environment", lambda: plan_without(8))
refused("a plan without policies", lambda: plan_without(32))
def functions_without(new, made, offset):
    c_void_p.from_address(made.value + offset).value = None
    return new(made)


def new_custom(made):
    return lib.spar_policy_new_custom(b"mine", made, arms_of(""), c_size_t(2), c_uint64(0), made_rng(), byref(c_void_p()), None)


def made_rng():
    return made("spar_rng", "")


for offset, what in (16, "begin"), (24, "choose"), (32, "learn"):
    refused(f"a policy without {what}", lambda: functions_without(new_custom, policy_functions_of(""), offset))
for offset, what in (16, "arms"), (24, "prefer"):
    refused(f"an environment without {what}", lambda: functions_without(
        lambda made: lib.spar_env_new_custom(b"mine", made, byref(c_void_p()), None), env_functions_of(""), offset))
refused("a ballot without options", lambda: ballot_without(16))
refused("a ballot without outcomes", lambda: ballot_without(24))
refused("a log with a hole", lambda: lib.spar_session_replay(c_size_t(1), array(c_void_p, None), byref(c_void_p()), None))
refused("a list that is not there", lambda: lib.spar_mix_lists(
    b"team_draft", c_size_t(1), array(c_void_p, None), array(c_size_t, 3), c_size_t(3), made("spar_rng", ""), mix_of(""), None))
refused("a slot without a name", lambda: lib.spar_answer_parse_ranking(answer_of(""), b"one", c_size_t(2), two, None))
refused("a pair of a slot without a name",
        lambda: lib.spar_answer_parse_pairs(answer_of(""), b"one>one", c_size_t(2), two, None))

lib.spar_world_gap_at.restype = lib.spar_world_utility_at.restype = c_double
world = world_of("spar_world_gap_at")
for x, inside in (0.5, True), (math.nan, False), (math.inf, False), (-0.1, False), (1.1, False):
    gap = lib.spar_world_gap_at(world, c_uint64(1), array(c_double, x))
    value = lib.spar_world_utility_at(world, array(c_double, x))
    ok(math.isnan(gap) != inside and math.isnan(value) != inside, f"what showing the point {x} costs") or note((gap, value))
done()
