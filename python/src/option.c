/* option.c - an option of an experiment, from what Python says about it. */
#include "experiment.h"

static spar_status take_image(spar_option *option, PyObject *image, const char *type, spar_error *err)
{
    char *bytes;
    Py_ssize_t length;
    if (image == Py_None)
        return SPAR_OK;
    if (PyBytes_AsStringAndSize(image, &bytes, &length))
        return SPAR_PARSE;
    return spar_option_set_image(option, type, (const unsigned char *)bytes, (size_t)length, err);
}

static spar_status take_features(spar_option *option, PyObject *features, spar_error *err)
{
    if (features == Py_None)
        return SPAR_OK;
    Py_ssize_t n = PySequence_Size(features);
    double *x = n < 0 ? NULL : PyMem_Malloc(((size_t)n + 1) * sizeof *x);
    spar_status status = n < 0                                    ? SPAR_PARSE
                         : !x                                     ? SPAR_NOMEM
                         : py_take_floats(features, (size_t)n, x) ? SPAR_PARSE
                                                                  : spar_option_set_features(option, (size_t)n, x, err);
    PyMem_Free(x);
    return status;
}

/* From (id, title, body, image, type, features), each None where there is none. NULL: an exception is set. */
spar_option *py_option_new(PyObject *parts)
{
    const char *id, *title, *body, *type;
    PyObject *image, *features;
    spar_option *option = NULL;
    spar_error err = {0};
    if (!PyArg_ParseTuple(parts, "szzOzO", &id, &title, &body, &image, &type, &features))
        return NULL;
    spar_status status = spar_option_new(id, &option, &err);
    if (!status && title)
        status = spar_option_set_title(option, title, &err);
    if (!status && body)
        status = spar_option_set_body(option, body, &err);
    if (!status)
        status = take_image(option, image, type, &err);
    if (!status)
        status = take_features(option, features, &err);
    if (!status)
        return option;
    if (!PyErr_Occurred())
        (void)py_raise(status, &err);
    spar_option_free(option);
    return NULL;
}

int py_options_add(spar_setup *setup, PyObject *options)
{
    spar_error err = {0};
    for (Py_ssize_t i = 0; i < PyList_Size(options); i++) {
        spar_option *option = py_option_new(PyList_GetItem(options, i));
        spar_status status = option ? spar_setup_add_option(setup, option, &err) : SPAR_OK;
        spar_option_free(option);
        if (!option || status) {
            if (status)
                (void)py_fail(&err);
            return -1;
        }
    }
    return 0;
}
