/* policy_look.c - what a policy thinks of its arms, and its numbers. */
#include "policy.h"

static size_t count(const policy_object *self)
{
    const spar_arms *arms = spar_session_arms(self->session);
    return spar_arms_count(arms);
}

PyObject *py_policy_score(PyObject *self, PyObject *none)
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

PyObject *py_policy_belief(PyObject *self, PyObject *none)
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

PyObject *py_policy_belief_at(PyObject *self, PyObject *numbers)
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

PyObject *py_policy_best(PyObject *self, PyObject *none)
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
PyObject *py_policy_points(PyObject *self, PyObject *none)
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

PyGetSetDef py_policy_properties[] = {
    {"spec", get_spec, NULL, "what the policy is called, as it was written", NULL},
    {"m", get_slots, NULL, "how many arms a screen shows", NULL},
    {"rounds", get_rounds, NULL, "answers learned so far", NULL},
    {"_count", get_count, NULL, NULL, NULL},
    {"_labels", get_labels, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
