/* screen.c - a screen as a Python object, and the answers to it. */
#include "common.h"

#include <structmember.h>

/* --- what is shown: a number and the arms, slot by slot --- */

typedef struct screen_object {
    PyObject_HEAD unsigned long long number;
    PyObject *arms;           /* a tuple */
    PyObject *item, *outputs; /* NULL: none */
} screen_object;

static PyTypeObject *screen_type;

PyObject *py_screen_new(uint64_t number, PyObject *arms)
{
    screen_object *self = arms ? (screen_object *)PyType_GenericAlloc(screen_type, 0) : NULL;
    if (!self) {
        Py_XDECREF(arms);
        return NULL;
    }
    self->number = number;
    self->arms = arms;
    return (PyObject *)self;
}

PyObject *py_screen_with(PyObject *screen, PyObject *item, PyObject *outputs)
{
    if (!screen || !item || !outputs) {
        Py_XDECREF(screen);
        Py_XDECREF(item);
        Py_XDECREF(outputs);
        return NULL;
    }
    ((screen_object *)screen)->item = item;
    ((screen_object *)screen)->outputs = outputs;
    return screen;
}

int py_screen_check(PyObject *object)
{
    return PyObject_TypeCheck(object, screen_type);
}

uint64_t py_screen_number(PyObject *screen)
{
    return ((screen_object *)screen)->number;
}

PyObject *py_screen_arms(PyObject *screen)
{
    return ((screen_object *)screen)->arms;
}

/* A screen of another policy, or one whose arms were put in another order, would teach about the wrong arms. */
bool py_screen_shows(PyObject *screen, PyObject *arms)
{
    PyObject *given = py_screen_arms(screen);
    int same = PyObject_RichCompareBool(arms, given, Py_EQ);
    if (same == 0)
        (void)py_raise_text(
            SPAR_INVALID, PyUnicode_FromFormat("screen %llu shows %R here, but %R is answered: it was asked elsewhere",
                                               (unsigned long long)py_screen_number(screen), arms, given));
    return same == 1;
}

static PyObject *new (PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *words[] = {"number", "arms", NULL};
    unsigned long long number;
    PyObject *arms;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O&O:Screen", words, py_take_u64, &number, &arms) ||
        !(arms = PySequence_Tuple(arms)))
        return NULL;
    screen_object *self = (screen_object *)PyType_GenericAlloc(type, 0);
    if (!self) {
        Py_DECREF(arms);
        return NULL;
    }
    self->number = number;
    self->arms = arms;
    return (PyObject *)self;
}

/* Arms may be anything, also what points back to the screen. */
static int traverse(PyObject *self, visitproc visit, void *arg)
{
#if PY_VERSION_HEX >= 0x03090000
    Py_VISIT(Py_TYPE(self));
#endif
    Py_VISIT(((screen_object *)self)->arms);
    Py_VISIT(((screen_object *)self)->item);
    Py_VISIT(((screen_object *)self)->outputs);
    return 0;
}

static int clear(PyObject *self)
{
    Py_CLEAR(((screen_object *)self)->arms);
    Py_CLEAR(((screen_object *)self)->item);
    Py_CLEAR(((screen_object *)self)->outputs);
    return 0;
}

static void dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    py_free(self);
}

static PyObject *repr(PyObject *self)
{
    return PyUnicode_FromFormat("Screen(%llu, %R)", ((screen_object *)self)->number, py_screen_arms(self));
}

static PyObject *reduce(PyObject *self, PyObject *none)
{
    (void)none;
    return Py_BuildValue("O(KO)", (PyObject *)Py_TYPE(self), ((screen_object *)self)->number, py_screen_arms(self));
}

static Py_ssize_t length(PyObject *self)
{
    return PyTuple_Size(py_screen_arms(self));
}

static PyObject *item(PyObject *self, Py_ssize_t i)
{
    return PySequence_GetItem(py_screen_arms(self), i);
}

static PyObject *compare(PyObject *a, PyObject *b, int how)
{
    if (!py_screen_check(b) || (how != Py_EQ && how != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    int same = py_screen_number(a) == py_screen_number(b)
                   ? PyObject_RichCompareBool(py_screen_arms(a), py_screen_arms(b), Py_EQ)
                   : 0;
    return same < 0 ? NULL : PyBool_FromLong(how == Py_EQ ? same : !same);
}

static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {
    {"number", T_ULONGLONG, offsetof(screen_object, number), READONLY, "the number of the question, from 1"},
    {"arms", T_OBJECT_EX, offsetof(screen_object, arms), READONLY, "what is shown, slot by slot"},
    {"settings", T_OBJECT_EX, offsetof(screen_object, arms), READONLY,
     "the same, where an experiment is over a space: dicts of names and values"},
    {"item", T_OBJECT, offsetof(screen_object, item), READONLY, "id, prompt and group of the item, or None"},
    {"outputs", T_OBJECT, offsetof(screen_object, outputs), READONLY, "what each arm says to the item, or None"},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, new},
    {Py_tp_dealloc, dealloc},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_repr, repr},
    {Py_tp_richcompare, compare},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_sq_length, length},
    {Py_sq_item, item},
    {Py_tp_doc, "Screen(number, arms)\n--\n\nA question: its number, and the arms that are shown together; in an "
                "experiment with items,\nthe item, a dict with id, prompt and group, and the outputs of the arms."},
    {0, NULL},
};

static PyType_Spec spec = {"spar.Screen", sizeof(screen_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

int py_screen_init(PyObject *module)
{
    return py_add_type(module, &spec, &screen_type);
}

/* --- an answer as a Python caller says it, in terms of what the screen shows --- */

/* The first slot that shows this. */
static int slot_of(PyObject *shown, PyObject *arm, size_t *slot)
{
    Py_ssize_t m = PyTuple_Size(shown);
    for (Py_ssize_t j = 0; j < m; j++) {
        PyObject *item = PyTuple_GetItem(shown, j);
        int same = item == arm ? 1 : PyObject_RichCompareBool(item, arm, Py_EQ);
        if (same < 0)
            return -1;
        if (same) {
            *slot = (size_t)j;
            return 0;
        }
    }
    PyErr_Clear();
    (void)py_raise_text(SPAR_INVALID, PyUnicode_FromFormat("%R is not on the screen, which shows %R", arm, shown));
    return -1;
}

static bool said(PyObject *word)
{
    return word && word != Py_None;
}

/* Several arms of equal rank stand in a list, a tuple or a set inside the ranking, unless the screen shows just that.
 */
static bool is_level(PyObject *item, PyObject *shown)
{
    if (!PyList_Check(item) && !PyTuple_Check(item) && !PyAnySet_Check(item))
        return false;
    int there = PySequence_Contains(shown, item);
    PyErr_Clear();
    return there != 1;
}

typedef struct ranks {
    size_t n, most, *slot, *level;
} ranks;

static int add_rank(ranks *r, PyObject *shown, PyObject *arm, size_t level)
{
    if (r->n == r->most) {
        PyErr_SetString(PyExc_ValueError, "the ranking names more arms than the screen shows");
        return -1;
    }
    r->level[r->n] = level;
    return slot_of(shown, arm, &r->slot[r->n++]);
}

static int add_level(ranks *r, PyObject *shown, PyObject *item, size_t level)
{
    if (!is_level(item, shown))
        return add_rank(r, shown, item, level);
    PyObject *all = PySequence_List(item);
    int status = all ? 0 : -1;
    for (Py_ssize_t i = 0; !status && i < PyList_Size(all); i++)
        status = add_rank(r, shown, PyList_GetItem(all, i), level);
    Py_XDECREF(all);
    return status;
}

static int read_ranking(PyObject *ranking, PyObject *shown, spar_answer *answer)
{
    size_t most = (size_t)PyTuple_Size(shown);
    ranks r = {.most = most, .slot = PyMem_Malloc(2 * (most + 1) * sizeof(size_t))};
    PyObject *all = PySequence_List(ranking);
    int status = r.slot && all ? 0 : -1;
    r.level = r.slot + most;
    for (Py_ssize_t i = 0; !status && i < PyList_Size(all); i++)
        status = add_level(&r, shown, PyList_GetItem(all, i), (size_t)i);
    spar_error err = {0};
    if (!status && spar_answer_set_ranking(answer, r.n, r.slot, r.level, &err)) {
        (void)py_fail(&err);
        status = -1;
    }
    Py_XDECREF(all);
    PyMem_Free(r.slot);
    return status;
}

static int outcome_of(PyObject *word, spar_outcome *out)
{
    static const struct {
        const char *word;
        spar_outcome is;
    } words[] = {{"win", SPAR_WIN}, {"loss", SPAR_LOSS}, {"tie", SPAR_TIE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (PyUnicode_Check(word) && PyUnicode_CompareWithASCIIString(word, words[i].word) == 0) {
            *out = words[i].is;
            return 0;
        }
    PyErr_Format(PyExc_ValueError, "%R: a pair is (a, b), a beats b, or (a, b, 'win' | 'tie' | 'loss')", word);
    return -1;
}

static int add_pair(PyObject *pair, PyObject *shown, spar_answer *answer)
{
    size_t j, k;
    spar_outcome outcome = SPAR_WIN;
    PyObject *parts = PySequence_Tuple(pair);
    if (!parts)
        return -1;
    Py_ssize_t n = PyTuple_Size(parts);
    int status = 0;
    if (n != 2 && n != 3) {
        PyErr_Format(PyExc_ValueError, "%R: a pair is (a, b), a beats b, or (a, b, 'win' | 'tie' | 'loss')", pair);
        status = -1;
    }
    if (!status && n == 3)
        status = outcome_of(PyTuple_GetItem(parts, 2), &outcome);
    if (!status)
        status =
            slot_of(shown, PyTuple_GetItem(parts, 0), &j) || slot_of(shown, PyTuple_GetItem(parts, 1), &k) ? -1 : 0;
    spar_error err = {0};
    if (!status && spar_answer_add_pair(answer, j, k, outcome, &err)) {
        (void)py_fail(&err);
        status = -1;
    }
    Py_DECREF(parts);
    return status;
}

static int read_pairs(PyObject *pairs, PyObject *shown, spar_answer *answer)
{
    PyObject *all = PySequence_List(pairs);
    int status = all ? 0 : -1;
    if (all && !PyList_Size(all)) {
        PyErr_SetString(PyExc_ValueError, "pairs=[]: no pair is no answer; skip=True says so");
        status = -1;
    }
    for (Py_ssize_t i = 0; !status && i < PyList_Size(all); i++)
        status = add_pair(PyList_GetItem(all, i), shown, answer);
    Py_XDECREF(all);
    return status;
}

int py_answer_read(const py_answer_words *words, PyObject *shown, spar_answer *answer)
{
    size_t slot = 0;
    int given = said(words->winner) + said(words->ranking) + said(words->pairs) + (words->tie != 0) +
                (words->bad != 0) + (words->skip != 0);
    if (given != 1) {
        PyErr_SetString(PyExc_TypeError, "an answer is exactly one of winner=, ranking=, pairs=, tie=True, bad=True, "
                                         "skip=True");
        return -1;
    }
    if (said(words->winner)) {
        if (slot_of(shown, words->winner, &slot))
            return -1;
        spar_answer_set_winner(answer, slot);
        return 0;
    }
    if (words->tie)
        spar_answer_set_tie(answer);
    else if (words->bad)
        spar_answer_set_bad(answer);
    else
        spar_answer_set_skip(answer);
    return said(words->ranking) ? read_ranking(words->ranking, shown, answer)
           : said(words->pairs) ? read_pairs(words->pairs, shown, answer)
                                : 0;
}
