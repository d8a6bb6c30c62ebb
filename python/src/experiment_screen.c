/* experiment_screen.c - the screens of an experiment as Python objects. */
#include "experiment.h"

static PyObject *id_of(const spar_option *option)
{
    return py_text(option ? spar_option_id(option) : NULL);
}

/* A number, or the text of a choice. */
static PyObject *value_of(const spar_axes *axes, size_t axis, size_t value)
{
    char text[512];
    if (spar_axes_kind(axes, axis) != SPAR_AXIS_CHOICE)
        return PyFloat_FromDouble(spar_axes_number(axes, axis, value));
    (void)spar_axes_write(axes, axis, value, text, sizeof text);
    return py_text(text);
}

static PyObject *setting_of(const spar_axes *axes, const size_t *value)
{
    PyObject *setting = PyDict_New();
    for (size_t a = 0; setting && a < spar_axes_count(axes); a++) {
        PyObject *item = value_of(axes, a, value[a]);
        if (!item || PyDict_SetItemString(setting, spar_axes_name(axes, a), item))
            Py_CLEAR(setting);
        Py_XDECREF(item);
    }
    return setting;
}

/* The ids of options, or the settings of a space. */
static PyObject *ids_of(const experiment_object *self, const spar_screen *screen)
{
    size_t m = spar_screen_slots(screen);
    const spar_axes *axes = spar_experiment_axes(self->experiment);
    PyObject *ids = PyTuple_New((Py_ssize_t)m);
    for (size_t place = 0; ids && place < m; place++) {
        const size_t *value = spar_screen_setting(screen, place);
        PyObject *one = value ? setting_of(axes, value) : id_of(spar_screen_option(screen, place));
        if (!one || PyTuple_SetItem(ids, (Py_ssize_t)place, one))
            Py_CLEAR(ids);
    }
    return ids;
}

PyObject *py_experiment_shown(const experiment_object *self, const spar_screen *screen)
{
    return py_screen_with(py_screen_new(spar_screen_number(screen), ids_of(self, screen)), py_item_of(screen),
                          py_outputs_of(screen));
}

PyObject *py_experiment_screen(const experiment_object *self, uint64_t number)
{
    spar_screen *screen = NULL;
    spar_error err = {0};
    spar_status status;
    Py_BEGIN_ALLOW_THREADS status = spar_experiment_screen(self->experiment, number, &screen, &err);
    Py_END_ALLOW_THREADS if (status) return py_fail(&err);
    PyObject *asked = py_experiment_shown(self, screen);
    spar_screen_free(screen);
    return asked;
}
