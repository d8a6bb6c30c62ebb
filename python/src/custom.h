/* custom.h - policies and environments that are written in Python, as functions for the library. */
#ifndef SPAR_PYTHON_CUSTOM_H
#define SPAR_PYTHON_CUSTOM_H

#include "common.h"

/* What the functions of a policy are called with: how to make one, and where exceptions go. */
typedef struct py_custom_policy {
    py_work *work;
    PyObject *make; /* called with (n, names, features, m, horizon, rng): gives the policy of a run */
} py_custom_policy;

typedef struct py_custom_env {
    py_work *work;
    PyObject *env;
} py_custom_env;

spar_policy_functions py_policy_functions(py_custom_policy *custom);

/* An environment of a spar.PythonEnv: NULL with an exception. `custom` must outlive it. */
spar_env *py_env_new(py_custom_env *custom, const char *name);

#endif
