/* decide.c - what may be concluded from votes: the readers and the report of `spar decide`. */
#include "cli/decide/decide.h"
#include "common.h"

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
static PyObject *reports(const spar__decide_report *report)
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
    Py_END_ALLOW_THREADS PyObject *result = status ? py_fail(&err) : reports(&report);
    spar__decide_report_free(&report);
    Py_DECREF(held);
    return result;
}
