/* experiment.h - the inside of an experiment object, for the files that make it up. */
#ifndef SPAR_PYTHON_EXPERIMENT_H
#define SPAR_PYTHON_EXPERIMENT_H

#include "common.h"

#include <spar/experiment.h>

#include <sys/types.h>

typedef struct experiment_object {
    PyObject_HEAD spar_experiment *experiment;
    pthread_mutex_t lock;
    pid_t owner; /* the process that opened it: a copy made by fork must not touch the file */
    bool locks;  /* the lock was made */
} experiment_object;

/* What a method does once the experiment is open and ours alone. */
typedef PyObject *py_experiment_body(experiment_object *self, PyObject *args, PyObject *named);

/* Calls it. Nobody waits for the lock of the experiment while he holds that of the interpreter. A thread may come in
 * twice: what Python frees may be an object that asks the experiment. */
PyObject *py_experiment_inside(PyObject *object, py_experiment_body *method, PyObject *args, PyObject *named);

/* The functions of the tables below, for a body NAME_inside. */
#define METHOD(NAME)                                                                                                   \
    static PyObject *NAME(PyObject *object, PyObject *args, PyObject *named)                                           \
    {                                                                                                                  \
        return py_experiment_inside(object, NAME##_inside, args, named);                                               \
    }
#define METHOD_OF_ONE(NAME)                                                                                            \
    static PyObject *NAME(PyObject *object, PyObject *argument)                                                        \
    {                                                                                                                  \
        return py_experiment_inside(object, NAME##_inside, argument, NULL);                                            \
    }
#define PROPERTY(NAME)                                                                                                 \
    static PyObject *NAME(PyObject *object, void *none)                                                                \
    {                                                                                                                  \
        (void)none;                                                                                                    \
        return py_experiment_inside(object, NAME##_inside, NULL, NULL);                                                \
    }

/* option.c: from (id, title, body, image, type, features), each None where there is none; NULL, or -1: an exception is
 * set. */
spar_option *py_option_new(PyObject *parts);
int py_options_add(spar_setup *setup, PyObject *options);

/* items.c: items as JSON lines into a setup (NULL: none), and into an experiment; -1 as above. What a screen shows of
 * one, None where there are none. */
int py_items_add(spar_setup *setup, const char *text);
PyObject *py_experiment_add_items(PyObject *object, PyObject *text);
PyObject *py_item_of(const spar_screen *screen);
PyObject *py_outputs_of(const spar_screen *screen);

/* experiment_screen.c: a screen that was asked, and one of the log; inside the experiment. */
PyObject *py_experiment_shown(const experiment_object *self, const spar_screen *screen);
PyObject *py_experiment_screen(const experiment_object *self, uint64_t number);

/* experiment_look.c, experiment_files.c */
PyObject *py_experiment_status(PyObject *object, PyObject *args);
PyObject *py_experiment_export(PyObject *object, PyObject *args);
extern PyGetSetDef py_experiment_properties[];

#endif
