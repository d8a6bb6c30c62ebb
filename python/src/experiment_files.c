/* experiment_files.c - an experiment as a file for others, and whether it is what it was. */
#include "base/file.h"
#include "experiment.h"
#include "live/exchange/exchange.h"

#include <string.h>
#include <sys/stat.h>

typedef struct exporting {
    py_work work; /* must come first */
    spar__export is;
    const char *path, *format, *place;
    spar_status status;
    spar_error err;
} exporting;

static void work_export(py_work *work)
{
    exporting *e = (exporting *)work;
    spar__file file = {0};
    e->status = spar__history_open(e->place, NULL, NULL, &e->is.history, &e->err);
    if (!e->status)
        e->status = spar__file_begin(&file, e->path, &e->err);
    if (e->status)
        return;
    if (e->is.names) /* personal data: for its owner only */
        e->status =
            fchmod(fileno(file.stream), S_IRUSR | S_IWUSR) ? spar__fail_file(&e->err, e->path, "protect") : SPAR_OK;
    e->is.stream = file.stream;
    e->is.progress = py_work_progress;
    e->is.context = work;
    if (!e->status)
        e->status = strcmp(e->format, "csv") == 0       ? spar__export_csv(&e->is, &e->err)
                    : strcmp(e->format, "arena") == 0   ? spar__export_arena(&e->is, &e->err)
                    : strcmp(e->format, "dpo") == 0     ? spar__export_dpo(&e->is, &e->err)
                    : strcmp(e->format, "preflib") == 0 ? spar__export_preflib(&e->is, &e->err)
                                                        : spar__export_jsonl(&e->is, &e->err);
    if (e->status)
        spar__file_abandon(&file);
    else
        e->status = spar__file_commit(&file, false, &e->err);
}

/* export(path, format, names): gives the notes. */
static PyObject *export_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)named;
    int names;
    exporting *e = PyMem_Calloc(1, sizeof *e);
    if (!e)
        return PyErr_NoMemory();
    PyObject *result = NULL;
    e->work.run = work_export;
    e->place = spar_experiment_place(self->experiment);
    if (PyArg_ParseTuple(args, "ssp", &e->path, &e->format, &names)) {
        e->is.names = names != 0;
        if (!py_work_run(&e->work, Py_None))
            result = e->status ? py_raise(e->status, &e->err) : py_text_of_buf(&e->is.notes);
    }
    spar__buf_free(&e->is.notes);
    spar__history_free(e->is.history);
    PyMem_Free(e);
    return result;
}

PyObject *py_experiment_export(PyObject *object, PyObject *args)
{
    return py_experiment_inside(object, export_inside, args, NULL);
}

typedef struct verifying {
    py_work work; /* must come first */
    const char *place;
    const unsigned char *head;
    spar_verification *found;
    spar_status status;
    spar_error err;
} verifying;

static bool share(void *context, double done)
{
    return py_work_progress(context, (uint64_t)(1000 * done), 1000);
}

static void work_verify(py_work *work)
{
    verifying *v = (verifying *)work;
    v->status = spar_experiment_verify(v->place, v->head, share, work, &v->found, &v->err);
}

static PyObject *verification(const spar_verification *found)
{
    unsigned char hash[SPAR_HASH_SIZE];
    size_t n = spar_verification_findings(found);
    PyObject *findings = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; findings && i < n; i++)
        if (py_set_item(findings, (Py_ssize_t)i, py_text(spar_verification_finding(found, i))))
            Py_CLEAR(findings);
    spar_verification_head(found, hash);
    return findings
               ? Py_BuildValue("{s:N,s:N,s:K,s:K,s:K,s:y#}", "holds", PyBool_FromLong(spar_verification_holds(found)),
                               "findings", findings, "events", (unsigned long long)spar_verification_events(found),
                               "screens", (unsigned long long)spar_verification_screens(found), "removed",
                               (unsigned long long)spar_verification_removed(found), "head", (const char *)hash,
                               (Py_ssize_t)sizeof hash)
               : NULL;
}

PyObject *py_verify(PyObject *self, PyObject *args, PyObject *named)
{
    (void)self;
    static char *words[] = {"place", "head", NULL};
    const char *place, *head_bytes = NULL;
    Py_ssize_t length = 0;
    if (!PyArg_ParseTupleAndKeywords(args, named, "s|z#:verify", words, &place, &head_bytes, &length))
        return NULL;
    if (head_bytes && length != SPAR_HASH_SIZE)
        return PyErr_Format(PyExc_ValueError, "a head has %d bytes, not %zd", SPAR_HASH_SIZE, length);
    verifying *v = PyMem_Calloc(1, sizeof *v);
    if (!v)
        return PyErr_NoMemory();
    PyObject *result = NULL;
    v->place = place;
    v->head = (const unsigned char *)head_bytes;
    v->work.run = work_verify;
    if (!py_work_run(&v->work, Py_None))
        result = v->status ? py_raise(v->status, &v->err) : verification(v->found);
    spar_verification_free(v->found);
    PyMem_Free(v);
    return result;
}
