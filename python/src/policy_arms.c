/* policy_arms.c - the arms of a policy: made, and those that come and go. */
#include "policy.h"

#include <string.h>

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

int py_policy_make_arms(Py_ssize_t n, PyObject *axes, Py_ssize_t dim, PyObject *x, spar_arms **out)
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

PyObject *py_policy_add(PyObject *self, PyObject *args)
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

PyObject *py_policy_retire(PyObject *self, PyObject *number)
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

PyObject *py_policy_alive(PyObject *self, PyObject *number)
{
    policy_object *policy = py_policy_opened(self);
    if (!policy)
        return NULL;
    size_t arm = PyLong_AsSize_t(number);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(spar_arms_alive(spar_session_arms(policy->session), arm));
}
