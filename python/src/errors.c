/* errors.c - one exception for each status that the library has. */
#include "common.h"

#include <string.h>

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
