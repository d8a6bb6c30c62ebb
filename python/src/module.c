/* module.c - the extension module spar._spar. */
#include "common.h"
#include "env/env.h"

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
