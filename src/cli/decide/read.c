/* From a file of any form to votes. */
#include "base/file.h"
#include "cli/common.h"
#include "cli/decide/decide.h"
#include "cli/decide/log.h"
#include "env/matrix_read.h"
#include "text/preflib.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const size_t LARGEST_FILE = (size_t)1 << 32; /* a device may never end */

static spar_status add_options(const spar__matrix *wins, spar__votes *out)
{
    for (size_t i = 0; i < wins->n; i++) {
        char number[24];
        size_t option;
        (void)snprintf(number, sizeof number, "%zu", i);
        const char *name = wins->names ? wins->names[i] : number;
        if (spar__names_get(&out->options, name, strlen(name), &option))
            return SPAR_NOMEM;
    }
    return SPAR_OK;
}

/* All wins of i over j as one vote. */
static spar_status add_wins(spar__votes *out, size_t i, size_t j, double wins)
{
    if (!(wins > 0))
        return SPAR_OK;
    if (spar__votes_begin(out, SPAR__VOTE_ORDER, 0) || spar__votes_add(out, i, 0) || spar__votes_add(out, j, 1))
        return SPAR_NOMEM;
    out->vote[out->n - 1].times = (uint64_t)wins;
    return SPAR_OK;
}

static spar_status parse_counts(const char *text, size_t length, const char *path, spar__votes *out, spar_error *err)
{
    spar__matrix wins;
    *out = (spar__votes){.unordered = true};
    spar_status status = spar__wins_parse(text, length, path, &wins, err);
    if (status)
        return status == SPAR_PARSE
                   ? spar__fail(err, status,
                                "%s; expected a square of win counts, a row a line, as in '0,21' and '19,0'", err->text)
                   : status;
    status = add_options(&wins, out);
    for (size_t i = 0; i < wins.n && !status; i++)
        for (size_t j = 0; j < wins.n && !status; j++)
            status = add_wins(out, i, j, wins.p[i * wins.n + j]);
    spar__matrix_free(&wins);
    if (!status)
        return SPAR_OK;
    spar__votes_free(out);
    return spar__fail_memory(err);
}

static spar_status refuse_form(const char *path, size_t line, spar_error *err)
{
    return spar__fail(
        err, SPAR_PARSE,
        "%s:%zu: cannot tell the form of the votes; expected a header such as 'model_a,model_b,winner', JSON "
        "objects with these members, lines such as 'A > B', a square of win counts, or a PrefLib file",
        path, line);
}

static spar__votes_form form_of(const char *format, const spar__buf *text, size_t *line)
{
    spar__votes_form guess = spar__votes_guess(text->text, text->length, line);
    if (guess == SPAR__VOTES_EMPTY || strcmp(format, "auto") == 0)
        return guess;
    if (strcmp(format, "arena") == 0)
        return guess == SPAR__VOTES_JSON ? SPAR__VOTES_JSON : SPAR__VOTES_CSV;
    return strcmp(format, "lines") == 0    ? SPAR__VOTES_LINES
           : strcmp(format, "counts") == 0 ? SPAR__VOTES_COUNTS
                                           : SPAR__VOTES_PREFLIB;
}

static spar_status parse(const char *format, const spar__buf *text, const spar__votes_columns *columns,
                         spar__decide_report *report, spar_error *err)
{
    static const char *const name[] = {"empty", NULL, "rows", "rows", "lines", "counts", "preflib"};
    size_t line;
    spar__votes_form form = form_of(format, text, &line);
    report->form = name[form];
    switch (form) {
    case SPAR__VOTES_EMPTY:
        return SPAR_OK;
    case SPAR__VOTES_CSV:
    case SPAR__VOTES_JSON:
        return spar__columns_parse(form == SPAR__VOTES_JSON, text->text, text->length, report->source, columns,
                                   &report->votes, err);
    case SPAR__VOTES_LINES:
        return spar__votes_parse_lines(text->text, text->length, report->source, &report->votes, err);
    case SPAR__VOTES_COUNTS:
        return parse_counts(text->text, text->length, report->source, &report->votes, err);
    case SPAR__VOTES_PREFLIB:
        return spar__preflib_parse(text->text, text->length, report->source, &report->votes, err);
    default:
        return refuse_form(report->source, line, err);
    }
}

static spar_status read_place(const char *path, spar__decide_report *report, spar_error *err)
{
    report->form = "log";
    return spar__decide_log_open(path, NULL, &report->log, err);
}

static spar_status read_text(const char *path, const char *format, const spar__votes_columns *columns,
                             spar__decide_report *report, spar_error *err)
{
    spar__buf text = {0};
    spar_status status = spar__file_read(path, LARGEST_FILE, &text, err);
    spar__buf_add(&text, "", 0); /* never NULL */
    if (!status && text.failed)
        status = spar__fail_memory(err);
    bool log = strcmp(format, "log") == 0 ||
               (strcmp(format, "auto") == 0 && !status && spar__decide_is_log(text.text, text.length));
    bool named = columns->a || columns->b || columns->winner; /* then these are the columns */
    bool rows = strcmp(format, "csv") == 0 ||
                (strcmp(format, "auto") == 0 && !status && !named && spar__decide_is_rows(text.text, text.length));
    if (!status && rows) {
        report->form = "csv";
        status = spar__decide_rows_open(report->source, &text, &report->log, err);
    } else if (!status && log) {
        report->form = "log";
        status = spar__decide_log_open(report->source, &text, &report->log, err);
    } else if (!status)
        status = parse(named && strcmp(format, "auto") == 0 ? "arena" : format, &text, columns, report, err);
    spar__buf_free(&text);
    return status;
}

spar_status spar__decide_read(const char *path, const char *format, const spar__votes_columns *columns,
                              spar__decide_report *report, spar_error *err)
{
    bool log = strcmp(format, "auto") == 0 || strcmp(format, "log") == 0;
    report->source = strcmp(path, "-") == 0 ? "standard input" : path;
    if (log && spar__decide_is_place(path))
        return read_place(path, report, err);
    return read_text(path, format, columns, report, err);
}
