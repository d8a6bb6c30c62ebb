/* decide.c - votes from elsewhere, without an experiment: what they say, and how many more it will take. */
#include "cli/decide/decide.h"
#include "cli/verdict/verdict.h"
#include "common.h"

#include <stdio.h>

/* --- what may be concluded from votes: the readers and the report of `spar decide` --- */

static spar_status judge(spar__decide_report *report, const char *path, const char *format,
                         const spar__votes_columns *columns, const char *standings, spar_error *err)
{
    spar_status status = spar__decide_read(path, format, columns, report, err);
    const spar__votes *votes = &report->votes;
    if (!status && report->settings.first_only && !report->log && votes->n && !votes->one_each && !votes->voters.n)
        status = spar__fail(err, SPAR_INVALID, "%s: voters='first' needs the names of voters", report->source);
    if (!status)
        status = spar__decide_judge(report, err);
    if (!status)
        status = spar__decide_stand(report, spar__standings_how_of(standings), err);
    return status;
}

/* JSON, text, and pictures of the decision and of the standings (None without). */
static PyObject *decision_reports(const spar__decide_report *report)
{
    spar__buf json = {0}, text = {0}, svg = {0}, standings = {0};
    spar__decide_json(report, &json);
    spar__decide_text(report, (spar__layout){.width = 100}, &text);
    if (spar__decide_plot(report, &svg))
        svg.failed = true;
    bool stand = report->standings.standings != NULL;
    if (stand && spar__decide_plot_standings(report, &standings))
        standings.failed = true;
    PyObject *drawn = stand ? py_text_of_buf(&standings) : py_text(NULL);
    return Py_BuildValue("NNNN", py_text_of_buf(&json), py_text_of_buf(&text), py_text_of_buf(&svg), drawn);
}

PyObject *py_decide(PyObject *self, PyObject *args, PyObject *named)
{
    (void)self;
    static char *words[] = {"path", "format", "columns", "delta", "eps", "first", "standings", NULL};
    PyObject *path, *held = NULL;
    const char *format, *standings, *file;
    spar__votes_columns which = {0};
    double delta, eps;
    int first;
    if (!PyArg_ParseTupleAndKeywords(args, named, "Os(zzzzzz)ddps:decide", words, &path, &format, &which.a, &which.b,
                                     &which.winner, &which.voter, &which.item, &which.id, &delta, &eps, &first,
                                     &standings) ||
        !(held = py_bytes_of(path, &file)))
        return NULL;
    spar_error err = {0};
    spar_status status = SPAR_OK;
    spar__decide_report report = {
        .settings = {.size = sizeof report.settings, .delta = delta, .eps = eps, .first_only = first}};
    Py_BEGIN_ALLOW_THREADS status = judge(&report, file, format, &which, standings, &err);
    Py_END_ALLOW_THREADS PyObject *result = status ? py_fail(&err) : decision_reports(&report);
    spar__decide_report_free(&report);
    Py_DECREF(held);
    return result;
}

/* --- how many screens a decision will take: the forecast of the library, the report of `spar plan` --- */

typedef struct planning {
    py_work work; /* must come first */
    spar__forecast_report report;
    spar_status status;
    spar_error err;
} planning;

static void work_forecast(py_work *work)
{
    planning *plan = (planning *)work;
    plan->status = spar_forecast_run(plan->report.forecast, py_work_progress, work, &plan->err);
    plan->report.interrupted = atomic_load(&work->stop);
}

/* Truths as the votes of a pilot have them, and the share of them that said nothing. */
static spar_status take_pilot(spar__forecast_report *r, const char *path, spar_error *err)
{
    spar__decide_report pilot = {.settings = {.size = sizeof pilot.settings, .delta = 0.05, .eps = 0.2}};
    spar__votes_columns columns = {0};
    spar_status status = spar__decide_read(path, "auto", &columns, &pilot, err);
    if (!status)
        status = spar__decide_judge(&pilot, err);
    if (!status)
        status = spar__decide_stand(&pilot, SPAR__STANDINGS_AUTO, err);
    if (!status)
        status = spar_forecast_new(2, &r->forecast, err);
    if (!status)
        status = spar_forecast_set_standings(r->forecast, pilot.standings.standings, err);
    double silent = (double)(pilot.ties + (pilot.decision ? spar_decision_skipped(pilot.decision) : 0));
    r->silent = pilot.total ? silent / (double)pilot.total : 0;
    r->silent = r->silent > 0.99 ? 0.99 : r->silent;
    (void)snprintf(r->truths, sizeof r->truths, "%zu options as %llu votes have them", pilot.votes.options.n,
                   (unsigned long long)pilot.total);
    spar__decide_report_free(&pilot);
    return status;
}

static spar_status take_guess(spar__forecast_report *r, size_t options, double sd, double gap, PyObject *values,
                              spar_error *err)
{
    spar_status status = spar_forecast_new(options, &r->forecast, err);
    if (status)
        return status;
    if (values != Py_None) {
        double *value = PyMem_Malloc((options + 1) * sizeof *value);
        status = !value                                   ? SPAR_NOMEM
                 : py_take_floats(values, options, value) ? SPAR_PARSE
                                                          : spar_forecast_set_values(r->forecast, value, err);
        PyMem_Free(value);
        (void)snprintf(r->truths, sizeof r->truths, "%zu options of given strengths in log-odds", options);
    } else if (gap > 0) {
        status = spar_forecast_set_steps(r->forecast, gap, err);
        (void)snprintf(r->truths, sizeof r->truths, "%zu options, each %g in log-odds behind the one before", options,
                       gap);
    } else {
        status = spar_forecast_set_sd(r->forecast, sd, err);
        (void)snprintf(r->truths, sizeof r->truths, "%zu options whose strengths in log-odds are N(0, %g^2)", options,
                       sd);
    }
    return status;
}

static spar_status add_cases(spar_forecast *forecast, PyObject *cases, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (Py_ssize_t i = 0; !status && i < PyList_Size(cases); i++) {
        const char *policy;
        Py_ssize_t m;
        if (!PyArg_ParseTuple(PyList_GetItem(cases, i), "sn", &policy, &m))
            return SPAR_PARSE;
        status = spar_forecast_add(forecast, policy, (size_t)m, err);
    }
    return status;
}

/* Text, JSON and picture. */
static PyObject *forecast_reports(const spar__forecast_report *r)
{
    spar__buf text = {0}, json = {0}, svg = {0};
    spar__forecast_text(r, false, &text);
    spar__forecast_json(r, &json);
    if (spar__forecast_plot(r, &svg))
        svg.failed = true;
    return Py_BuildValue("NNN", py_text_of_buf(&text), py_text_of_buf(&json), py_text_of_buf(&svg));
}

PyObject *py_forecast(PyObject *self, PyObject *args, PyObject *named)
{
    (void)self;
    static char *words[] = {"pilot", "options", "sd",    "gap",  "values",  "cases",    "feedback", "silent",
                            "delta", "truths",  "limit", "seed", "threads", "progress", NULL};
    PyObject *pilot, *values, *cases, *progress, *held = NULL;
    const char *feedback, *path = NULL;
    Py_ssize_t options, truths, threads;
    double sd, gap, silent, delta;
    unsigned long long limit, seed;
    if (!PyArg_ParseTupleAndKeywords(args, named, "OnddOO!sddnO&O&nO:forecast", words, &pilot, &options, &sd, &gap,
                                     &values, &PyList_Type, &cases, &feedback, &silent, &delta, &truths, py_take_u64,
                                     &limit, py_take_u64, &seed, &threads, &progress) ||
        !(held = py_bytes_or_none(pilot, &path)))
        return NULL;
    planning *plan = options < 0 || truths < 0 || threads < 0 ? NULL : PyMem_Calloc(1, sizeof *plan);
    if (!plan && (options < 0 || truths < 0 || threads < 0)) {
        Py_DECREF(held);
        return PyErr_Format(PyExc_ValueError, "options, truths and threads are counts, not negative");
    }
    if (!plan) {
        Py_DECREF(held);
        return PyErr_NoMemory();
    }
    spar__forecast_report *r = &plan->report;
    spar_error err = {0};
    r->feedback = feedback;
    r->delta = delta;
    r->limit = limit;
    spar_status status = path ? take_pilot(r, path, &err) : take_guess(r, (size_t)options, sd, gap, values, &err);
    if (silent >= 0)
        r->silent = silent;
    if (!status)
        status = spar_forecast_set_delta(r->forecast, delta, &err);
    if (!status)
        status = spar_forecast_set_silent(r->forecast, r->silent, &err);
    if (!status)
        status = spar_forecast_set_feedback(r->forecast, feedback, &err);
    if (!status)
        status = spar_forecast_set_truths(r->forecast, (size_t)truths, &err);
    if (!status)
        status = spar_forecast_set_limit(r->forecast, limit, &err);
    if (!status)
        status = add_cases(r->forecast, cases, &err);
    spar_forecast_set_seed(r->forecast, seed);
    spar_forecast_set_threads(r->forecast, (size_t)threads);
    PyObject *result = NULL;
    plan->work.run = work_forecast;
    if (status && !PyErr_Occurred())
        (void)py_raise(status, &err);
    else if (!status && !py_work_run(&plan->work, progress))
        result = plan->status ? py_raise(plan->status, &plan->err) : forecast_reports(r);
    spar_forecast_free(r->forecast);
    PyMem_Free(plan);
    Py_DECREF(held);
    return result;
}
