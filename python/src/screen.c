/* screen.c - what is shown: a number and the arms, slot by slot. */
#include "common.h"

#include <structmember.h>

typedef struct screen_object {
    PyObject_HEAD unsigned long long number;
    PyObject *arms;           /* a tuple */
    PyObject *item, *outputs; /* NULL: none */
} screen_object;

static PyTypeObject *screen_type;

PyObject *py_screen_new(uint64_t number, PyObject *arms)
{
    screen_object *self = arms ? (screen_object *)PyType_GenericAlloc(screen_type, 0) : NULL;
    if (!self) {
        Py_XDECREF(arms);
        return NULL;
    }
    self->number = number;
    self->arms = arms;
    return (PyObject *)self;
}

PyObject *py_screen_with(PyObject *screen, PyObject *item, PyObject *outputs)
{
    if (!screen || !item || !outputs) {
        Py_XDECREF(screen);
        Py_XDECREF(item);
        Py_XDECREF(outputs);
        return NULL;
    }
    ((screen_object *)screen)->item = item;
    ((screen_object *)screen)->outputs = outputs;
    return screen;
}

int py_screen_check(PyObject *object)
{
    return PyObject_TypeCheck(object, screen_type);
}

uint64_t py_screen_number(PyObject *screen)
{
    return ((screen_object *)screen)->number;
}

PyObject *py_screen_arms(PyObject *screen)
{
    return ((screen_object *)screen)->arms;
}

/* A screen of another policy, or one whose arms were put in another order, would teach about the wrong arms. */
bool py_screen_shows(PyObject *screen, PyObject *arms)
{
    PyObject *given = py_screen_arms(screen);
    int same = PyObject_RichCompareBool(arms, given, Py_EQ);
    if (same == 0)
        (void)py_raise_text(
            SPAR_INVALID, PyUnicode_FromFormat("screen %llu shows %R here, but %R is answered: it was asked elsewhere",
                                               (unsigned long long)py_screen_number(screen), arms, given));
    return same == 1;
}

static PyObject *new (PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *words[] = {"number", "arms", NULL};
    unsigned long long number;
    PyObject *arms;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O&O:Screen", words, py_take_u64, &number, &arms) ||
        !(arms = PySequence_Tuple(arms)))
        return NULL;
    screen_object *self = (screen_object *)PyType_GenericAlloc(type, 0);
    if (!self) {
        Py_DECREF(arms);
        return NULL;
    }
    self->number = number;
    self->arms = arms;
    return (PyObject *)self;
}

/* Arms may be anything, also what points back to the screen. */
static int traverse(PyObject *self, visitproc visit, void *arg)
{
#if PY_VERSION_HEX >= 0x03090000
    Py_VISIT(Py_TYPE(self));
#endif
    Py_VISIT(((screen_object *)self)->arms);
    Py_VISIT(((screen_object *)self)->item);
    Py_VISIT(((screen_object *)self)->outputs);
    return 0;
}

static int clear(PyObject *self)
{
    Py_CLEAR(((screen_object *)self)->arms);
    Py_CLEAR(((screen_object *)self)->item);
    Py_CLEAR(((screen_object *)self)->outputs);
    return 0;
}

static void dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    py_free(self);
}

static PyObject *repr(PyObject *self)
{
    return PyUnicode_FromFormat("Screen(%llu, %R)", ((screen_object *)self)->number, py_screen_arms(self));
}

static PyObject *reduce(PyObject *self, PyObject *none)
{
    (void)none;
    return Py_BuildValue("O(KO)", (PyObject *)Py_TYPE(self), ((screen_object *)self)->number, py_screen_arms(self));
}

static Py_ssize_t length(PyObject *self)
{
    return PyTuple_Size(py_screen_arms(self));
}

static PyObject *item(PyObject *self, Py_ssize_t i)
{
    return PySequence_GetItem(py_screen_arms(self), i);
}

static PyObject *compare(PyObject *a, PyObject *b, int how)
{
    if (!py_screen_check(b) || (how != Py_EQ && how != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    int same = py_screen_number(a) == py_screen_number(b)
                   ? PyObject_RichCompareBool(py_screen_arms(a), py_screen_arms(b), Py_EQ)
                   : 0;
    return same < 0 ? NULL : PyBool_FromLong(how == Py_EQ ? same : !same);
}

static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {
    {"number", T_ULONGLONG, offsetof(screen_object, number), READONLY, "the number of the question, from 1"},
    {"arms", T_OBJECT_EX, offsetof(screen_object, arms), READONLY, "what is shown, slot by slot"},
    {"settings", T_OBJECT_EX, offsetof(screen_object, arms), READONLY,
     "the same, where an experiment is over a space: dicts of names and values"},
    {"item", T_OBJECT, offsetof(screen_object, item), READONLY, "id, prompt and group of the item, or None"},
    {"outputs", T_OBJECT, offsetof(screen_object, outputs), READONLY, "what each arm says to the item, or None"},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, new},
    {Py_tp_dealloc, dealloc},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_repr, repr},
    {Py_tp_richcompare, compare},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_sq_length, length},
    {Py_sq_item, item},
    {Py_tp_doc, "Screen(number, arms)\n--\n\nA question: its number, and the arms that are shown together; in an "
                "experiment with items,\nthe item, a dict with id, prompt and group, and the outputs of the arms."},
    {0, NULL},
};

static PyType_Spec spec = {"spar.Screen", sizeof(screen_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

int py_screen_init(PyObject *module)
{
    return py_add_type(module, &spec, &screen_type);
}
