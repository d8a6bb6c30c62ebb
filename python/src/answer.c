/* answer.c - an answer as a Python caller says it, in terms of what the screen shows. */
#include "common.h"

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
