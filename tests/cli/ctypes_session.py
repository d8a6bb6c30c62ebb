"""ctypes_session.py LIBSPAR EXAMPLE - the story of examples/session.c through Python's ctypes, with nothing but the
functions: ask and tell by names, save, be gone, load, go on. Every run prints what the C program prints."""
import ctypes
import subprocess
import sys
import tempfile
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint64, c_void_p
from pathlib import Path

from harness import ROOT, done, ok, same

LIBRARY, EXAMPLE = sys.argv[1:3]
SPEC, SEED, TEAS = b"ind_self_sparring", 2017, [b"Assam", b"Darjeeling", b"Earl Grey", b"Sencha"]


def library():
    lib = ctypes.CDLL(LIBRARY)
    for result, names in {
            c_int: "arms_new session_new session_load session_save session_ask session_tell session_tell_winner "
                   "session_best answer_new",
            c_void_p: "error_new",
            c_char_p: "error_text session_name session_slot_name status_text",
            c_uint64: "session_next_open session_questions",
            c_size_t: "session_slots session_slot",
            None: "arms_free session_free bytes_free error_free answer_free answer_set_winner"}.items():
        for name in names.split():
            getattr(lib, "spar_" + name).restype = result
    return lib


class Session:
    """The functions of session.h, with errors as exceptions."""

    def __init__(self, lib, saved=None):
        self.lib, self.err, self.handle = lib, c_void_p(lib.spar_error_new()), c_void_p()
        if saved:
            self.check(lib.spar_session_load(saved, c_size_t(len(saved)), byref(self.handle), self.err))
            return
        arms = c_void_p()
        names = (c_char_p * len(TEAS))(*TEAS)
        self.check(lib.spar_arms_new(c_size_t(len(TEAS)), c_size_t(0), None, names, byref(arms)))
        self.check(lib.spar_session_new(SPEC, arms, c_size_t(2), c_uint64(0), c_uint64(SEED), byref(self.handle),
                                        self.err))
        lib.spar_arms_free(arms)

    def check(self, status):
        if status:
            raise ValueError(self.lib.spar_error_text(self.err).decode(), status)

    def ask(self):
        number = c_uint64()
        self.check(self.lib.spar_session_ask(self.handle, byref(number), self.err))
        return number.value

    def names(self, number):
        slots = self.lib.spar_session_slots(self.handle, c_uint64(number))
        return [self.lib.spar_session_slot_name(self.handle, c_uint64(number), c_size_t(j)).decode()
                for j in range(slots)]

    def tell_winner(self, number, name):
        self.check(self.lib.spar_session_tell_winner(self.handle, c_uint64(number), name.encode(), self.err))

    def tell(self, number, slot):
        answer = c_void_p()
        self.check(self.lib.spar_answer_new(byref(answer)))
        self.lib.spar_answer_set_winner(answer, c_size_t(slot))
        try:
            self.check(self.lib.spar_session_tell(self.handle, c_uint64(number), answer, self.err))
        finally:
            self.lib.spar_answer_free(answer)

    def next_open(self):
        return self.lib.spar_session_next_open(self.handle, c_uint64(0))

    def best(self):
        arm = c_size_t()
        self.check(self.lib.spar_session_best(self.handle, byref(arm), c_size_t(0), None, self.err))
        return self.lib.spar_session_name(self.handle, arm).decode()

    def save(self):
        data, length = c_void_p(), c_size_t()
        self.check(self.lib.spar_session_save(self.handle, byref(data), byref(length), self.err))
        saved = ctypes.string_at(data, length.value)
        self.lib.spar_bytes_free(data)
        return saved

    def close(self):
        self.lib.spar_session_free(self.handle)
        self.lib.spar_error_free(self.err)


def run(lib, saved):
    """One run of the story; gives its lines and its save."""
    session, lines = Session(lib, saved), []
    question = session.next_open()
    for answered in range(21):
        question = question or session.ask()
        a, b = session.names(question)
        lines.append(f"{question}. {a} or {b}?")
        if answered < 20:
            session.tell_winner(question, max(a, b))
        question = 0
    lines.append(f"best so far: {session.best()}")
    saved = session.save()
    session.close()
    return lines, saved


def refused(call, status):
    try:
        call()
    except ValueError as error:
        return error.args[1] == status and error.args[0]
    return False


def once_only(lib, saved):
    session = Session(lib, saved)
    number = session.next_open()
    while len(set(session.names(number))) < 2:
        number = session.ask()
    names = session.names(number)
    session.tell(number, 1)
    before = session.save()
    session.tell(number, 1)
    session.tell_winner(number, names[1])
    same(session.save(), before, "the same answer again changes nothing")
    ok(refused(lambda: session.tell(number, 0), -9), "another answer is refused")
    ok(refused(lambda: session.tell_winner(number, names[0]), -9), "by name, too")
    ok(refused(lambda: session.tell(10000, 0), -4), "so is an answer to nothing")
    session.close()


def main():
    lib, saved = library(), None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tea.spar"
        for number in range(3):
            told = subprocess.run([EXAMPLE, str(path)], capture_output=True, text=True, timeout=240)
            lines, saved = run(lib, saved)
            same(told.stdout.splitlines(), lines, f"run {number + 1} says the same in C and in Python")
            same(path.read_bytes(), saved, "and saves the same bytes")
        same(lines[-1], "best so far: Sencha", "the vote finds what the voter likes")
        same(lines[0].split(".")[0], "41", "a run begins with the question that the last one left open")
    once_only(lib, saved)
    source = (ROOT / "examples/session.c").read_text()
    ok(len(source.splitlines()) <= 40, "the C program has at most 40 lines")
    done()


if __name__ == "__main__":
    main()
