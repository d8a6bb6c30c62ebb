/* policy.c - a policy as a Python object: its arms, asking and telling, what it believes. */
#include "common.h"

#include <string.h>

typedef struct policy_object {
    PyObject_HEAD spar_session *session;
    spar_answer *answer; /* working memory */
    PyObject *labels;    /* a list: what each arm is called; NULL: its number */
    PyObject *decode;    /* of a continuous space: from a tuple of numbers to a point; NULL: a finite set */
} policy_object;

/* The policy, or NULL with an exception if it was never made. */
static policy_object *py_policy_opened(PyObject *self);

/* What a point of the space, and an arm, are called. */
static PyObject *py_policy_point(const policy_object *self, const double *x, size_t dim);
static PyObject *py_policy_label(const policy_object *self, size_t arm);

/* --- the arms of a policy: made, and those that come and go --- */

/* --- made --- */

/* Axes of a continuous space: (kind, low, high, n). */
static spar_status add_axis(spar_space *space, PyObject *axis)
{
    int kind;
    double low, high;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(axis, "iddn", &kind, &low, &high, &n))
        return SPAR_PARSE;
    return kind == 0   ? spar_space_add_range(space, low, high)
           : kind == 1 ? spar_space_add_levels(space, low, high, (size_t)n)
                       : spar_space_add_choice(space, (size_t)n, high);
}

static spar_status make_space(PyObject *axes, spar_arms **out)
{
    spar_space *space = NULL;
    spar_status status = spar_space_new(&space);
    for (Py_ssize_t i = 0; !status && i < PyList_Size(axes); i++)
        status = add_axis(space, PyList_GetItem(axes, i));
    if (!status)
        status = spar_arms_new_space(space, out);
    spar_space_free(space);
    return status;
}

static int py_policy_make_arms(Py_ssize_t n, PyObject *axes, Py_ssize_t dim, PyObject *x, spar_arms **out)
{
    char *bytes = NULL;
    Py_ssize_t length = 0;
    if (dim && PyBytes_AsStringAndSize(x, &bytes, &length))
        return -1;
    spar_status status = SPAR_INVALID;
    if (axes != Py_None)
        status = make_space(axes, out);
    else if (length == n * dim * (Py_ssize_t)sizeof(double)) {
        double *copy = dim ? PyMem_Malloc((size_t)length + 1) : NULL; /* aligned */
        if (copy)
            memcpy(copy, bytes, (size_t)length);
        status = dim && !copy ? SPAR_NOMEM : spar_arms_new((size_t)n, (size_t)dim, copy, NULL, out);
        PyMem_Free(copy);
    }
    if (status && !PyErr_Occurred())
        (void)py_raise(status,
                       &(spar_error){status, "the arms, their features or the space make no sense: features are "
                                             "finite numbers, as many for each arm, and a range goes up"});
    return status ? -1 : 0;
}

/* --- arms that come and go --- */

static PyObject *py_policy_add(PyObject *self, PyObject *args)
{
    PyObject *features, *label;
    policy_object *policy = py_policy_opened(self);
    if (!policy || !PyArg_ParseTuple(args, "OO", &features, &label))
        return NULL;
    size_t arm = 0, dim = spar_arms_dim(spar_session_arms(policy->session));
    double *x = PyMem_Malloc((dim + 1) * sizeof *x);
    spar_error err = {0};
    if (!x)
        return PyErr_NoMemory();
    bool given = features != Py_None;
    spar_status status = SPAR_OK;
    if (!given || !py_take_floats(features, dim, x))
        status = spar_session_add_arm(policy->session, given ? x : NULL, NULL, &arm, &err);
    PyMem_Free(x);
    if (PyErr_Occurred())
        return NULL;
    if (status)
        return py_fail(&err);
    if (policy->labels && PyList_Append(policy->labels, label))
        return NULL;
    return PyLong_FromSize_t(arm);
}

static PyObject *py_policy_retire(PyObject *self, PyObject *number)
{
    spar_error err = {0};
    policy_object *policy = py_policy_opened(self);
    if (!policy)
        return NULL;
    size_t arm = PyLong_AsSize_t(number);
    if (PyErr_Occurred())
        return NULL;
    if (spar_session_retire_arm(policy->session, arm, &err))
        return py_fail(&err);
    Py_RETURN_NONE;
}

static PyObject *py_policy_alive(PyObject *self, PyObject *number)
{
    policy_object *policy = py_policy_opened(self);
    if (!policy)
        return NULL;
    size_t arm = PyLong_AsSize_t(number);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(spar_arms_alive(spar_session_arms(policy->session), arm));
}

/* --- what a policy thinks of its arms, and its numbers --- */

static size_t count(const policy_object *self)
{
    const spar_arms *arms = spar_session_arms(self->session);
    return spar_arms_count(arms);
}

static PyObject *py_policy_score(PyObject *self, PyObject *none)
{
    (void)none;
    policy_object *policy = py_policy_opened(self);
    if (!policy)
        return NULL;
    size_t n = count(policy);
    double *value = PyMem_Malloc((n + 1) * sizeof *value);
    spar_error err = {0};
    if (!value)
        return PyErr_NoMemory();
    PyObject *list = spar_session_score(policy->session, n, value, &err) ? py_fail(&err) : py_floats(value, n);
    PyMem_Free(value);
    return list;
}

static PyObject *py_policy_belief(PyObject *self, PyObject *none)
{
    (void)none;
    policy_object *policy = py_policy_opened(self);
    if (!policy)
        return NULL;
    size_t n = count(policy);
    double *value = PyMem_Malloc(2 * (n + 1) * sizeof *value);
    spar_error err = {0};
    if (!value)
        return PyErr_NoMemory();
    PyObject *pair = spar_session_belief(policy->session, n, value, value + n, &err)
                         ? py_fail(&err)
                         : Py_BuildValue("NN", py_floats(value, n), py_floats(value + n, n));
    PyMem_Free(value);
    return pair;
}

static PyObject *py_policy_belief_at(PyObject *self, PyObject *numbers)
{
    policy_object *policy = py_policy_opened(self);
    if (!policy)
        return NULL;
    size_t dim = spar_arms_dim(spar_session_arms(policy->session));
    double mean = 0, sd = 0, *x = PyMem_Malloc((dim + 1) * sizeof *x);
    spar_error err = {0};
    if (!x)
        return PyErr_NoMemory();
    PyObject *pair = NULL;
    if (!py_take_floats(numbers, dim, x))
        pair = spar_session_belief_at(policy->session, dim, x, &mean, &sd, &err) ? py_fail(&err)
                                                                                 : Py_BuildValue("dd", mean, sd);
    PyMem_Free(x);
    return pair;
}

static PyObject *py_policy_best(PyObject *self, PyObject *none)
{
    (void)none;
    policy_object *policy = py_policy_opened(self);
    if (!policy)
        return NULL;
    size_t arm = 0, dim = spar_arms_dim(spar_session_arms(policy->session));
    double *x = PyMem_Malloc((dim + 1) * sizeof *x);
    spar_error err = {0};
    if (!x)
        return PyErr_NoMemory();
    PyObject *it = spar_session_best(policy->session, &arm, dim, x, &err) ? py_fail(&err)
                   : policy->decode                                       ? py_policy_point(policy, x, dim)
                                                                          : py_policy_label(policy, arm);
    PyMem_Free(x);
    return it;
}

/* The points that were played, in a continuous space. */
static PyObject *py_policy_points(PyObject *self, PyObject *none)
{
    (void)none;
    policy_object *policy = py_policy_opened(self);
    if (!policy)
        return NULL;
    const spar_arms *arms = spar_session_arms(policy->session);
    size_t n = policy->decode ? spar_arms_count(arms) : 0;
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        if (py_set_item(list, (Py_ssize_t)i, py_policy_point(policy, spar_arms_features(arms, i), spar_arms_dim(arms))))
            Py_CLEAR(list);
    return list;
}

static PyObject *get_count(PyObject *self, void *none)
{
    (void)none;
    policy_object *policy = py_policy_opened(self);
    return policy ? PyLong_FromSize_t(count(policy)) : NULL;
}

static PyObject *get_spec(PyObject *self, void *none)
{
    (void)none;
    policy_object *policy = py_policy_opened(self);
    return policy ? py_text(spar_policy_spec(spar_session_policy(policy->session))) : NULL;
}

static PyObject *get_slots(PyObject *self, void *none)
{
    (void)none;
    policy_object *policy = py_policy_opened(self);
    return policy ? PyLong_FromSize_t(spar_policy_slots(spar_session_policy(policy->session))) : NULL;
}

static PyObject *get_rounds(PyObject *self, void *none)
{
    (void)none;
    policy_object *policy = py_policy_opened(self);
    return policy ? PyLong_FromUnsignedLongLong(spar_policy_rounds(spar_session_policy(policy->session))) : NULL;
}

static PyObject *get_labels(PyObject *self, void *none)
{
    (void)none;
    PyObject *labels = ((policy_object *)self)->labels;
    labels = labels ? labels : Py_None;
    Py_INCREF(labels);
    return labels;
}

static PyGetSetDef py_policy_properties[] = {
    {"spec", get_spec, NULL, "what the policy is called, as it was written", NULL},
    {"m", get_slots, NULL, "how many arms a screen shows", NULL},
    {"rounds", get_rounds, NULL, "answers learned so far", NULL},
    {"_count", get_count, NULL, NULL, NULL},
    {"_labels", get_labels, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* --- a session as a Python object: ask, tell, look, save. The Python class spar.Policy is made of this one, and adds
 * how arms are written down --- */

enum {
    REMEMBERED = 10000, /* answers that are known when they come again */
    FEW_SLOTS = 64      /* for which there is room on the stack */
};

static PyTypeObject *policy_type;

static policy_object *py_policy_opened(PyObject *self)
{
    policy_object *policy = (policy_object *)self;
    if (policy->session)
        return policy;
    PyErr_SetString(PyExc_RuntimeError, "the policy was never made: __init__ was not called");
    return NULL;
}

/* --- made, saved, freed --- */

static int take_session(policy_object *self, spar_session *session, PyObject *labels, PyObject *decode)
{
    if (!self->answer && spar_answer_new(&self->answer)) {
        spar_session_free(session);
        (void)PyErr_NoMemory();
        return -1;
    }
    spar_session_set_memory(session, REMEMBERED);
    spar_session_free(self->session);
    self->session = session;
    PyObject *old = self->labels, *old_decode = self->decode;
    self->labels = labels == Py_None ? NULL : labels;
    self->decode = decode == Py_None ? NULL : decode;
    Py_XINCREF(self->labels);
    Py_XINCREF(self->decode);
    Py_XDECREF(old);
    Py_XDECREF(old_decode);
    return 0;
}

/* Policy(spec, n, axes, dim, x, labels, decode, m, horizon, seed) */
static int init(PyObject *self, PyObject *args, PyObject *named)
{
    (void)named;
    PyObject *text, *axes, *x, *labels, *decode, *bytes;
    Py_ssize_t n, dim, m;
    unsigned long long horizon, seed;
    if (!PyArg_ParseTuple(args, "OnOnOOOnO&O&", &text, &n, &axes, &dim, &x, &labels, &decode, &m, py_take_u64, &horizon,
                          py_take_u64, &seed))
        return -1;
    const char *name;
    spar_arms *arms = NULL;
    spar_session *session = NULL;
    spar_error err = {0};
    if (n < 0 || m < 0) {
        PyErr_SetString(PyExc_ValueError, "arms and m are counts, not negative");
        return -1;
    }
    if (!(bytes = py_bytes_of(text, &name)))
        return -1;
    int status = py_policy_make_arms(n, axes, dim, x, &arms);
    if (!status && spar_session_new(name, arms, (size_t)m, horizon, seed, &session, &err)) {
        (void)py_fail(&err);
        status = -1;
    }
    spar_arms_free(arms);
    Py_DECREF(bytes);
    return status ? -1 : take_session((policy_object *)self, session, labels, decode);
}

static PyObject *load(PyObject *self, PyObject *args)
{
    const char *bytes;
    Py_ssize_t length;
    PyObject *labels, *decode;
    spar_session *session = NULL;
    spar_error err = {0};
    if (!PyArg_ParseTuple(args, "y#OO", &bytes, &length, &labels, &decode))
        return NULL;
    if (spar_session_load((const unsigned char *)bytes, (size_t)length, &session, &err))
        return py_fail(&err);
    if (take_session((policy_object *)self, session, labels, decode))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *save(PyObject *self, PyObject *none)
{
    (void)none;
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_error err = {0};
    policy_object *policy = py_policy_opened(self);
    if (!policy)
        return NULL;
    if (spar_session_save(policy->session, &bytes, &length, &err))
        return py_fail(&err);
    PyObject *saved = PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)length);
    spar_bytes_free(bytes);
    return saved;
}

static int traverse(PyObject *self, visitproc visit, void *arg)
{
#if PY_VERSION_HEX >= 0x03090000
    Py_VISIT(Py_TYPE(self));
#endif
    Py_VISIT(((policy_object *)self)->labels);
    Py_VISIT(((policy_object *)self)->decode);
    return 0;
}

static int clear(PyObject *self)
{
    Py_CLEAR(((policy_object *)self)->labels);
    Py_CLEAR(((policy_object *)self)->decode);
    return 0;
}

static void dealloc(PyObject *self)
{
    policy_object *policy = (policy_object *)self;
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    spar_session_free(policy->session);
    spar_answer_free(policy->answer);
    py_free(self);
}

/* --- asking and telling --- */

static PyObject *py_policy_point(const policy_object *self, const double *x, size_t dim)
{
    PyObject *numbers = PyTuple_New((Py_ssize_t)dim);
    for (size_t i = 0; numbers && i < dim; i++)
        if (PyTuple_SetItem(numbers, (Py_ssize_t)i, PyFloat_FromDouble(x[i])))
            Py_CLEAR(numbers);
    PyObject *point = numbers ? PyObject_CallFunctionObjArgs(self->decode, numbers, NULL) : NULL;
    Py_XDECREF(numbers);
    return point;
}

static PyObject *py_policy_label(const policy_object *self, size_t arm)
{
    if (!self->labels)
        return PyLong_FromSize_t(arm);
    PyObject *label = PyList_GetItem(self->labels, (Py_ssize_t)arm); /* borrowed */
    Py_XINCREF(label);
    return label;
}

static PyObject *labels_of(const policy_object *self, size_t m, const size_t *arm)
{
    PyObject *arms = PyTuple_New((Py_ssize_t)m);
    for (size_t j = 0; arms && j < m; j++) {
        PyObject *label = py_policy_label(self, arm[j]);
        if (!label || PyTuple_SetItem(arms, (Py_ssize_t)j, label))
            Py_CLEAR(arms);
    }
    return arms;
}

static PyObject *points_of(const policy_object *self, const spar_round *round)
{
    size_t m = spar_round_slots(round);
    PyObject *arms = PyTuple_New((Py_ssize_t)m);
    for (size_t j = 0; arms && j < m; j++) {
        PyObject *point = py_policy_point(self, spar_round_point(round, j), spar_round_dim(round));
        if (!point || PyTuple_SetItem(arms, (Py_ssize_t)j, point))
            Py_CLEAR(arms);
    }
    return arms;
}

/* What question `number` shows. The round is the session's only until something else is asked, which whatever Python
 * frees or calls meanwhile might do: it is read first. */
static PyObject *shown(const policy_object *self, uint64_t number)
{
    const spar_round *round = spar_session_round(self->session, number);
    spar_round *copy = NULL;
    size_t few[FEW_SLOTS], m = spar_round_slots(round);
    if (!round || ((self->decode || m > FEW_SLOTS) && spar_round_dup(round, &copy)))
        return PyErr_NoMemory();
    size_t *arm = copy && !self->decode ? PyMem_Malloc(m * sizeof *arm) : few;
    for (size_t j = 0; arm && !self->decode && j < m; j++)
        arm[j] = spar_round_arm(round, j);
    PyObject *arms = !arm ? PyErr_NoMemory() : self->decode ? points_of(self, copy) : labels_of(self, m, arm);
    if (arm != few)
        PyMem_Free(arm);
    spar_round_free(copy);
    return arms;
}

static PyObject *ask(PyObject *self, PyObject *none)
{
    (void)none;
    uint64_t number = 0;
    spar_error err;
    policy_object *policy = py_policy_opened(self);
    if (!policy)
        return NULL;
    err.status = SPAR_OK;
    err.text[0] = 0;
    if (spar_session_ask(policy->session, &number, &err))
        return py_fail(&err);
    return py_screen_new(number, shown(policy, number));
}

static PyObject *open_screens(PyObject *self, PyObject *none)
{
    (void)none;
    policy_object *policy = py_policy_opened(self);
    PyObject *list = policy ? PyList_New(0) : NULL;
    uint64_t number = 0;
    while (list && (number = spar_session_next_open(policy->session, number))) {
        PyObject *screen = py_screen_new(number, shown(policy, number));
        if (!screen || PyList_Append(list, screen))
            Py_CLEAR(list);
        Py_XDECREF(screen);
    }
    return list;
}

/* An open question is answered by a screen that shows its arms; of others spar_session_tell says what is wrong. */
static bool shows_question(const policy_object *self, PyObject *screen)
{
    uint64_t number = py_screen_number(screen);
    if (!spar_session_slots(self->session, number))
        return true;
    PyObject *arms = shown(self, number);
    bool same = arms && py_screen_shows(screen, arms);
    Py_XDECREF(arms);
    return same;
}

static PyObject *tell(PyObject *self, PyObject *args, PyObject *named)
{
    static char *words[] = {"screen", "winner", "ranking", "pairs", "tie", "bad", "skip", NULL};
    PyObject *screen;
    py_answer_words is = {NULL, NULL, NULL, 0, 0, 0};
    policy_object *policy = py_policy_opened(self);
    if (!policy || !PyArg_ParseTupleAndKeywords(args, named, "O|OOOppp:tell", words, &screen, &is.winner, &is.ranking,
                                                &is.pairs, &is.tie, &is.bad, &is.skip))
        return NULL;
    if (!py_screen_check(screen))
        return PyErr_Format(PyExc_TypeError, "tell(screen, ...): expected what ask() gave, not %R", screen);
    if (!shows_question(policy, screen) || py_answer_read(&is, py_screen_arms(screen), policy->answer))
        return NULL;
    spar_error err;
    err.status = SPAR_OK;
    err.text[0] = 0;
    if (spar_session_tell(policy->session, py_screen_number(screen), policy->answer, &err))
        return py_fail(&err);
    Py_RETURN_NONE;
}

/* An answer to a question that was asked elsewhere: the numbers of the arms, and what was said about them. */
static PyObject *import_answer(PyObject *self, PyObject *args, PyObject *named)
{
    static char *words[] = {"numbers", "arms", "winner", "ranking", "pairs", "tie", "bad", "skip", NULL};
    PyObject *numbers, *arms;
    py_answer_words is = {NULL, NULL, NULL, 0, 0, 0};
    policy_object *policy = py_policy_opened(self);
    if (!policy ||
        !PyArg_ParseTupleAndKeywords(args, named, "O!O!|OOOppp:_import", words, &PyList_Type, &numbers, &PyTuple_Type,
                                     &arms, &is.winner, &is.ranking, &is.pairs, &is.tie, &is.bad, &is.skip) ||
        py_answer_read(&is, arms, policy->answer))
        return NULL;
    size_t n = (size_t)PyList_Size(numbers), *arm = PyMem_Malloc((n + 1) * sizeof *arm);
    if (!arm)
        return PyErr_NoMemory();
    for (size_t i = 0; i < n; i++)
        arm[i] = PyLong_AsSize_t(PyList_GetItem(numbers, (Py_ssize_t)i));
    spar_error err = {0};
    spar_status status =
        PyErr_Occurred() ? SPAR_OK : spar_session_import(policy->session, n, arm, policy->answer, &err);
    PyMem_Free(arm);
    if (PyErr_Occurred())
        return NULL;
    if (status)
        return py_fail(&err);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"ask", ask, METH_NOARGS,
     "ask()\n--\n\nThe next question: a Screen, whose arms are to be shown together.\n\n"
     ">>> import spar\n>>> policy = spar.Policy('ind_self_sparring', arms=['tea', 'coffee'], m=2, seed=1)\n"
     ">>> sorted(set(policy.ask().arms) | {'tea', 'coffee'})\n['coffee', 'tea']"},
    {"tell", (PyCFunction)(void (*)(void))tell, METH_VARARGS | METH_KEYWORDS,
     "tell(screen, winner=None, ranking=None, pairs=None, tie=False, bad=False, skip=False)\n--\n\n"
     "The answer to a question, once only: early, late, out of order, or never.\n\n"
     "winner: the best of what was shown. ranking: some or all of it, best first; those that are equal stand together\n"
     "in a tuple. pairs: (a, b) says that a is better than b, (a, b, 'tie') that they are equal. tie: all are equal.\n"
     "bad: none is acceptable. skip: no answer. The same answer again is the same answer; another one is refused with\n"
     "ConflictError.\n\n"
     ">>> import spar\n>>> policy = spar.Policy('ind_self_sparring', arms=4, m=3, seed=1)\n"
     ">>> screen = policy.ask()\n>>> policy.tell(screen, winner=screen.arms[0])\n>>> policy.rounds\n1"},
    {"open", open_screens, METH_NOARGS, "open()\n--\n\nThe screens that wait for an answer."},
    {"score", py_policy_score, METH_NOARGS,
     "score()\n--\n\nHow good the policy thinks each arm is: higher is better, comparable within one policy only."},
    {"best", py_policy_best, METH_NOARGS,
     "best()\n--\n\nThe arm, or the point of the space, that it takes for the best."},
    {"_import", (PyCFunction)(void (*)(void))import_answer, METH_VARARGS | METH_KEYWORDS, NULL},
    {"_belief", py_policy_belief, METH_NOARGS, NULL},
    {"_belief_at", py_policy_belief_at, METH_O, NULL},
    {"_points", py_policy_points, METH_NOARGS, NULL},
    {"_add", py_policy_add, METH_VARARGS, NULL},
    {"_retire", py_policy_retire, METH_O, NULL},
    {"_alive", py_policy_alive, METH_O, NULL},
    {"_save", save, METH_NOARGS, NULL},
    {"_load", load, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_methods, methods},
    {Py_tp_getset, py_policy_properties},
    {0, NULL},
};

static PyType_Spec spec = {"spar._spar.Policy", sizeof(policy_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

int py_policy_init(PyObject *module)
{
    return py_add_type(module, &spec, &policy_type);
}
