/* custom.c - policies and environments that are written in Python. Their functions are called by the threads of a
 * simulation, each of which takes the lock of the interpreter for the call. An exception ends the simulation and is
 * raised again by the function that started it. */
#include "custom.h"

#include <string.h>

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

spar_policy_functions py_policy_functions(py_custom_policy *custom)
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
spar_env *py_env_new(py_custom_env *custom, const char *name)
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
