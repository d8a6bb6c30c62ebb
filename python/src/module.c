/* module.c - the extension module spar._spar, and what its parts share. */
#include "common.h"
#include "env/env.h"

#include <signal.h>
#include <string.h>
#include <time.h>

/* --- one exception for each status that the library has --- */

enum { STATUSES = 13 };

/* Which built-in exception each is, too: so `except ValueError` finds what a Python programmer expects there. */
static const struct {
    const char *name, *doc;
    PyObject **also;
} kinds[STATUSES] = {
    [-SPAR_INVALID] = {"InvalidError", "An argument that makes no sense.", &PyExc_ValueError},
    [-SPAR_PARSE] = {"ParseError", "A text that cannot be read.", &PyExc_ValueError},
    [-SPAR_UNKNOWN] = {"UnknownError", "A name or number that there is not.", &PyExc_LookupError},
    [-SPAR_UNSUPPORTED] = {"UnsupportedError", "What this combination cannot do.", &PyExc_ValueError},
    [-SPAR_IO] = {"StorageError", "A file or a database that cannot be read or written.", &PyExc_OSError},
    [-SPAR_CORRUPT] = {"CorruptError", "Saved bytes that are damaged.", NULL},
    [-SPAR_INTERRUPTED] = {"InterruptedError", "Work that was stopped.", NULL},
    [-SPAR_CONFLICT] = {"ConflictError", "What contradicts what was said before.", NULL},
    [-SPAR_BUSY] = {"BusyError", "In use by another program.", NULL},
    [-SPAR_FULL] = {"FullError", "No space left.", &PyExc_OSError},
    [-SPAR_ALL_SEEN] = {"AllSeenError", "The voter has seen every item.", NULL},
};

static PyObject *exception[STATUSES];

static PyObject *kind_of(spar_status status)
{
    PyObject *kind = status < 0 && -status < STATUSES ? exception[-status] : NULL;
    return kind ? kind : exception[0];
}

PyObject *py_raise(spar_status status, const spar_error *err)
{
    const char *text = err && err->text[0] ? err->text : spar_status_text(status);
    if (status == SPAR_NOMEM)
        return PyErr_NoMemory();
    PyErr_SetString(kind_of(status), text);
    return NULL;
}

PyObject *py_raise_text(spar_status status, PyObject *text)
{
    if (text)
        PyErr_SetObject(kind_of(status), text);
    Py_XDECREF(text);
    return NULL;
}

/* "spar.ConflictError", made of spar.Error and perhaps a built-in one. */
static int add_kind(PyObject *module, int i)
{
    char full[64];
    PyObject *bases = kinds[i].also ? PyTuple_Pack(2, exception[0], *kinds[i].also) : PyTuple_Pack(1, exception[0]);
    PyObject *fields = PyDict_New();
    PyObject *status = PyUnicode_FromString(spar_status_text((spar_status)-i));
    (void)PyOS_snprintf(full, sizeof full, "spar.%s", kinds[i].name);
    if (bases && fields && status && !PyDict_SetItemString(fields, "status", status))
        exception[i] = PyErr_NewExceptionWithDoc(full, kinds[i].doc, bases, fields);
    Py_XDECREF(bases);
    Py_XDECREF(fields);
    Py_XDECREF(status);
    if (!exception[i])
        return -1;
    Py_INCREF(exception[i]);
    return PyModule_AddObject(module, kinds[i].name, exception[i]);
}

int py_errors_init(PyObject *module)
{
    exception[0] =
        PyErr_NewExceptionWithDoc("spar.Error", "What the library says is wrong; str() is its sentence.", NULL, NULL);
    if (!exception[0])
        return -1;
    Py_INCREF(exception[0]);
    int status = PyModule_AddObject(module, "Error", exception[0]);
    for (int i = 1; !status && i < STATUSES; i++)
        if (kinds[i].name)
            status = add_kind(module, i);
    return status;
}

/* --- texts, numbers and types between Python and C --- */

PyObject *py_bytes_of(PyObject *text, const char **out)
{
    *out = NULL;
    if (!PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "expected a text, not %R", text);
        return NULL;
    }
    PyObject *bytes = PyUnicode_AsUTF8String(text);
    if (!bytes)
        return NULL;
    char *start = NULL;
    if (PyBytes_AsStringAndSize(bytes, &start, NULL)) { /* refuses a zero byte */
        Py_DECREF(bytes);
        return NULL;
    }
    *out = start;
    return bytes;
}

PyObject *py_bytes_or_none(PyObject *text, const char **out)
{
    *out = NULL;
    if (text && text != Py_None)
        return py_bytes_of(text, out);
    Py_RETURN_NONE;
}

PyObject *py_text(const char *text)
{
    if (!text)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyObject *py_text_of_buf(spar__buf *buf)
{
    PyObject *text = buf->failed
                         ? PyErr_NoMemory()
                         : PyUnicode_DecodeUTF8(buf->length ? buf->text : "", (Py_ssize_t)buf->length, "replace");
    spar__buf_free(buf);
    return text;
}

int py_take_u64(PyObject *number, void *out)
{
    PyObject *index = PyNumber_Index(number);
    unsigned long long value = index ? PyLong_AsUnsignedLongLong(index) : 0;
    Py_XDECREF(index);
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_OverflowError, "%R: expected a whole number from 0 to 2**64 - 1", number);
    if (PyErr_Occurred())
        return 0;
    *(unsigned long long *)out = value;
    return 1;
}

int py_set_item(PyObject *list, Py_ssize_t i, PyObject *value)
{
    return value ? PyList_SetItem(list, i, value) : -1;
}

PyObject *py_floats(const double *value, size_t n)
{
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        if (py_set_item(list, (Py_ssize_t)i, PyFloat_FromDouble(value[i])))
            Py_CLEAR(list);
    return list;
}

int py_take_floats(PyObject *sequence, size_t n, double *out)
{
    Py_ssize_t length = PySequence_Size(sequence);
    if (length < 0)
        return -1;
    if ((size_t)length != n) {
        PyErr_Format(PyExc_ValueError, "%zd numbers, expected %zu", length, n);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        PyObject *item = PySequence_GetItem(sequence, (Py_ssize_t)i);
        out[i] = item ? PyFloat_AsDouble(item) : -1;
        Py_XDECREF(item);
        if (PyErr_Occurred())
            return -1;
    }
    return 0;
}

void py_free(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free); /* a class made of this one may have its own */
    release(object);
    Py_DECREF(type);
}

int py_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **out)
{
    PyObject *type = PyType_FromSpec(spec);
    if (!type)
        return -1;
    *out = (PyTypeObject *)type;
    Py_INCREF(type);
    return PyModule_AddObject(module, strrchr(spec->name, '.') + 1, type);
}

/* --- long work beside the interpreter. It runs in a thread of its own; the thread that called waits without the lock
 * of the interpreter, so other Python threads go on, and wakes up a few times a second to look for Ctrl-C and to show
 * progress. The work itself never waits for Python, unless it calls functions written in it --- */

enum { TICK = 50000000 }; /* nanoseconds between two looks */

bool py_work_progress(void *context, uint64_t done, uint64_t total)
{
    py_work *work = context;
    atomic_store_explicit(&work->done, done, memory_order_relaxed);
    atomic_store_explicit(&work->total, total, memory_order_relaxed);
    return !atomic_load_explicit(&work->stop, memory_order_relaxed);
}

spar_status py_work_keep_exception(py_work *work)
{
    if (work->raised[0])
        PyErr_Clear();
    else
        PyErr_Fetch(&work->raised[0], &work->raised[1], &work->raised[2]);
    atomic_store(&work->stop, true);
    return SPAR_INTERRUPTED;
}

static void *body(void *context)
{
    py_work *work = context;
    work->run(work);
    (void)pthread_mutex_lock(&work->lock);
    work->finished = true;
    (void)pthread_cond_signal(&work->changed);
    (void)pthread_mutex_unlock(&work->lock);
    return NULL;
}

/* Signals are for the main thread, where Python looks for them. */
static int start(py_work *work, pthread_t *thread)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    int status = pthread_create(thread, NULL, body, work);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

/* Until it is finished, or a moment has passed. */
static bool wait_a_moment(py_work *work)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TICK;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_mutex_lock(&work->lock);
    if (!work->finished)
        (void)pthread_cond_timedwait(&work->changed, &work->lock, &until);
    bool finished = work->finished;
    (void)pthread_mutex_unlock(&work->lock);
    return finished;
}

static int look(py_work *work, PyObject *progress)
{
    if (PyErr_CheckSignals())
        return -1;
    uint64_t total = atomic_load(&work->total);
    if (progress == Py_None || !total)
        return 0;
    PyObject *said =
        PyObject_CallFunction(progress, "KK", (unsigned long long)atomic_load(&work->done), (unsigned long long)total);
    Py_XDECREF(said);
    return said ? 0 : -1;
}

int py_work_run(py_work *work, PyObject *progress)
{
    pthread_t thread;
    (void)pthread_mutex_init(&work->lock, NULL);
    (void)pthread_cond_init(&work->changed, NULL);
    if (start(work, &thread)) {
        PyErr_SetString(PyExc_RuntimeError, "no thread can be started");
        return -1;
    }
    PyObject *raised[3] = {NULL, NULL, NULL};
    for (bool finished = false; !finished;) {
        Py_BEGIN_ALLOW_THREADS finished = wait_a_moment(work);
        Py_END_ALLOW_THREADS if (!raised[0] && look(work, progress))
        { /* waits on, until the work has noticed */
            PyErr_Fetch(&raised[0], &raised[1], &raised[2]);
            atomic_store(&work->stop, true);
        }
    }
    (void)pthread_join(thread, NULL);
    (void)pthread_mutex_destroy(&work->lock);
    (void)pthread_cond_destroy(&work->changed);
    PyObject **first = raised[0] ? raised : work->raised;
    if (raised[0])
        for (int i = 0; i < 3; i++)
            Py_CLEAR(work->raised[i]);
    if (!first[0])
        return 0;
    PyErr_Restore(first[0], first[1], first[2]);
    work->raised[0] = work->raised[1] = work->raised[2] = NULL;
    return -1;
}

/* --- the extension module spar._spar --- */

static PyObject *params_of(const spar_entry *entry)
{
    size_t n = spar_entry_params(entry);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++) {
        const spar_param *p = spar_entry_param(entry, i);
        PyObject *one = Py_BuildValue("{s:s,s:z,s:s}", "name", spar_param_name(p), "default", spar_param_default(p),
                                      "help", spar_param_help(p));
        if (py_set_item(list, (Py_ssize_t)i, one))
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *family_of(spar_family family)
{
    size_t n = spar_catalog_count(family);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++) {
        const spar_entry *entry = spar_catalog_entry(family, i);
        PyObject *one =
            Py_BuildValue("{s:s,s:s,s:z,s:N}", "name", spar_entry_name(entry), "brief", spar_entry_brief(entry),
                          "paper", spar_entry_paper(entry), "params", params_of(entry));
        if (py_set_item(list, (Py_ssize_t)i, one))
            Py_CLEAR(list);
    }
    return list;
}

PyObject *py_catalog(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    static const char *const names[] = {"policies", "bandits", "beliefs", "envs", "feedback", "aliases"};
    PyObject *all = PyDict_New();
    for (int i = 0; all && i < SPAR_FAMILIES; i++) {
        PyObject *family = family_of((spar_family)i);
        if (!family || PyDict_SetItemString(all, names[i], family))
            Py_CLEAR(all);
        Py_XDECREF(family);
    }
    return all;
}

/* The kind of feedback that is meant when none is named. */
static PyObject *feedback_of(PyObject *self, PyObject *env)
{
    (void)self;
    const char *spec;
    PyObject *held = py_bytes_of(env, &spec);
    PyObject *name = held ? py_text(spar__env_feedback(spec)) : NULL;
    Py_XDECREF(held);
    return name;
}

static PyMethodDef functions[] = {
    {"catalog", py_catalog, METH_NOARGS, NULL},
    {"feedback_of", feedback_of, METH_O, NULL},
    {"simulate", (PyCFunction)(void (*)(void))py_simulate, METH_VARARGS | METH_KEYWORDS, NULL},
    {"forecast", (PyCFunction)(void (*)(void))py_forecast, METH_VARARGS | METH_KEYWORDS, NULL},
    {"decide", (PyCFunction)(void (*)(void))py_decide, METH_VARARGS | METH_KEYWORDS, NULL},
    {"verify", (PyCFunction)(void (*)(void))py_verify, METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "spar._spar", "libspar and libspar-live for Python.", -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__spar(void);
PyMODINIT_FUNC PyInit__spar(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && (py_errors_init(module) || py_rng_init(module) || py_screen_init(module) || py_policy_init(module) ||
                   py_results_init(module) || py_experiment_init(module) ||
                   PyModule_AddStringConstant(module, "version", spar_version())))
        Py_CLEAR(module);
    return module;
}
