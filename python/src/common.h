/* common.h - what the files of the extension share: errors as exceptions, texts, numbers, work off the main thread.
 *
 * The extension keeps to the limited interface of Python 3.9, so that one file serves all later versions. It holds no
 * logic: every function takes Python objects apart, calls the library, and builds Python objects of what it says. */
#ifndef SPAR_PYTHON_COMMON_H
#define SPAR_PYTHON_COMMON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "base/buf.h"

#include <spar/spar.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* module.c: sets the exception of a status with the library's sentence, and returns NULL. */
PyObject *py_raise(spar_status status, const spar_error *err);
PyObject *py_raise_text(spar_status status, PyObject *text); /* a sentence of its own; steals it */
int py_errors_init(PyObject *module);

/* Of a function that was given an error to fill: NULL with an exception set. */
static inline PyObject *py_fail(const spar_error *err)
{
    return py_raise(err->status, err);
}

/* module.c: a text as bytes that live as long as the returned object does; NULL: an exception is set. */
PyObject *py_bytes_of(PyObject *text, const char **out);
/* The same where None is NULL: then *out is NULL and the object is None. */
PyObject *py_bytes_or_none(PyObject *text, const char **out);
PyObject *py_text(const char *text);                            /* None for NULL */
PyObject *py_text_of_buf(spar__buf *buf);                       /* frees the buffer */
PyObject *py_floats(const double *value, size_t n);             /* a list */
int py_take_floats(PyObject *sequence, size_t n, double *out);  /* exactly n */
int py_take_u64(PyObject *number, void *out);                   /* a converter for O&; refuses negative numbers */
int py_set_item(PyObject *list, Py_ssize_t i, PyObject *value); /* steals value, which may be NULL: then it fails */
void py_free(PyObject *object);                                 /* the end of a dealloc: the memory, and the type */
int py_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **out);

/* rng.c */
PyObject *py_rng_new(void);
spar_rng *py_rng_of(PyObject *rng);
int py_rng_init(PyObject *module);

/* screen.c: the keywords winner, ranking, pairs, tie, bad and skip as an answer about what a screen shows. */
typedef struct py_answer_words {
    PyObject *winner, *ranking, *pairs; /* NULL or None: not said */
    int tie, bad, skip;
} py_answer_words;
int py_answer_read(const py_answer_words *words, PyObject *shown, spar_answer *answer);

/* screen.c: what a policy or an experiment asks. */
PyObject *py_screen_new(uint64_t number, PyObject *arms);                      /* steals arms */
PyObject *py_screen_with(PyObject *screen, PyObject *item, PyObject *outputs); /* the same; steals all */
int py_screen_check(PyObject *object);
uint64_t py_screen_number(PyObject *screen);
PyObject *py_screen_arms(PyObject *screen);             /* borrowed */
bool py_screen_shows(PyObject *screen, PyObject *arms); /* false: not these, and an exception is set */
int py_screen_init(PyObject *module);

/* module.c: long work in a thread of its own, while the caller's thread waits without the lock of the interpreter,
 * shows progress and takes Ctrl-C. */
typedef struct py_work {
    void (*run)(struct py_work *work);
    void (*free)(struct py_work *work);
    _Atomic(uint64_t) done, total;
    atomic_bool stop;    /* asked to stop */
    PyObject *raised[3]; /* the first exception of a Python function that the work called */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool finished;
} py_work;

/* Runs it. progress: None, or called with done and total now and then. 0: done; -1: an exception is set, which is that
 * of a function that the work called, or KeyboardInterrupt. The work is stopped then, its result is there, and it is
 * for the caller to free it. */
int py_work_run(py_work *work, PyObject *progress);
bool py_work_progress(void *work, uint64_t done, uint64_t total); /* a spar_progress */
spar_status py_work_keep_exception(py_work *work);                /* with the interpreter's lock; gives a status */

/* The parts of the module. */
int py_policy_init(PyObject *module);
int py_results_init(PyObject *module);
int py_experiment_init(PyObject *module);
PyObject *py_simulate(PyObject *self, PyObject *args, PyObject *named);
PyObject *py_forecast(PyObject *self, PyObject *args, PyObject *named);
PyObject *py_decide(PyObject *self, PyObject *args, PyObject *named);
PyObject *py_catalog(PyObject *self, PyObject *none);
PyObject *py_verify(PyObject *self, PyObject *args, PyObject *named);

#endif
