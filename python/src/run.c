/* run.c - a simulation, and its results. The reports are those of the command `spar run`. */
#include "cli/run/run.h"
#include "common.h"
#include "custom.h"

#include <math.h>
#include <string.h>

typedef struct results_object {
    PyObject_HEAD spar__trial trial; /* its texts are in `kept` */
    const char **policies;           /* of the plan */
    PyObject *kept;
} results_object;

static PyTypeObject *results_type;

/* --- the work --- */

typedef struct simulation {
    py_work work; /* must come first */
    spar_plan plan;
    const char **policies;
    py_custom_policy *custom; /* one for each policy */
    spar_policy_functions *functions;
    const spar_policy_functions **chosen; /* NULL where a policy is the library's */
    py_custom_env env;
    spar_env *made;
    PyObject *kept; /* a list of all that the plan points to */
    spar_results *results;
    spar_status status;
    spar_error err;
} simulation;

static void work_simulate(py_work *work)
{
    simulation *sim = (simulation *)work;
    sim->status = spar_simulate(&sim->plan, &sim->results, &sim->err);
}

static void free_simulation(simulation *sim)
{
    if (!sim)
        return;
    spar_env_free(sim->made);
    spar_results_free(sim->results);
    PyMem_Free(sim->policies);
    PyMem_Free(sim->custom);
    PyMem_Free(sim->functions);
    PyMem_Free(sim->chosen);
    Py_XDECREF(sim->kept);
    PyMem_Free(sim);
}

/* A text that stays as long as the list does. */
static const char *keep(PyObject *list, PyObject *text)
{
    const char *bytes = NULL;
    PyObject *held = py_bytes_or_none(text, &bytes);
    if (held && PyList_Append(list, held))
        bytes = NULL;
    Py_XDECREF(held);
    return bytes;
}

static int take_policies(simulation *sim, PyObject *names, PyObject *makers)
{
    size_t n = (size_t)PyList_Size(names);
    sim->policies = PyMem_Calloc(n + 1, sizeof *sim->policies);
    sim->custom = PyMem_Calloc(n + 1, sizeof *sim->custom);
    sim->functions = PyMem_Calloc(n + 1, sizeof *sim->functions);
    sim->chosen = PyMem_Calloc(n + 1, sizeof *sim->chosen);
    if (!sim->policies || !sim->custom || !sim->functions || !sim->chosen) {
        (void)PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        PyObject *make = PyList_GetItem(makers, (Py_ssize_t)i);
        sim->policies[i] = keep(sim->kept, PyList_GetItem(names, (Py_ssize_t)i));
        if (!sim->policies[i])
            return -1;
        if (make == Py_None)
            continue;
        sim->custom[i] = (py_custom_policy){&sim->work, make};
        sim->functions[i] = py_policy_functions(&sim->custom[i]);
        sim->chosen[i] = &sim->functions[i];
        if (PyList_Append(sim->kept, make))
            return -1;
    }
    sim->plan.policies = (const char *const *)sim->policies;
    sim->plan.custom = sim->chosen;
    sim->plan.n_policies = n;
    return 0;
}

static int take_env(simulation *sim, PyObject *name, PyObject *env)
{
    sim->plan.env = keep(sim->kept, name);
    if (!sim->plan.env)
        return -1;
    if (env == Py_None)
        return 0;
    sim->env = (py_custom_env){&sim->work, env};
    sim->plan.made = sim->made = py_env_new(&sim->env, sim->plan.env);
    return sim->made && !PyList_Append(sim->kept, env) ? 0 : -1;
}

static const spar__run_grid single = {.n_envs = 1, .n_m = 1}; /* one environment, one m */

/* The results take over what they need of the simulation; shown: what the kind of feedback is called. */
static PyObject *make_results(simulation *sim, const char *shown)
{
    results_object *self = (results_object *)PyType_GenericAlloc(results_type, 0);
    if (!self)
        return NULL;
    self->trial.plan = sim->plan;
    self->trial.plan.feedback = shown;
    self->trial.plan.made = NULL;
    self->trial.plan.custom = NULL;
    self->trial.plan.progress = NULL;
    self->trial.results = sim->results;
    self->trial.grid = &single;
    self->policies = sim->policies;
    self->kept = sim->kept;
    sim->results = NULL;
    sim->policies = NULL;
    sim->kept = NULL;
    return (PyObject *)self;
}

/* KeyboardInterrupt, or what else stopped it, gets the results so far as its attribute `result`. */
static void hand_over(simulation *sim, const char *shown, PyObject *wrap)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject *results = sim->results ? make_results(sim, shown) : NULL;
    PyObject *result = results ? PyObject_CallFunctionObjArgs(wrap, results, NULL) : NULL;
    if (result && value)
        (void)PyObject_SetAttrString(value, "result", result);
    PyErr_Clear();
    Py_XDECREF(result);
    Py_XDECREF(results);
    PyErr_Restore(type, value, trace);
}

static PyObject *simulate(simulation *sim, PyObject *shown, PyObject *progress, PyObject *wrap)
{
    const char *feedback = keep(sim->kept, shown);
    if (!feedback)
        return NULL;
    sim->work.run = work_simulate;
    sim->plan.progress = py_work_progress;
    sim->plan.context = &sim->work;
    if (py_work_run(&sim->work, progress)) {
        hand_over(sim, feedback, wrap);
        return NULL;
    }
    if (sim->status)
        return py_raise(sim->status, &sim->err);
    PyObject *results = make_results(sim, feedback);
    PyObject *result = results ? PyObject_CallFunctionObjArgs(wrap, results, NULL) : NULL;
    Py_XDECREF(results);
    return result;
}

PyObject *py_simulate(PyObject *self, PyObject *args, PyObject *named)
{
    (void)self;
    static char *words[] = {"env",      "env_object", "policies", "makers",  "feedback", "shown",   "m",
                            "rounds",   "runs",       "seed",     "threads", "regret",   "horizon", "stop",
                            "identify", "strongest",  "progress", "wrap",    NULL};
    PyObject *env, *env_object, *names, *makers, *feedback, *shown, *stop, *progress, *wrap;
    Py_ssize_t m, threads;
    unsigned long long rounds, runs, seed, horizon;
    int regret, identify, strongest;
    if (!PyArg_ParseTupleAndKeywords(args, named, "OOO!O!OOnO&O&O&niO&OppOO:simulate", words, &env, &env_object,
                                     &PyList_Type, &names, &PyList_Type, &makers, &feedback, &shown, &m, py_take_u64,
                                     &rounds, py_take_u64, &runs, py_take_u64, &seed, &threads, &regret, py_take_u64,
                                     &horizon, &stop, &identify, &strongest, &progress, &wrap))
        return NULL;
    if (m < 0 || threads < 0)
        return PyErr_Format(PyExc_ValueError, "m and threads are counts, not negative");
    simulation *sim = PyMem_Calloc(1, sizeof *sim); /* on the heap: threads may outlive this one when Python ends */
    if (!sim || !(sim->kept = PyList_New(0))) {
        PyMem_Free(sim);
        return PyErr_NoMemory();
    }
    sim->plan = (spar_plan){.size = sizeof sim->plan,
                            .m = (size_t)m,
                            .rounds = rounds,
                            .runs = runs,
                            .seed = seed,
                            .threads = (size_t)threads,
                            .regret = (spar_regret)regret,
                            .horizon = horizon,
                            .identify = identify != 0,
                            .strongest = strongest != 0};
    PyObject *result = NULL;
    if (!take_env(sim, env, env_object) && !take_policies(sim, names, makers)) {
        sim->plan.feedback = keep(sim->kept, feedback);
        sim->plan.stop = keep(sim->kept, stop);
        if (!PyErr_Occurred())
            result = simulate(sim, shown, progress, wrap);
    }
    free_simulation(sim);
    return result;
}

/* --- the results --- */

static void dealloc(PyObject *self)
{
    results_object *results = (results_object *)self;
    spar_results_free(results->trial.results);
    PyMem_Free(results->policies);
    Py_XDECREF(results->kept);
    py_free(self);
}

static const spar__trial *trial_of(PyObject *self)
{
    return &((results_object *)self)->trial;
}

/* A report of the command, as a text. */
static PyObject *reported(spar_status status, spar__buf *out)
{
    if (!status)
        return py_text_of_buf(out);
    spar__buf_free(out);
    return py_raise(status, NULL);
}

static PyObject *json(PyObject *self, PyObject *none)
{
    (void)none;
    spar__buf out = {0};
    return reported(spar__report_json(trial_of(self), 1, &out), &out);
}

static PyObject *table(PyObject *self, PyObject *none)
{
    (void)none;
    spar__buf out = {0};
    return reported(spar__report_table(trial_of(self), 1, false, &out), &out);
}

static PyObject *curves_csv(PyObject *self, PyObject *none)
{
    (void)none;
    spar__buf out = {0};
    return reported(spar__report_curves_csv(trial_of(self), 1, &out), &out);
}

static PyObject *runs_csv(PyObject *self, PyObject *none)
{
    (void)none;
    spar__buf out = {0};
    spar__report_runs_csv(trial_of(self), 1, &out);
    return reported(SPAR_OK, &out);
}

static PyObject *svg(PyObject *self, PyObject *args)
{
    int band, log_x, log_y;
    if (!PyArg_ParseTuple(args, "ipp", &band, &log_x, &log_y))
        return NULL;
    spar__drawing out = {0};
    static const spar__setting as_they_are = {.n = 0}; /* labels */
    spar__plot_style style = {
        .band = (spar__band)band, .log_x = log_x != 0, .log_y = log_y != 0, .labels = &as_they_are};
    spar_status status = spar__report_plot(trial_of(self), 1, style, &out);
    spar__buf_free(&out.tables); /* of pages only */
    return reported(status, &out.svg);
}

/* Numbers of all runs of all policies, as bytes: width doubles each. */
static PyObject *numbers(PyObject *self, size_t width, double *(*at)(const spar_results *, size_t, size_t, double *))
{
    const spar_results *results = trial_of(self)->results;
    size_t policies = spar_results_policies(results), runs = spar_results_runs(results);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(policies * runs * width * sizeof(double)));
    double *row = PyMem_Malloc((width + 1) * sizeof *row);
    char *to = bytes ? PyBytes_AsString(bytes) : NULL;
    for (size_t i = 0; bytes && row && i < policies * runs; i++, to += width * sizeof *row)
        memcpy(to, at(results, i / runs, i % runs, row), width * sizeof *row);
    if (!row)
        Py_CLEAR(bytes);
    PyMem_Free(row);
    return bytes ? bytes : PyErr_NoMemory();
}

static double *curve_at(const spar_results *results, size_t policy, size_t run, double *row)
{
    const double *curve = spar_results_curve(results, policy, run);
    for (size_t c = 0; c < spar_results_checkpoints(results); c++)
        row[c] = curve ? curve[c] : (double)NAN;
    return row;
}

static double *run_at(const spar_results *results, size_t policy, size_t run, double *row)
{
    for (int k = 0; k <= SPAR_RUN_RIGHT; k++)
        row[k] = spar_results_run(results, policy, run, (spar_run_number)k);
    return row;
}

static PyObject *curves(PyObject *self, PyObject *none)
{
    (void)none;
    return numbers(self, spar_results_checkpoints(trial_of(self)->results), curve_at);
}

static PyObject *runs(PyObject *self, PyObject *none)
{
    (void)none;
    return numbers(self, SPAR_RUN_RIGHT + 1, run_at);
}

static PyObject *checkpoints(PyObject *self, PyObject *none)
{
    (void)none;
    const spar_results *results = trial_of(self)->results;
    size_t n = spar_results_checkpoints(results);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        if (py_set_item(list, (Py_ssize_t)i, PyLong_FromUnsignedLongLong(spar_results_checkpoint(results)[i])))
            Py_CLEAR(list);
    return list;
}

static PyObject *interrupted(PyObject *self, PyObject *none)
{
    (void)none;
    return PyBool_FromLong(spar_results_interrupted(trial_of(self)->results));
}

static PyObject *note(PyObject *self, PyObject *none)
{
    (void)none;
    return py_text(spar_results_note(trial_of(self)->results));
}

static PyMethodDef methods[] = {
    {"json", json, METH_NOARGS, NULL},
    {"table", table, METH_NOARGS, NULL},
    {"curves_csv", curves_csv, METH_NOARGS, NULL},
    {"runs_csv", runs_csv, METH_NOARGS, NULL},
    {"svg", svg, METH_VARARGS, NULL},
    {"curves", curves, METH_NOARGS, NULL},
    {"runs", runs, METH_NOARGS, NULL},
    {"checkpoints", checkpoints, METH_NOARGS, NULL},
    {"interrupted", interrupted, METH_NOARGS, NULL},
    {"note", note, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc}, {Py_tp_methods, methods}, {0, NULL}};

static PyType_Spec spec = {"spar._spar.Results", sizeof(results_object), 0, Py_TPFLAGS_DEFAULT, slots};

int py_results_init(PyObject *module)
{
    return py_add_type(module, &spec, &results_type);
}
