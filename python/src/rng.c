/* rng.c - the random numbers that a policy or an environment of the user draws from. */
#include "common.h"

typedef struct rng_object {
    PyObject_HEAD spar_rng *rng;
} rng_object;

static PyTypeObject *rng_type;

static PyObject *make(PyTypeObject *type, uint64_t seed)
{
    rng_object *self = (rng_object *)PyType_GenericAlloc(type, 0);
    if (self && spar_rng_new(seed, 0, 0, &self->rng)) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

PyObject *py_rng_new(void)
{
    return make(rng_type, 0);
}

spar_rng *py_rng_of(PyObject *rng)
{
    return ((rng_object *)rng)->rng;
}

static PyObject *new (PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *words[] = {"seed", NULL};
    unsigned long long seed = 0;
    if (!PyArg_ParseTupleAndKeywords(args, named, "|O&:Rng", words, py_take_u64, &seed))
        return NULL;
    return make(type, seed);
}

static void dealloc(PyObject *self)
{
    spar_rng_free(((rng_object *)self)->rng);
    py_free(self);
}

static PyObject *uniform(PyObject *self, PyObject *none)
{
    (void)none;
    return PyFloat_FromDouble(spar_rng_uniform(py_rng_of(self)));
}

static PyObject *bits(PyObject *self, PyObject *none)
{
    (void)none;
    return PyLong_FromUnsignedLongLong(spar_rng_next(py_rng_of(self)));
}

static PyObject *below(PyObject *self, PyObject *number)
{
    unsigned long long n = PyLong_AsUnsignedLongLong(number);
    if (PyErr_Occurred())
        return NULL;
    if (!n)
        return PyErr_Format(PyExc_ValueError, "below(0): there is no number below 0");
    return PyLong_FromUnsignedLongLong(spar_rng_below(py_rng_of(self), n));
}

static PyObject *choice(PyObject *self, PyObject *sequence)
{
    Py_ssize_t n = PySequence_Size(sequence);
    if (n < 0)
        return NULL;
    if (!n)
        return PyErr_Format(PyExc_IndexError, "there is nothing to choose from");
    return PySequence_GetItem(sequence, (Py_ssize_t)spar_rng_below(py_rng_of(self), (uint64_t)n));
}

static PyObject *shuffle(PyObject *self, PyObject *list)
{
    if (!PyList_Check(list))
        return PyErr_Format(PyExc_TypeError, "expected a list, which is put in a random order");
    for (Py_ssize_t i = PyList_Size(list) - 1; i > 0; i--) {
        Py_ssize_t k = (Py_ssize_t)spar_rng_below(py_rng_of(self), (uint64_t)i + 1);
        PyObject *a = PyList_GetItem(list, i), *b = PyList_GetItem(list, k);
        Py_INCREF(a);
        Py_INCREF(b);
        (void)PyList_SetItem(list, i, b);
        (void)PyList_SetItem(list, k, a);
    }
    Py_RETURN_NONE;
}

static PyObject *seeded(PyObject *self, const char *module, const char *maker)
{
    PyObject *made = NULL, *from = PyImport_ImportModule(module), *seed = bits(self, NULL);
    if (from && seed)
        made = PyObject_CallMethod(from, maker, "O", seed);
    Py_XDECREF(from);
    Py_XDECREF(seed);
    return made;
}

static PyObject *to_python(PyObject *self, PyObject *none)
{
    (void)none;
    return seeded(self, "random", "Random");
}

static PyObject *to_numpy(PyObject *self, PyObject *none)
{
    (void)none;
    return seeded(self, "numpy.random", "default_rng");
}

static PyMethodDef methods[] = {
    {"random", uniform, METH_NOARGS, "A number uniform in [0, 1)."},
    {"bits", bits, METH_NOARGS, "64 random bits, as a number."},
    {"below", below, METH_O, "One of 0, 1, ..., n - 1."},
    {"choice", choice, METH_O, "One of the items of a sequence."},
    {"shuffle", shuffle, METH_O, "Puts a list in a random order."},
    {"python", to_python, METH_NOARGS, "A random.Random, seeded with the next bits."},
    {"numpy", to_numpy, METH_NOARGS, "A numpy.random.Generator, seeded with the next bits."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, new},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, methods},
    {Py_tp_doc, "Rng(seed=0)\n--\n\nRandom numbers: the same seed gives the same ones on every machine.\n\n"
                ">>> import spar\n>>> rng = spar.Rng(1)\n>>> 0 <= rng.random() < 1, rng.below(3) in (0, 1, 2)\n"
                "(True, True)"},
    {0, NULL},
};

static PyType_Spec spec = {"spar.Rng", sizeof(rng_object), 0, Py_TPFLAGS_DEFAULT, slots};

int py_rng_init(PyObject *module)
{
    return py_add_type(module, &spec, &rng_type);
}
