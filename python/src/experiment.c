/* experiment.c - an experiment as a Python object: made, asked, told, looked at, exported. */
#include "base/file.h"
#include "cli/verdict/verdict.h"
#include "common.h"
#include "live/exchange/exchange.h"
#include "live/items/items.h"

#include <spar/experiment.h>

#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

typedef struct experiment_object {
    PyObject_HEAD spar_experiment *experiment;
    pthread_mutex_t lock;
    pid_t owner; /* the process that opened it: a copy made by fork must not touch the file */
    bool locks;  /* the lock was made */
} experiment_object;

/* What a method does once the experiment is open and ours alone. */
typedef PyObject *py_experiment_body(experiment_object *self, PyObject *args, PyObject *named);

/* Calls it. Nobody waits for the lock of the experiment while he holds that of the interpreter. A thread may come in
 * twice: what Python frees may be an object that asks the experiment. */
static PyObject *py_experiment_inside(PyObject *object, py_experiment_body *method, PyObject *args, PyObject *named);

/* The functions of the tables below, for a body NAME_inside. */
#define METHOD(NAME)                                                                                                   \
    static PyObject *NAME(PyObject *object, PyObject *args, PyObject *named)                                           \
    {                                                                                                                  \
        return py_experiment_inside(object, NAME##_inside, args, named);                                               \
    }
#define METHOD_OF_ONE(NAME)                                                                                            \
    static PyObject *NAME(PyObject *object, PyObject *argument)                                                        \
    {                                                                                                                  \
        return py_experiment_inside(object, NAME##_inside, argument, NULL);                                            \
    }
#define PROPERTY(NAME)                                                                                                 \
    static PyObject *NAME(PyObject *object, void *none)                                                                \
    {                                                                                                                  \
        (void)none;                                                                                                    \
        return py_experiment_inside(object, NAME##_inside, NULL, NULL);                                                \
    }

/* --- an option of an experiment, from what Python says about it --- */

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
static spar_option *py_option_new(PyObject *parts)
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

static int py_options_add(spar_setup *setup, PyObject *options)
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

/* --- items of an experiment: from JSON lines that Python made, and what a screen shows of one --- */

/* Where in the list an item is wrong; the reader says so by itself. */
static void fail_at(const spar__item_list *list, size_t i, spar_status status, spar_error *err)
{
    spar_error why = *err;
    if (i < list->n)
        (void)spar__fail(err, status, "items:%zu: %s", list->line[i], why.text);
}

static int py_items_add(spar_setup *setup, const char *text)
{
    spar__item_list list = {0};
    spar_error err = {0};
    spar_status status = text ? spar__items_read(text, strlen(text), "items", &list, &err) : SPAR_OK;
    for (size_t i = 0; i < list.n && !status; i++) {
        status = spar_setup_add_item(setup, list.item[i], &err);
        if (status)
            fail_at(&list, i, status, &err);
    }
    spar__item_list_free(&list);
    if (status)
        (void)py_fail(&err);
    return status ? -1 : 0;
}

static PyObject *add_items_inside(experiment_object *self, PyObject *text, PyObject *named)
{
    (void)named;
    spar__item_list list = {0};
    spar__items_added result = {0};
    spar_error err = {0};
    spar_status status;
    const char *words;
    PyObject *held = py_bytes_of(text, &words);
    if (!held)
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = spar__items_read(words, strlen(words), "items", &list, &err);
    if (!status) {
        status = spar__live_add_items(self->experiment, list.n, (const spar_item *const *)list.item, &result, &err);
        if (status)
            fail_at(&list, result.at, status, &err);
    }
    spar__item_list_free(&list);
    Py_END_ALLOW_THREADS Py_DECREF(held);
    return status ? py_fail(&err) : Py_BuildValue("(nn)", (Py_ssize_t)result.added, (Py_ssize_t)result.changed);
}

static PyObject *py_experiment_add_items(PyObject *object, PyObject *text)
{
    return py_experiment_inside(object, add_items_inside, text, NULL);
}

static PyObject *py_item_of(const spar_screen *screen)
{
    if (spar_screen_item(screen) == SPAR_NO_ITEM)
        return py_text(NULL);
    return Py_BuildValue("{s:N,s:N,s:N}", "id", py_text(spar_screen_item_id(screen)), "prompt",
                         py_text(spar_screen_prompt(screen)), "group", py_text(spar_screen_group(screen)));
}

static PyObject *py_outputs_of(const spar_screen *screen)
{
    size_t m = spar_screen_slots(screen);
    if (spar_screen_item(screen) == SPAR_NO_ITEM)
        return py_text(NULL);
    PyObject *outputs = PyTuple_New((Py_ssize_t)m);
    for (size_t place = 0; outputs && place < m; place++)
        if (PyTuple_SetItem(outputs, (Py_ssize_t)place, py_text(spar_screen_body(screen, place))))
            Py_CLEAR(outputs);
    return outputs;
}

/* --- the screens of an experiment as Python objects --- */

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

static PyObject *py_experiment_shown(const experiment_object *self, const spar_screen *screen)
{
    return py_screen_with(py_screen_new(spar_screen_number(screen), ids_of(self, screen)), py_item_of(screen),
                          py_outputs_of(screen));
}

static PyObject *py_experiment_screen(const experiment_object *self, uint64_t number)
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

/* --- what an experiment says of itself --- */

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

static PyObject *py_experiment_status(PyObject *object, PyObject *args)
{
    return py_experiment_inside(object, status_inside, args, NULL);
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

static PyGetSetDef py_experiment_properties[] = {
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

/* --- an experiment as a file for others, and whether it is what it was --- */

typedef struct exporting {
    py_work work; /* must come first */
    spar__export is;
    const char *path, *format, *place;
    spar_status status;
    spar_error err;
} exporting;

static void work_export(py_work *work)
{
    exporting *e = (exporting *)work;
    spar__file file = {0};
    e->status = spar__history_open(e->place, NULL, NULL, &e->is.history, &e->err);
    if (!e->status)
        e->status = spar__file_begin(&file, e->path, &e->err);
    if (e->status)
        return;
    if (e->is.names) /* personal data: for its owner only */
        e->status =
            fchmod(fileno(file.stream), S_IRUSR | S_IWUSR) ? spar__fail_file(&e->err, e->path, "protect") : SPAR_OK;
    e->is.stream = file.stream;
    e->is.progress = py_work_progress;
    e->is.context = work;
    if (!e->status)
        e->status = strcmp(e->format, "csv") == 0       ? spar__export_csv(&e->is, &e->err)
                    : strcmp(e->format, "arena") == 0   ? spar__export_arena(&e->is, &e->err)
                    : strcmp(e->format, "dpo") == 0     ? spar__export_dpo(&e->is, &e->err)
                    : strcmp(e->format, "preflib") == 0 ? spar__export_preflib(&e->is, &e->err)
                                                        : spar__export_jsonl(&e->is, &e->err);
    if (e->status)
        spar__file_abandon(&file);
    else
        e->status = spar__file_commit(&file, false, &e->err);
}

/* export(path, format, names): gives the notes. */
static PyObject *export_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    (void)named;
    int names;
    exporting *e = PyMem_Calloc(1, sizeof *e);
    if (!e)
        return PyErr_NoMemory();
    PyObject *result = NULL;
    e->work.run = work_export;
    e->place = spar_experiment_place(self->experiment);
    if (PyArg_ParseTuple(args, "ssp", &e->path, &e->format, &names)) {
        e->is.names = names != 0;
        if (!py_work_run(&e->work, Py_None))
            result = e->status ? py_raise(e->status, &e->err) : py_text_of_buf(&e->is.notes);
    }
    spar__buf_free(&e->is.notes);
    spar__history_free(e->is.history);
    PyMem_Free(e);
    return result;
}

static PyObject *py_experiment_export(PyObject *object, PyObject *args)
{
    return py_experiment_inside(object, export_inside, args, NULL);
}

typedef struct verifying {
    py_work work; /* must come first */
    const char *place;
    const unsigned char *head;
    spar_verification *found;
    spar_status status;
    spar_error err;
} verifying;

static bool share(void *context, double done)
{
    return py_work_progress(context, (uint64_t)(1000 * done), 1000);
}

static void work_verify(py_work *work)
{
    verifying *v = (verifying *)work;
    v->status = spar_experiment_verify(v->place, v->head, share, work, &v->found, &v->err);
}

static PyObject *verification(const spar_verification *found)
{
    unsigned char hash[SPAR_HASH_SIZE];
    size_t n = spar_verification_findings(found);
    PyObject *findings = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; findings && i < n; i++)
        if (py_set_item(findings, (Py_ssize_t)i, py_text(spar_verification_finding(found, i))))
            Py_CLEAR(findings);
    spar_verification_head(found, hash);
    return findings
               ? Py_BuildValue("{s:N,s:N,s:K,s:K,s:K,s:y#}", "holds", PyBool_FromLong(spar_verification_holds(found)),
                               "findings", findings, "events", (unsigned long long)spar_verification_events(found),
                               "screens", (unsigned long long)spar_verification_screens(found), "removed",
                               (unsigned long long)spar_verification_removed(found), "head", (const char *)hash,
                               (Py_ssize_t)sizeof hash)
               : NULL;
}

PyObject *py_verify(PyObject *self, PyObject *args, PyObject *named)
{
    (void)self;
    static char *words[] = {"place", "head", NULL};
    const char *place, *head_bytes = NULL;
    Py_ssize_t length = 0;
    if (!PyArg_ParseTupleAndKeywords(args, named, "s|z#:verify", words, &place, &head_bytes, &length))
        return NULL;
    if (head_bytes && length != SPAR_HASH_SIZE)
        return PyErr_Format(PyExc_ValueError, "a head has %d bytes, not %zd", SPAR_HASH_SIZE, length);
    verifying *v = PyMem_Calloc(1, sizeof *v);
    if (!v)
        return PyErr_NoMemory();
    PyObject *result = NULL;
    v->place = place;
    v->head = (const unsigned char *)head_bytes;
    v->work.run = work_verify;
    if (!py_work_run(&v->work, Py_None))
        result = v->status ? py_raise(v->status, &v->err) : verification(v->found);
    spar_verification_free(v->found);
    PyMem_Free(v);
    return result;
}

/* --- a live experiment as a Python object. Every call lets other Python threads run, because it may wait for the
 * disk; a lock lets one thread at a time into an experiment --- */

static PyObject *py_experiment_inside(PyObject *object, py_experiment_body *method, PyObject *args, PyObject *named)
{
    experiment_object *self = (experiment_object *)object;
    PyObject *result = NULL;
    if (self->owner != getpid())
        return PyErr_Format(PyExc_RuntimeError,
                            "the experiment was opened by the process that this one was forked from: "
                            "open it here");
    Py_BEGIN_ALLOW_THREADS(void) pthread_mutex_lock(&self->lock);
    Py_END_ALLOW_THREADS if (self->experiment) result = method(self, args, named);
    else PyErr_SetString(PyExc_ValueError, "the experiment is closed");
    (void)pthread_mutex_unlock(&self->lock);
    return result;
}

static PyTypeObject *experiment_type;

/* --- made, opened, closed --- */

static experiment_object *allocate(PyTypeObject *type)
{
    experiment_object *self = (experiment_object *)PyType_GenericAlloc(type, 0);
    if (self) {
        pthread_mutexattr_t again;
        (void)pthread_mutexattr_init(&again);
        (void)pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
        (void)pthread_mutex_init(&self->lock, &again);
        (void)pthread_mutexattr_destroy(&again);
        self->locks = true;
        self->owner = getpid();
    }
    return self;
}

/* create(class, place, options, question, policy, m, answer, seed, results, access, items, space, against_last) */
static PyObject *create(PyObject *type, PyObject *args)
{
    const char *place, *question, *policy, *items, *space;
    PyObject *options, *seed;
    Py_ssize_t m;
    int answer, results, access, against_last;
    if (!PyArg_ParseTuple(args, "sO!zzniOiizzp", &place, &PyList_Type, &options, &question, &policy, &m, &answer, &seed,
                          &results, &access, &items, &space, &against_last))
        return NULL;
    spar_setup *setup = NULL;
    spar_error err = {0};
    if (spar_setup_new(&setup))
        return PyErr_NoMemory();
    spar_status status = question ? spar_setup_set_question(setup, question, &err) : SPAR_OK;
    if (!status && space)
        status = spar_setup_set_space(setup, space, against_last != 0, &err);
    if (!status && policy)
        status = spar_setup_set_policy(setup, policy, &err);
    if (!status && m)
        status = spar_setup_set_slots(setup, (size_t)m, &err);
    if (!status)
        status = spar_setup_set_answer(setup, (spar_answer_kind)answer, &err);
    spar_setup_set_results(setup, (spar_results_for)results);
    spar_setup_set_access(setup, (spar_access)access);
    if (!status && seed != Py_None)
        spar_setup_set_seed(setup, PyLong_AsUnsignedLongLong(seed));
    experiment_object *self = NULL;
    if (status)
        (void)py_fail(&err);
    else if (!PyErr_Occurred() && !py_options_add(setup, options) && !py_items_add(setup, items) &&
             (self = allocate((PyTypeObject *)type))) {
        Py_BEGIN_ALLOW_THREADS status = spar_experiment_create(place, setup, &self->experiment, &err);
        Py_END_ALLOW_THREADS if (status)
        {
            Py_CLEAR(self);
            (void)py_fail(&err);
        }
    }
    spar_setup_free(setup);
    return (PyObject *)self;
}

static PyObject *new (PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *words[] = {"place", "readonly", NULL};
    PyObject *place, *held;
    const char *path;
    int readonly = 0;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O|p:Experiment", words, &place, &readonly))
        return NULL;
    place = PyOS_FSPath(place);
    held = place ? py_bytes_of(place, &path) : NULL;
    experiment_object *self = held ? allocate(type) : NULL;
    spar_error err = {0};
    spar_status status = SPAR_OK;
    if (self) {
        Py_BEGIN_ALLOW_THREADS status = spar_experiment_open(
            path, readonly ? SPAR_EXPERIMENT_READ : SPAR_EXPERIMENT_WRITE, &self->experiment, &err);
        Py_END_ALLOW_THREADS
    }
    if (status) {
        Py_CLEAR(self);
        (void)py_fail(&err);
    }
    Py_XDECREF(held);
    Py_XDECREF(place);
    return (PyObject *)self;
}

static PyObject *close_inside(experiment_object *self, PyObject *none, PyObject *named)
{
    (void)none, (void)named;
    spar_experiment *experiment = self->experiment;
    self->experiment = NULL;
    Py_BEGIN_ALLOW_THREADS spar_experiment_close(experiment);
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

static PyObject *close_it(PyObject *object, PyObject *none)
{
    if (!((experiment_object *)object)->experiment)
        Py_RETURN_NONE;
    return py_experiment_inside(object, close_inside, none, NULL);
}

static void dealloc(PyObject *object)
{
    experiment_object *self = (experiment_object *)object;
    if (self->experiment && self->owner == getpid())
        spar_experiment_close(self->experiment);
    if (self->locks)
        (void)pthread_mutex_destroy(&self->lock);
    py_free(object);
}

/* --- asking and telling --- */

static PyObject *ask_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    static char *words[] = {"voter", NULL};
    const char *voter = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, named, "|z:ask", words, &voter))
        return NULL;
    spar_screen *screen = NULL;
    spar_error err = {0};
    spar_status status;
    Py_BEGIN_ALLOW_THREADS status = spar_experiment_ask(self->experiment, voter, &screen, &err);
    Py_END_ALLOW_THREADS if (status) return py_fail(&err);
    PyObject *asked = py_experiment_shown(self, screen);
    spar_screen_free(screen);
    return asked;
}
METHOD(ask)

static PyObject *screen_inside(experiment_object *self, PyObject *number, PyObject *named)
{
    (void)named;
    unsigned long long n = PyLong_AsUnsignedLongLong(number);
    return PyErr_Occurred() ? NULL : py_experiment_screen(self, n);
}
METHOD_OF_ONE(screen)

static PyObject *open_screens_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    static char *words[] = {"voter", NULL};
    const char *voter = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, named, "|z:open_screens", words, &voter))
        return NULL;
    size_t n = spar_experiment_open_screens(self->experiment, voter, 0, NULL);
    uint64_t *number = PyMem_Malloc((n + 1) * sizeof *number);
    if (!number)
        return PyErr_NoMemory();
    size_t found = spar_experiment_open_screens(self->experiment, voter, n, number);
    n = found < n ? found : n;
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        if (py_set_item(list, (Py_ssize_t)i, py_experiment_screen(self, number[i])))
            Py_CLEAR(list);
    PyMem_Free(number);
    return list;
}
METHOD(open_screens)

static spar_status make_remarks(const char *comment, long taken, spar_remarks **out, spar_error *err)
{
    *out = NULL;
    if (!comment && taken < 0)
        return SPAR_OK;
    spar_status status = spar_remarks_new(out);
    if (!status && comment)
        status = spar_remarks_set_comment(*out, comment, err);
    if (!status && taken >= 0) {
        spar_remarks_set_taken(*out, (uint32_t)taken);
        if (taken < 300)
            spar_remarks_set_flags(*out, SPAR_FLAG_FAST);
    }
    return status;
}

/* The screen of the log that is answered, by its number or by what ask() gave. */
static PyObject *screen_answered(experiment_object *self, PyObject *asked)
{
    if (!py_screen_check(asked))
        return screen_inside(self, asked, NULL);
    PyObject *screen = py_experiment_screen(self, py_screen_number(asked));
    if (screen && !py_screen_shows(asked, py_screen_arms(screen)))
        Py_CLEAR(screen);
    return screen;
}

static PyObject *tell_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    static char *words[] = {"screen", "winner", "ranking", "pairs", "tie", "bad",
                            "skip",   "voter",  "comment", "taken", NULL};
    PyObject *asked;
    py_answer_words is = {NULL, NULL, NULL, 0, 0, 0};
    const char *voter = NULL, *comment = NULL;
    long taken = -1;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O|OOOpppzzl:tell", words, &asked, &is.winner, &is.ranking, &is.pairs,
                                     &is.tie, &is.bad, &is.skip, &voter, &comment, &taken))
        return NULL;
    if (!(asked = screen_answered(self, asked)))
        return NULL;
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    spar_error err = {0};
    bool again = false;
    spar_status status = spar_answer_new(&answer);
    if (!status && !py_answer_read(&is, py_screen_arms(asked), answer)) {
        status = make_remarks(comment, taken, &remarks, &err);
        Py_BEGIN_ALLOW_THREADS if (!status) status =
            spar_experiment_tell(self->experiment, py_screen_number(asked), voter, answer, remarks, &again, &err);
        Py_END_ALLOW_THREADS
    }
    spar_remarks_free(remarks);
    spar_answer_free(answer);
    Py_DECREF(asked);
    if (status)
        return py_raise(status, &err);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(!again);
}
METHOD(tell)

static PyObject *undo_inside(experiment_object *self, PyObject *args, PyObject *named)
{
    static char *words[] = {"screen", "voter", NULL};
    PyObject *asked;
    const char *voter = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, named, "O|z:undo", words, &asked, &voter))
        return NULL;
    uint64_t number = py_screen_check(asked) ? py_screen_number(asked) : PyLong_AsUnsignedLongLong(asked);
    if (PyErr_Occurred())
        return NULL;
    spar_error err = {0};
    spar_status status;
    Py_BEGIN_ALLOW_THREADS status =
        spar_experiment_undo(self->experiment, number, voter, SPAR_ANY_REVISION, NULL, &err);
    Py_END_ALLOW_THREADS if (status) return py_fail(&err);
    Py_RETURN_NONE;
}
METHOD(undo)

/* --- changing --- */

static PyObject *add_inside(experiment_object *self, PyObject *parts, PyObject *named)
{
    (void)named;
    spar_option *option = py_option_new(parts);
    if (!option)
        return NULL;
    size_t arm = 0;
    spar_error err = {0};
    spar_status status;
    Py_BEGIN_ALLOW_THREADS status = spar_experiment_add(self->experiment, option, &arm, &err);
    Py_END_ALLOW_THREADS spar_option_free(option);
    return status ? py_fail(&err) : PyLong_FromSize_t(arm);
}
METHOD_OF_ONE(add)

typedef spar_status change(spar_experiment *experiment, spar_error *err);

static PyObject *changed(experiment_object *self, change *how)
{
    spar_error err = {0};
    spar_status status;
    Py_BEGIN_ALLOW_THREADS status = how(self->experiment, &err);
    Py_END_ALLOW_THREADS if (status) return py_fail(&err);
    Py_RETURN_NONE;
}

static PyObject *end_inside(experiment_object *self, PyObject *none, PyObject *named)
{
    (void)none, (void)named;
    return changed(self, spar_experiment_end);
}
METHOD_OF_ONE(end)

static PyObject *reopen_inside(experiment_object *self, PyObject *none, PyObject *named)
{
    (void)none, (void)named;
    return changed(self, spar_experiment_reopen);
}
METHOD_OF_ONE(reopen)

static PyObject *refresh_inside(experiment_object *self, PyObject *none, PyObject *named)
{
    (void)none, (void)named;
    return changed(self, spar_experiment_refresh);
}
METHOD_OF_ONE(refresh)

/* Changes that take a text. */
typedef spar_status named_change(spar_experiment *experiment, const char *text, spar_error *err);

static PyObject *changed_by(experiment_object *self, PyObject *text, named_change *how)
{
    const char *words;
    PyObject *held = py_bytes_of(text, &words);
    spar_error err = {0};
    spar_status status;
    if (!held)
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = how(self->experiment, words, &err);
    Py_END_ALLOW_THREADS Py_DECREF(held);
    if (status)
        return py_fail(&err);
    Py_RETURN_NONE;
}

static spar_status forget_voter(spar_experiment *experiment, const char *voter, spar_error *err)
{
    return spar_experiment_forget(experiment, voter, NULL, err);
}

static PyObject *retire_inside(experiment_object *self, PyObject *text, PyObject *named)
{
    (void)named;
    return changed_by(self, text, spar_experiment_retire);
}
METHOD_OF_ONE(retire)

static PyObject *forget_inside(experiment_object *self, PyObject *text, PyObject *named)
{
    (void)named;
    return changed_by(self, text, forget_voter);
}
METHOD_OF_ONE(forget)

static PyObject *backup_inside(experiment_object *self, PyObject *text, PyObject *named)
{
    (void)named;
    return changed_by(self, text, spar_experiment_backup);
}
METHOD_OF_ONE(backup)

static PyMethodDef methods[] = {
    {"_create", create, METH_VARARGS | METH_CLASS, NULL},
    {"close", close_it, METH_NOARGS, "close()\n--\n\nLets go of the file; the experiment stays as it is."},
    {"ask", (PyCFunction)(void (*)(void))ask, METH_VARARGS | METH_KEYWORDS,
     "ask(voter=None)\n--\n\nA new screen for that voter; its arms are ids of options, in the order they are shown."},
    {"screen", screen, METH_O, "screen(number)\n--\n\nA screen that was asked before."},
    {"open_screens", (PyCFunction)(void (*)(void))open_screens, METH_VARARGS | METH_KEYWORDS,
     "open_screens(voter=None)\n--\n\nThe screens that wait for an answer, of a voter or of all."},
    {"tell", (PyCFunction)(void (*)(void))tell, METH_VARARGS | METH_KEYWORDS,
     "tell(screen, winner=None, ranking=None, pairs=None, tie=False, bad=False, skip=False, voter=None, comment=None,\n"
     "taken=-1)\n--\n\nThe answer to a screen, or to its number, as for Policy.tell. It is on disk when this returns.\n"
     "True: it is new; False: it was there already. taken: milliseconds that the answer took."},
    {"undo", (PyCFunction)(void (*)(void))undo, METH_VARARGS | METH_KEYWORDS,
     "undo(screen, voter=None)\n--\n\nTakes the answer to a screen back."},
    {"_add", add, METH_O, NULL},
    {"_add_items", py_experiment_add_items, METH_O, NULL},
    {"retire", retire, METH_O, "retire(id)\n--\n\nThe option is not shown any more; its answers stay."},
    {"end", end, METH_NOARGS, "end()\n--\n\nNo more screens are given out (`spar close`)."},
    {"reopen", reopen, METH_NOARGS, "reopen()\n--\n\nScreens are given out again."},
    {"refresh", refresh, METH_NOARGS, "refresh()\n--\n\nReads what other programs have added."},
    {"forget", forget, METH_O, "forget(voter)\n--\n\nRemoves the name and the comments of a voter; the answers stay."},
    {"backup", backup, METH_O, "backup(path)\n--\n\nA copy of the whole store while it is in use."},
    {"_status", py_experiment_status, METH_VARARGS, NULL},
    {"_export", py_experiment_export, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, new}, {Py_tp_dealloc, dealloc}, {Py_tp_methods, methods}, {Py_tp_getset, py_experiment_properties},
    {0, NULL},
};

static PyType_Spec spec = {"spar._spar.Experiment", sizeof(experiment_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

int py_experiment_init(PyObject *module)
{
    return py_add_type(module, &spec, &experiment_type);
}
