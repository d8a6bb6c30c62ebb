/* experiment_look.c - what an experiment says of itself. */
#include "cli/verdict/verdict.h"
#include "experiment.h"

/* JSON, text and pictures (of standings: None without) of `spar status`. */
static PyObject *status_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)named;
    int without;
    const char *how;
    if (!PyArg_ParseTuple(args, "ps", &without, &how))
        return NULL;
    spar__buf text = {0}, members = {0}, svg = {0}, standings = {0};
    spar__status_report report;
    spar_error err = {0};
    spar_status status;
    spar__json json = {.out = &members};
    bool stand = false;
    Py_BEGIN_ALLOW_THREADS status = spar_experiment_refresh(self->experiment, &err);
    if (!status)
        status = spar__status_make(self->experiment, without != 0, spar__standings_how_of(how), &report, &err);
    if (!status) {
        spar__json_begin_object(&json);
        spar__status_members(&report, &json);
        spar__json_end_object(&json);
        spar__status_text(&report, (spar__layout){.width = 100}, &text);
        svg.failed |= spar__status_plot(&report, &svg) != SPAR_OK;
        stand = report.standings.standings != NULL;
        standings.failed |= stand && spar__status_plot_standings(&report, &standings);
        spar__status_free(&report);
    }
    Py_END_ALLOW_THREADS if (status) return py_fail(&err);
    PyObject *drawn = stand ? py_text_of_buf(&standings) : py_text(NULL);
    return Py_BuildValue("NNNN", py_text_of_buf(&members), py_text_of_buf(&text), py_text_of_buf(&svg), drawn);
}

PyObject *py_experiment_status(PyObject *object, PyObject *args)
{
    return py_experiment_inside(object, status_inside, args, NULL);
}

static PyObject *id_of(const spar_option *option)
{
    return py_text(option ? spar_option_id(option) : NULL);
}

static PyObject *option_of(const spar_experiment *experiment, size_t arm)
{
    const spar_option *option = spar_experiment_option(experiment, arm);
    size_t n = 0;
    const double *x = option ? spar_option_features(option, &n) : NULL;
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:N}", "id", id_of(option), "title", py_text(option ? spar_option_title(option) : NULL),
        "body", py_text(option ? spar_option_body(option) : NULL), "features", x ? py_floats(x, n) : py_text(NULL),
        "live", PyBool_FromLong(spar_experiment_is_live(experiment, arm)));
}

static PyObject *options_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)args, (void)named;
    size_t n = spar_experiment_options(self->experiment);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        if (py_set_item(list, (Py_ssize_t)i, option_of(self->experiment, i)))
            Py_CLEAR(list);
    return list;
}
PROPERTY(options)

static PyObject *place_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)args, (void)named;
    return py_text(spar_experiment_place(self->experiment));
}
PROPERTY(place)

static PyObject *question_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)args, (void)named;
    return py_text(spar_experiment_question(self->experiment));
}
PROPERTY(question)

static PyObject *policy_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)args, (void)named;
    return py_text(spar_experiment_policy(self->experiment));
}
PROPERTY(policy)

static PyObject *space_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)args, (void)named;
    return py_text(spar_axes_text(spar_experiment_axes(self->experiment)));
}
PROPERTY(space)

static PyObject *slots_of_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)args, (void)named;
    return PyLong_FromSize_t(spar_experiment_slots(self->experiment));
}
PROPERTY(slots_of)

static PyObject *answers_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)args, (void)named;
    uint64_t n = 0;
    spar_experiment_counts(self->experiment, NULL, &n, NULL, NULL);
    return PyLong_FromUnsignedLongLong(n);
}
PROPERTY(answers)

static PyObject *is_closed_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)args, (void)named;
    return PyBool_FromLong(spar_experiment_is_closed(self->experiment));
}
PROPERTY(is_closed)

static PyObject *head_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)args, (void)named;
    unsigned char hash[SPAR_HASH_SIZE];
    spar_experiment_head(self->experiment, hash);
    return PyBytes_FromStringAndSize((const char *)hash, sizeof hash);
}
PROPERTY(head)

PyGetSetDef py_experiment_properties[] = {
    {"place", place, NULL, "where it is", NULL},
    {"question", question, NULL, "what people are asked, or None", NULL},
    {"policy", policy, NULL, "how screens are chosen", NULL},
    {"space", space, NULL, "the axes of the settings that are compared, or None: there are options", NULL},
    {"m", slots_of, NULL, "options on a screen", NULL},
    {"answers", answers, NULL, "answers so far, imported ones included", NULL},
    {"closed", is_closed, NULL, "no more screens are given out", NULL},
    {"options", options, NULL, "the options: dicts with id, title, body, features, live", NULL},
    {"head", head, NULL, "the hash of the log so far: 32 bytes", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
