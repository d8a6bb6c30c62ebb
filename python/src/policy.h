/* policy.h - the inside of a policy object, for the files that make it up. */
#ifndef SPAR_PYTHON_POLICY_H
#define SPAR_PYTHON_POLICY_H

#include "common.h"

typedef struct policy_object {
    PyObject_HEAD spar_session *session;
    spar_answer *answer; /* working memory */
    PyObject *labels;    /* a list: what each arm is called; NULL: its number */
    PyObject *decode;    /* of a continuous space: from a tuple of numbers to a point; NULL: a finite set */
} policy_object;

/* The policy, or NULL with an exception if it was never made. */
policy_object *py_policy_opened(PyObject *self);

/* What a point of the space, and an arm, are called. */
PyObject *py_policy_point(const policy_object *self, const double *x, size_t dim);
PyObject *py_policy_label(const policy_object *self, size_t arm);

/* policy_arms.c: n arms, or a space where there are axes; x holds the features of the arms, dim doubles each. -1: an
 * exception is set. */
int py_policy_make_arms(Py_ssize_t n, PyObject *axes, Py_ssize_t dim, PyObject *x, spar_arms **out);
PyObject *py_policy_add(PyObject *self, PyObject *args);
PyObject *py_policy_retire(PyObject *self, PyObject *number);
PyObject *py_policy_alive(PyObject *self, PyObject *number);

/* policy_look.c */
PyObject *py_policy_score(PyObject *self, PyObject *none);
PyObject *py_policy_belief(PyObject *self, PyObject *none);
PyObject *py_policy_belief_at(PyObject *self, PyObject *numbers);
PyObject *py_policy_best(PyObject *self, PyObject *none);
PyObject *py_policy_points(PyObject *self, PyObject *none);
extern PyGetSetDef py_policy_properties[];

#endif
