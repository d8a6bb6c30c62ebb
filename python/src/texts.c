/* texts.c - texts, numbers and types between Python and C. */
#include "common.h"

#include <string.h>

PyObject *py_bytes_of(PyObject *text, const char **out)
{
    *out = NULL;
    if (!PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "expected a text, not %R", text);
        return NULL;
    }
    PyObject *bytes = PyUnicode_AsUTF8String(text);
    if (!bytes)
        return NULL;
    char *start = NULL;
    if (PyBytes_AsStringAndSize(bytes, &start, NULL)) { /* refuses a zero byte */
        Py_DECREF(bytes);
        return NULL;
    }
    *out = start;
    return bytes;
}

PyObject *py_bytes_or_none(PyObject *text, const char **out)
{
    *out = NULL;
    if (text && text != Py_None)
        return py_bytes_of(text, out);
    Py_RETURN_NONE;
}

PyObject *py_text(const char *text)
{
    if (!text)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyObject *py_text_of_buf(spar__buf *buf)
{
    PyObject *text = buf->failed
                         ? PyErr_NoMemory()
                         : PyUnicode_DecodeUTF8(buf->length ? buf->text : "", (Py_ssize_t)buf->length, "replace");
    spar__buf_free(buf);
    return text;
}

int py_take_u64(PyObject *number, void *out)
{
    PyObject *index = PyNumber_Index(number);
    unsigned long long value = index ? PyLong_AsUnsignedLongLong(index) : 0;
    Py_XDECREF(index);
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_OverflowError, "%R: expected a whole number from 0 to 2**64 - 1", number);
    if (PyErr_Occurred())
        return 0;
    *(unsigned long long *)out = value;
    return 1;
}

int py_set_item(PyObject *list, Py_ssize_t i, PyObject *value)
{
    return value ? PyList_SetItem(list, i, value) : -1;
}

PyObject *py_floats(const double *value, size_t n)
{
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        if (py_set_item(list, (Py_ssize_t)i, PyFloat_FromDouble(value[i])))
            Py_CLEAR(list);
    return list;
}

int py_take_floats(PyObject *sequence, size_t n, double *out)
{
    Py_ssize_t length = PySequence_Size(sequence);
    if (length < 0)
        return -1;
    if ((size_t)length != n) {
        PyErr_Format(PyExc_ValueError, "%zd numbers, expected %zu", length, n);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        PyObject *item = PySequence_GetItem(sequence, (Py_ssize_t)i);
        out[i] = item ? PyFloat_AsDouble(item) : -1;
        Py_XDECREF(item);
        if (PyErr_Occurred())
            return -1;
    }
    return 0;
}

void py_free(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free); /* a class made of this one may have its own */
    release(object);
    Py_DECREF(type);
}

int py_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **out)
{
    PyObject *type = PyType_FromSpec(spec);
    if (!type)
        return -1;
    *out = (PyTypeObject *)type;
    Py_INCREF(type);
    return PyModule_AddObject(module, strrchr(spec->name, '.') + 1, type);
}
