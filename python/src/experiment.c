/* experiment.c - a live experiment as a Python object. Every call lets other Python threads run, because it may wait
 * for the disk; a lock lets one thread at a time into an experiment. */
#include "experiment.h"

#include <unistd.h>

PyObject *py_experiment_inside(PyObject *object, py_experiment_body *method, PyObject *args, PyObject *named)
{
    experiment_object *self = (experiment_object *)object;
    PyObject *result = NULL;
    if (self->owner != getpid())
        return PyErr_Format(PyExc_RuntimeError,
                            "the experiment was opened by the process that this one was forked from: "
                            "open it here");
    Py_BEGIN_ALLOW_THREADS(void) pthread_mutex_lock(&self->lock);
    Py_END_ALLOW_THREADS if (self->experiment) result = method(self, args, named);
    else PyErr_SetString(PyExc_ValueError, "the experiment is closed");
    (void)pthread_mutex_unlock(&self->lock);
    return result;
}

static PyTypeObject *experiment_type;

/* --- made, opened, closed --- */

static experiment_object *allocate(PyTypeObject *type)
{
    experiment_object *self = (experiment_object *)PyType_GenericAlloc(type, 0);
    if (self) {
        pthread_mutexattr_t again;
        (void)pthread_mutexattr_init(&again);
        (void)pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
        (void)pthread_mutex_init(&self->lock, &again);
        (void)pthread_mutexattr_destroy(&again);
        self->locks = true;
        self->owner = getpid();
    }
    return self;
}

/* create(class, place, options, question, policy, m, answer, seed, results, access, items, space, against_last) */
static PyObject *create(PyObject *type, PyObject *args)
{
    const char *place, *question, *policy, *items, *space;
    PyObject *options, *seed;
    Py_ssize_t m;
    int answer, results, access, against_last;
    if (!PyArg_ParseTuple(args, "sO!zzniOiizzp", &place, &PyList_Type, &options, &question, &policy, &m, &answer, &seed,
                          &results, &access, &items, &space, &against_last))
        return NULL;
    spar_setup *setup = NULL;
    spar_error err = {0};
    if (spar_setup_new(&setup))
        return PyErr_NoMemory();
    spar_status status = question ? spar_setup_set_question(setup, question, &err) : SPAR_OK;
    if (!status && space)
        status = spar_setup_set_space(setup, space, against_last != 0, &err);
    if (!status && policy)
        status = spar_setup_set_policy(setup, policy, &err);
    if (!status && m)
        status = spar_setup_set_slots(setup, (size_t)m, &err);
    if (!status)
        status = spar_setup_set_answer(setup, (spar_answer_kind)answer, &err);
    spar_setup_set_results(setup, (spar_results_for)results);
    spar_setup_set_access(setup, (spar_access)access);
    if (!status && seed != Py_None)
        spar_setup_set_seed(setup, PyLong_AsUnsignedLongLong(seed));
    experiment_object *self = NULL;
    if (status)
        (void)py_fail(&err);
    else if (!PyErr_Occurred() && !py_options_add(setup, options) && !py_items_add(setup, items) &&
             (self = allocate((PyTypeObject *)type))) {
        Py_BEGIN_ALLOW_THREADS status = spar_experiment_create(place, setup, &self->experiment, &err);
        Py_END_ALLOW_THREADS if (status)
        {
            Py_CLEAR(self);
            (void)py_fail(&err);
        }
    }
    spar_setup_free(setup);
    return (PyObject *)self;
}

static PyObject *new (PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *words[] = {"place", "readonly", NULL};
    PyObject *place, *held;
    const char *path;
    int readonly = 0;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O|p:Experiment", words, &place, &readonly))
        return NULL;
    place = PyOS_FSPath(place);
    held = place ? py_bytes_of(place, &path) : NULL;
    experiment_object *self = held ? allocate(type) : NULL;
    spar_error err = {0};
    spar_status status = SPAR_OK;
    if (self) {
        Py_BEGIN_ALLOW_THREADS status = spar_experiment_open(
            path, readonly ? SPAR_EXPERIMENT_READ : SPAR_EXPERIMENT_WRITE, &self->experiment, &err);
        Py_END_ALLOW_THREADS
    }
    if (status) {
        Py_CLEAR(self);
        (void)py_fail(&err);
    }
    Py_XDECREF(held);
    Py_XDECREF(place);
    return (PyObject *)self;
}

static PyObject *close_inside(experiment_object *self, PyObject *none, PyObject *named)
{
    (void)none, (void)named;
    spar_experiment *experiment = self->experiment;
    self->experiment = NULL;
    Py_BEGIN_ALLOW_THREADS spar_experiment_close(experiment);
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

static PyObject *close_it(PyObject *object, PyObject *none)
{
    if (!((experiment_object *)object)->experiment)
        Py_RETURN_NONE;
    return py_experiment_inside(object, close_inside, none, NULL);
}

static void dealloc(PyObject *object)
{
    experiment_object *self = (experiment_object *)object;
    if (self->experiment && self->owner == getpid())
        spar_experiment_close(self->experiment);
    if (self->locks)
        (void)pthread_mutex_destroy(&self->lock);
    py_free(object);
}

/* --- asking and telling --- */

static PyObject *ask_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    static char *words[] = {"voter", NULL};
    const char *voter = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, named, "|z:ask", words, &voter))
        return NULL;
    spar_screen *screen = NULL;
    spar_error err = {0};
    spar_status status;
    Py_BEGIN_ALLOW_THREADS status = spar_experiment_ask(self->experiment, voter, &screen, &err);
    Py_END_ALLOW_THREADS if (status) return py_fail(&err);
    PyObject *asked = py_experiment_shown(self, screen);
    spar_screen_free(screen);
    return asked;
}
METHOD(ask)

static PyObject *screen_inside(experiment_object *self, PyObject *number, PyObject *named)
{
    (void)named;
    unsigned long long n = PyLong_AsUnsignedLongLong(number);
    return PyErr_Occurred() ? NULL : py_experiment_screen(self, n);
}
METHOD_OF_ONE(screen)

static PyObject *open_screens_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    static char *words[] = {"voter", NULL};
    const char *voter = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, named, "|z:open_screens", words, &voter))
        return NULL;
    size_t n = spar_experiment_open_screens(self->experiment, voter, 0, NULL);
    uint64_t *number = PyMem_Malloc((n + 1) * sizeof *number);
    if (!number)
        return PyErr_NoMemory();
    size_t found = spar_experiment_open_screens(self->experiment, voter, n, number);
    n = found < n ? found : n;
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        if (py_set_item(list, (Py_ssize_t)i, py_experiment_screen(self, number[i])))
            Py_CLEAR(list);
    PyMem_Free(number);
    return list;
}
METHOD(open_screens)

static spar_status make_remarks(const char *comment, long taken, spar_remarks **out, spar_error *err)
{
    *out = NULL;
    if (!comment && taken < 0)
        return SPAR_OK;
    spar_status status = spar_remarks_new(out);
    if (!status && comment)
        status = spar_remarks_set_comment(*out, comment, err);
    if (!status && taken >= 0) {
        spar_remarks_set_taken(*out, (uint32_t)taken);
        if (taken < 300)
            spar_remarks_set_flags(*out, SPAR_FLAG_FAST);
    }
    return status;
}

/* The screen of the log that is answered, by its number or by what ask() gave. */
static PyObject *screen_answered(experiment_object *self, PyObject *asked)
{
    if (!py_screen_check(asked))
        return screen_inside(self, asked, NULL);
    PyObject *screen = py_experiment_screen(self, py_screen_number(asked));
    if (screen && !py_screen_shows(asked, py_screen_arms(screen)))
        Py_CLEAR(screen);
    return screen;
}

static PyObject *tell_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    static char *words[] = {"screen", "winner", "ranking", "pairs", "tie", "bad",
                            "skip",   "voter",  "comment", "taken", NULL};
    PyObject *asked;
    py_answer_words is = {NULL, NULL, NULL, 0, 0, 0};
    const char *voter = NULL, *comment = NULL;
    long taken = -1;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O|OOOpppzzl:tell", words, &asked, &is.winner, &is.ranking, &is.pairs,
                                     &is.tie, &is.bad, &is.skip, &voter, &comment, &taken))
        return NULL;
    if (!(asked = screen_answered(self, asked)))
        return NULL;
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    spar_error err = {0};
    bool again = false;
    spar_status status = spar_answer_new(&answer);
    if (!status && !py_answer_read(&is, py_screen_arms(asked), answer)) {
        status = make_remarks(comment, taken, &remarks, &err);
        Py_BEGIN_ALLOW_THREADS if (!status) status =
            spar_experiment_tell(self->experiment, py_screen_number(asked), voter, answer, remarks, &again, &err);
        Py_END_ALLOW_THREADS
    }
    spar_remarks_free(remarks);
    spar_answer_free(answer);
    Py_DECREF(asked);
    if (status)
        return py_raise(status, &err);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(!again);
}
METHOD(tell)

static PyObject *undo_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    static char *words[] = {"screen", "voter", NULL};
    PyObject *asked;
    const char *voter = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O|z:undo", words, &asked, &voter))
        return NULL;
    uint64_t number = py_screen_check(asked) ? py_screen_number(asked) : PyLong_AsUnsignedLongLong(asked);
    if (PyErr_Occurred())
        return NULL;
    spar_error err = {0};
    spar_status status;
    Py_BEGIN_ALLOW_THREADS status =
        spar_experiment_undo(self->experiment, number, voter, SPAR_ANY_REVISION, NULL, &err);
    Py_END_ALLOW_THREADS if (status) return py_fail(&err);
    Py_RETURN_NONE;
}
METHOD(undo)

/* --- changing --- */

static PyObject *add_inside(experiment_object *self, PyObject *parts, PyObject *named)
{
    (void)named;
    spar_option *option = py_option_new(parts);
    if (!option)
        return NULL;
    size_t arm = 0;
    spar_error err = {0};
    spar_status status;
    Py_BEGIN_ALLOW_THREADS status = spar_experiment_add(self->experiment, option, &arm, &err);
    Py_END_ALLOW_THREADS spar_option_free(option);
    return status ? py_fail(&err) : PyLong_FromSize_t(arm);
}
METHOD_OF_ONE(add)

typedef spar_status change(spar_experiment *experiment, spar_error *err);

static PyObject *changed(experiment_object *self, change *how)
{
    spar_error err = {0};
    spar_status status;
    Py_BEGIN_ALLOW_THREADS status = how(self->experiment, &err);
    Py_END_ALLOW_THREADS if (status) return py_fail(&err);
    Py_RETURN_NONE;
}

static PyObject *end_inside(experiment_object *self, PyObject *none, PyObject *named)
{
    (void)none, (void)named;
    return changed(self, spar_experiment_end);
}
METHOD_OF_ONE(end)

static PyObject *reopen_inside(experiment_object *self, PyObject *none, PyObject *named)
{
    (void)none, (void)named;
    return changed(self, spar_experiment_reopen);
}
METHOD_OF_ONE(reopen)

static PyObject *refresh_inside(experiment_object *self, PyObject *none, PyObject *named)
{
    (void)none, (void)named;
    return changed(self, spar_experiment_refresh);
}
METHOD_OF_ONE(refresh)

/* Changes that take a text. */
typedef spar_status named_change(spar_experiment *experiment, const char *text, spar_error *err);

static PyObject *changed_by(experiment_object *self, PyObject *text, named_change *how)
{
    const char *words;
    PyObject *held = py_bytes_of(text, &words);
    spar_error err = {0};
    spar_status status;
    if (!held)
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = how(self->experiment, words, &err);
    Py_END_ALLOW_THREADS Py_DECREF(held);
    if (status)
        return py_fail(&err);
    Py_RETURN_NONE;
}

static spar_status forget_voter(spar_experiment *experiment, const char *voter, spar_error *err)
{
    return spar_experiment_forget(experiment, voter, NULL, err);
}

static PyObject *retire_inside(experiment_object *self, PyObject *text, PyObject *named)
{
    (void)named;
    return changed_by(self, text, spar_experiment_retire);
}
METHOD_OF_ONE(retire)

static PyObject *forget_inside(experiment_object *self, PyObject *text, PyObject *named)
{
    (void)named;
    return changed_by(self, text, forget_voter);
}
METHOD_OF_ONE(forget)

static PyObject *backup_inside(experiment_object *self, PyObject *text, PyObject *named)
{
    (void)named;
    return changed_by(self, text, spar_experiment_backup);
}
METHOD_OF_ONE(backup)

static PyMethodDef methods[] = {
    {"_create", create, METH_VARARGS | METH_CLASS, NULL},
    {"close", close_it, METH_NOARGS, "close()\n--\n\nLets go of the file; the experiment stays as it is."},
    {"ask", (PyCFunction)(void (*)(void))ask, METH_VARARGS | METH_KEYWORDS,
     "ask(voter=None)\n--\n\nA new screen for that voter; its arms are ids of options, in the order they are shown."},
    {"screen", screen, METH_O, "screen(number)\n--\n\nA screen that was asked before."},
    {"open_screens", (PyCFunction)(void (*)(void))open_screens, METH_VARARGS | METH_KEYWORDS,
     "open_screens(voter=None)\n--\n\nThe screens that wait for an answer, of a voter or of all."},
    {"tell", (PyCFunction)(void (*)(void))tell, METH_VARARGS | METH_KEYWORDS,
     "tell(screen, winner=None, ranking=None, pairs=None, tie=False, bad=False, skip=False, voter=None, comment=None,\n"
     "taken=-1)\n--\n\nThe answer to a screen, or to its number, as for Policy.tell. It is on disk when this returns.\n"
     "True: it is new; False: it was there already. taken: milliseconds that the answer took."},
    {"undo", (PyCFunction)(void (*)(void))undo, METH_VARARGS | METH_KEYWORDS,
     "undo(screen, voter=None)\n--\n\nTakes the answer to a screen back."},
    {"_add", add, METH_O, NULL},
    {"_add_items", py_experiment_add_items, METH_O, NULL},
    {"retire", retire, METH_O, "retire(id)\n--\n\nThe option is not shown any more; its answers stay."},
    {"end", end, METH_NOARGS, "end()\n--\n\nNo more screens are given out (`spar close`)."},
    {"reopen", reopen, METH_NOARGS, "reopen()\n--\n\nScreens are given out again."},
    {"refresh", refresh, METH_NOARGS, "refresh()\n--\n\nReads what other programs have added."},
    {"forget", forget, METH_O, "forget(voter)\n--\n\nRemoves the name and the comments of a voter; the answers stay."},
    {"backup", backup, METH_O, "backup(path)\n--\n\nA copy of the whole store while it is in use."},
    {"_status", py_experiment_status, METH_VARARGS, NULL},
    {"_export", py_experiment_export, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, new}, {Py_tp_dealloc, dealloc}, {Py_tp_methods, methods}, {Py_tp_getset, py_experiment_properties},
    {0, NULL},
};

static PyType_Spec spec = {"spar._spar.Experiment", sizeof(experiment_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

int py_experiment_init(PyObject *module)
{
    return py_add_type(module, &spec, &experiment_type);
}
