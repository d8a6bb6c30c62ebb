/* run.c - simulations from Python, also of policies and environments that are written in it. */
#include "cli/run/run.h"
#include "common.h"

#include <math.h>
#include <string.h>

/* What the functions of a policy are called with: how to make one, and where exceptions go. */
typedef struct py_custom_policy {
    py_work *work;
    PyObject *make; /* called with (n, names, features, m, horizon, rng): gives the policy of a run */
} py_custom_policy;

typedef struct py_custom_env {
    py_work *work;
    PyObject *env;
} py_custom_env;

/* --- policies and environments that are written in Python. Their functions are called by the threads of a
 * simulation, each of which takes the lock of the interpreter for the call. An exception ends the simulation and is
 * raised again by the function that started it --- */

typedef struct state {
    py_work *work;
    PyObject *policy, *rng;
} state;

/* --- a policy --- */

static PyObject *names_of(const spar_arms *arms)
{
    size_t n = spar_arms_count(arms);
    if (!n || !spar_arms_name(arms, 0))
        Py_RETURN_NONE;
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        if (py_set_item(list, (Py_ssize_t)i, py_text(spar_arms_name(arms, i))))
            Py_CLEAR(list);
    return list;
}

static PyObject *features_of(const spar_arms *arms)
{
    size_t n = spar_arms_count(arms), dim = spar_arms_dim(arms);
    if (!dim)
        Py_RETURN_NONE;
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        if (py_set_item(list, (Py_ssize_t)i, py_floats(spar_arms_features(arms, i), dim)))
            Py_CLEAR(list);
    return list;
}

static void free_state(state *s)
{
    Py_XDECREF(s->policy);
    Py_XDECREF(s->rng);
    PyMem_Free(s);
}

static spar_status begin(void *context, const spar_arms *arms, size_t m, uint64_t horizon, uint64_t key, void **out,
                         spar_error *err)
{
    (void)err;
    py_custom_policy *custom = context;
    PyGILState_STATE held = PyGILState_Ensure();
    spar_status status = SPAR_OK;
    state *s = PyMem_Calloc(1, sizeof *s);
    if (s) {
        s->work = custom->work;
        s->rng = py_rng_new();
        if (s->rng) {
            spar_rng_seed(py_rng_of(s->rng), key, 0, 0);
            s->policy = PyObject_CallFunction(custom->make, "nNNnKO", (Py_ssize_t)spar_arms_count(arms), names_of(arms),
                                              features_of(arms), (Py_ssize_t)m, (unsigned long long)horizon, s->rng);
        }
    }
    if (!s || !s->policy) {
        status = s ? py_work_keep_exception(custom->work) : SPAR_NOMEM;
        if (s)
            free_state(s);
        s = NULL;
    }
    PyGILState_Release(held);
    *out = s;
    return status;
}

static int take_arms(PyObject *chosen, size_t m, size_t *arm)
{
    PyObject *list = PySequence_List(chosen);
    Py_ssize_t n = list ? PyList_Size(list) : -1;
    if (!list && PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError, "choose() gave %R, expected a list of %zu arms", chosen, m);
    if (n >= 0 && (size_t)n != m)
        PyErr_Format(PyExc_ValueError, "choose() gave %zd arms, expected %zu", n, m);
    for (size_t j = 0; !PyErr_Occurred() && j < m; j++) {
        PyObject *number = PyNumber_Index(PyList_GetItem(list, (Py_ssize_t)j));
        if (!number && PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_Format(PyExc_TypeError, "choose() gave %R, expected numbers of arms", chosen);
        arm[j] = number ? PyLong_AsSize_t(number) : 0;
        Py_XDECREF(number);
    }
    Py_XDECREF(list);
    return PyErr_Occurred() ? -1 : 0;
}

static spar_status choose(const void *self, spar_rng *rng, size_t m, size_t *arm, spar_error *err)
{
    (void)err;
    const state *s = self;
    PyGILState_STATE held = PyGILState_Ensure();
    spar_rng_copy(rng, py_rng_of(s->rng));
    PyObject *chosen = PyObject_CallMethod(s->policy, "choose", "O", s->rng);
    spar_status status = chosen && !take_arms(chosen, m, arm) ? SPAR_OK : py_work_keep_exception(s->work);
    Py_XDECREF(chosen);
    spar_rng_copy(py_rng_of(s->rng), rng);
    PyGILState_Release(held);
    return status;
}

static PyObject *arms_shown(const spar_round *round)
{
    size_t m = spar_round_slots(round);
    PyObject *arms = PyTuple_New((Py_ssize_t)m);
    for (size_t j = 0; arms && j < m; j++)
        if (PyTuple_SetItem(arms, (Py_ssize_t)j, PyLong_FromSize_t(spar_round_arm(round, j))))
            Py_CLEAR(arms);
    return arms;
}

/* (a, b, y) for every answered pair of slots: y is 1 if a won, 0 if b did, 1/2 for a tie. */
static PyObject *duels_of(const spar_round *round, const spar_feedback *feedback)
{
    size_t m = spar_round_slots(round);
    PyObject *duels = PyList_New(0);
    for (size_t j = 0; duels && j < m; j++)
        for (size_t k = j + 1; duels && k < m; k++) {
            spar_outcome outcome = spar_feedback_get(feedback, j, k);
            size_t a = spar_round_arm(round, j), b = spar_round_arm(round, k);
            if (outcome == SPAR_MISSING)
                continue;
            PyObject *duel = Py_BuildValue("nnd", (Py_ssize_t)a, (Py_ssize_t)b, 0.5 * (outcome - SPAR_LOSS));
            if (!duel || PyList_Append(duels, duel))
                Py_CLEAR(duels);
            Py_XDECREF(duel);
        }
    return duels;
}

static spar_status learn(void *self, const spar_round *round, const spar_feedback *feedback, spar_error *err)
{
    (void)err;
    state *s = self;
    PyGILState_STATE held = PyGILState_Ensure();
    PyObject *said = PyObject_CallMethod(s->policy, "learn", "NN", arms_shown(round), duels_of(round, feedback));
    spar_status status = said ? SPAR_OK : py_work_keep_exception(s->work);
    Py_XDECREF(said);
    PyGILState_Release(held);
    return status;
}

static void end(void *self)
{
    PyGILState_STATE held = PyGILState_Ensure();
    free_state(self);
    PyGILState_Release(held);
}

static spar_policy_functions py_policy_functions(py_custom_policy *custom)
{
    return (spar_policy_functions){.size = sizeof(spar_policy_functions),
                                   .context = custom,
                                   .begin = begin,
                                   .choose = choose,
                                   .learn = learn,
                                   .end = end};
}

/* --- an environment --- */

static int take_matrix(PyObject *matrix, size_t n, double *p)
{
    Py_ssize_t rows = PySequence_Size(matrix);
    if (rows >= 0 && (size_t)rows != n)
        PyErr_Format(PyExc_ValueError, "prefer() gave %zd rows, expected one for each of %zu arms", rows, n);
    for (size_t i = 0; !PyErr_Occurred() && i < n; i++) {
        PyObject *row = PySequence_GetItem(matrix, (Py_ssize_t)i);
        if (row)
            (void)py_take_floats(row, n, p + i * n);
        Py_XDECREF(row);
    }
    return PyErr_Occurred() ? -1 : 0;
}

static spar_status prefer(void *context, uint64_t seed, uint64_t run, size_t phase, size_t n, double *p,
                          spar_error *err)
{
    (void)err;
    py_custom_env *custom = context;
    PyGILState_STATE held = PyGILState_Ensure();
    PyObject *matrix = NULL, *rng = py_rng_new();
    if (rng) {
        spar_rng_seed(py_rng_of(rng), seed, run, phase);
        matrix = PyObject_CallMethod(custom->env, "prefer", "KnO", (unsigned long long)run, (Py_ssize_t)phase, rng);
    }
    spar_status status = matrix && !take_matrix(matrix, n, p) ? SPAR_OK : py_work_keep_exception(custom->work);
    Py_XDECREF(matrix);
    Py_XDECREF(rng);
    PyGILState_Release(held);
    return status;
}

/* A slot that won, or a list of (j, k, y), or None. */
static int take_answer(PyObject *said, spar_feedback *feedback)
{
    if (said == Py_None)
        return 0;
    if (PyLong_Check(said)) {
        size_t slot = PyLong_AsSize_t(said);
        if (!PyErr_Occurred() && spar_feedback_winner(feedback, slot))
            PyErr_Format(PyExc_ValueError, "answer() gave slot %R as the winner, and there are %zu", said,
                         spar_feedback_slots(feedback));
        return PyErr_Occurred() ? -1 : 0;
    }
    PyObject *list = PySequence_List(said);
    for (Py_ssize_t i = 0; list && !PyErr_Occurred() && i < PyList_Size(list); i++) {
        Py_ssize_t j, k;
        double y;
        PyObject *duel = PySequence_Tuple(PyList_GetItem(list, i));
        if (duel && PyArg_ParseTuple(duel, "nnd", &j, &k, &y) &&
            (j < 0 || k < 0 || (y != 0 && y != 0.5 && y != 1) ||
             spar_feedback_set(feedback, (size_t)j, (size_t)k, (spar_outcome)(SPAR_LOSS + (int)(2 * y)))))
            PyErr_Format(PyExc_ValueError, "answer() gave %R, expected (j, k, y): two slots, and 1, 0.5 or 0", duel);
        Py_XDECREF(duel);
    }
    Py_XDECREF(list);
    return PyErr_Occurred() ? -1 : 0;
}

static spar_status answer(void *context, uint64_t run, uint64_t t, size_t m, const size_t *item, spar_rng *rng,
                          spar_feedback *feedback)
{
    py_custom_env *custom = context;
    PyGILState_STATE held = PyGILState_Ensure();
    PyObject *shown = PyTuple_New((Py_ssize_t)m), *drawn = py_rng_new(), *said = NULL;
    for (size_t j = 0; shown && j < m; j++)
        if (PyTuple_SetItem(shown, (Py_ssize_t)j, PyLong_FromSize_t(item[j])))
            Py_CLEAR(shown);
    if (shown && drawn) {
        spar_rng_copy(rng, py_rng_of(drawn));
        said = PyObject_CallMethod(custom->env, "answer", "OKKO", shown, (unsigned long long)t, (unsigned long long)run,
                                   drawn);
    }
    spar_status status = said && !take_answer(said, feedback) ? SPAR_OK : py_work_keep_exception(custom->work);
    Py_XDECREF(shown);
    Py_XDECREF(drawn);
    Py_XDECREF(said);
    PyGILState_Release(held);
    return status;
}

/* env._arms() gives (n, names or None, dim, features as bytes, phases, every, answers itself). */
static spar_env *py_env_new(py_custom_env *custom, const char *name)
{
    PyObject *described = PyObject_CallMethod(custom->env, "_arms", NULL), *names;
    Py_ssize_t n, dim, length, phases;
    unsigned long long every;
    const char *x;
    int answers;
    spar_env *env = NULL;
    spar_arms *arms = NULL;
    if (!described || !PyArg_ParseTuple(described, "nOny#nO&p", &n, &names, &dim, &x, &length, &phases, py_take_u64,
                                        &every, &answers)) {
        Py_XDECREF(described);
        return NULL;
    }
    const char **label = PyMem_Malloc(((size_t)n + 1) * sizeof *label);
    double *features = PyMem_Malloc((size_t)length + 1);
    if (features)
        memcpy(features, x, (size_t)length);
    for (Py_ssize_t i = 0; label && names != Py_None && i < n; i++)
        label[i] = PyBytes_AsString(PyList_GetItem(names, i));
    spar_error err = {0};
    spar_status status = !label || !features ? SPAR_NOMEM
                                             : spar_arms_new((size_t)n, (size_t)dim, dim ? features : NULL,
                                                             names == Py_None ? NULL : label, &arms);
    spar_env_functions functions = {.size = sizeof functions,
                                    .context = custom,
                                    .arms = arms,
                                    .prefer = prefer,
                                    .answer = answers ? answer : NULL,
                                    .phases = (size_t)phases,
                                    .every = every};
    if (!status)
        status = spar_env_new_custom(name, &functions, &env, &err);
    if (status)
        (void)py_raise(status, &err);
    spar_arms_free(arms);
    PyMem_Free(label);
    PyMem_Free(features);
    Py_DECREF(described);
    return env;
}

/* --- a simulation, and its results. The reports are those of the command `spar run` --- */

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
