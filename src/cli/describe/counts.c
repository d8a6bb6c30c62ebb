/* What win counts show, and what they do not: a share of few votes is no preference. */
#include "base/file.h"
#include "cli/describe/describe.h"
#include "env/matrix_read.h"

#include <stdint.h>
#include <stdio.h>

enum { CLOSEST = 5, LISTED = 8 };

static const size_t LARGEST_FILE = (size_t)1 << 32;

static spar_status add_wins(spar_decision *decision, size_t i, size_t j, double wins, spar_error *err)
{
    static const unsigned char outcome[] = {SPAR_MISSING, SPAR_WIN, SPAR_LOSS, SPAR_MISSING};
    const size_t option[] = {i, j};
    spar_ballot ballot = {.size = sizeof ballot, .m = 2, .option = option, .outcome = outcome, .times = (uint64_t)wins};
    return wins > 0 ? spar_decision_answer(decision, &ballot, err) : SPAR_OK;
}

/* The counts as a decision. There is none where they are fractions, or more than a decision can count. */
static spar_status weigh(const char *text, size_t length, spar__description *d, spar_error *err)
{
    spar__matrix wins;
    spar_decision_settings settings = {.size = sizeof settings, .unordered = 1};
    spar_status status = spar__wins_parse(text, length, d->source, &wins, err);
    if (status)
        return status == SPAR_NOMEM ? status : SPAR_OK;
    status = spar_decision_new(wins.n, &settings, &d->decision, err);
    for (size_t at = 0; !status && at < wins.n * wins.n; at++)
        status = add_wins(d->decision, at / wins.n, at % wins.n, wins.p[at], err);
    spar__matrix_free(&wins);
    if (status == SPAR_INVALID) {
        spar_decision_free(d->decision);
        d->decision = NULL;
    }
    return status == SPAR_INVALID ? SPAR_OK : status;
}

spar_status spar__describe_read(const char *path, spar__description *d, spar_error *err)
{
    spar__buf text = {0};
    spar__matrix matrix = {0};
    spar_status status = spar__file_read(path, LARGEST_FILE, &text, err);
    const char *start = text.text ? text.text : "";
    if (!status)
        status = spar__matrix_parse(start, text.length, path, d->counts, 1e-6, &matrix, err);
    d->n = matrix.n;
    d->p = matrix.p;
    d->name = matrix.names;
    if (!status && d->counts)
        status = weigh(start, text.length, d, err);
    spar__buf_free(&text);
    return status;
}

/* For a sentence: the name, or "arm 3". */
typedef struct arm_namer {
    const spar__description *d;
    char number[32];
} arm_namer;

static const char *name_of(void *context, size_t option)
{
    arm_namer *namer = context;
    (void)snprintf(namer->number, sizeof namer->number, "arm %zu", option);
    return namer->d->name ? namer->d->name[option] : namer->number;
}

/* The name, or the number if there is none. */
static void add_option(const spar__description *d, size_t option, spar__buf *out)
{
    if (d->name && d->name[option])
        spar__buf_add_printable(out, d->name[option]);
    else
        spar__buf_printf(out, "%zu", option);
}

bool spar__describe_compared(const spar__description *d, size_t a, size_t b)
{
    double before = 0, behind = 0;
    (void)spar_decision_pair(d->decision, a, b, &before, &behind, NULL);
    return before + behind > 0;
}

bool spar__describe_voted(const spar__description *d, size_t option)
{
    uint64_t shown = 0;
    (void)spar_decision_record(d->decision, option, &shown, NULL);
    return shown > 0;
}

static void add_verdict(const spar__description *d, spar__buf *out)
{
    char text[4096];
    arm_namer namer = {.d = d};
    spar_decision_names names = {.size = sizeof names, .context = &namer, .option = name_of};
    (void)spar_decision_sentence(d->decision, &names, text, sizeof text);
    spar__buf_adds(out, "  verdict               ");
    spar__buf_add_printable(out, text);
    spar__buf_adds(out, "\n");
}

static void add_running(const spar__description *d, spar__buf *out)
{
    size_t n = spar_decision_running(d->decision), listed = 0;
    if (n < 2)
        return;
    spar__buf_adds(out, "  cannot be told apart  ");
    for (size_t i = 0; i < d->n && listed < LISTED; i++)
        if (spar_decision_in_running(d->decision, i)) {
            spar__buf_adds(out, listed++ ? ", " : "");
            add_option(d, i, out);
        }
    spar__buf_printf(out, n > LISTED ? " and %zu more\n" : "\n", n - LISTED);
}

static void add_closest(const spar__description *d, spar__buf *out)
{
    size_t a[CLOSEST], b[CLOSEST], n = spar_decision_closest(d->decision, CLOSEST, a, b);
    for (size_t i = 0; i < n; i++) {
        double before = 0, behind = 0, low = 0, high = 1;
        (void)spar_decision_pair(d->decision, a[i], b[i], &before, &behind, NULL);
        (void)spar_decision_interval(d->decision, a[i], b[i], 0, &low, &high);
        spar__buf_printf(out, "  %-20s  ", i ? "" : "closest");
        add_option(d, a[i], out);
        spar__buf_adds(out, " over ");
        add_option(d, b[i], out);
        spar__buf_printf(out, ": %.0f of %.0f, %.0f %% (%.0f to %.0f %%)\n", before, before + behind,
                         100 * before / (before + behind), 100 * low, 100 * high);
    }
}

/* Pairs without a vote, but for options that have none at all. */
static void add_unseen(const spar__description *d, spar__buf *out)
{
    size_t pairs = 0, options = 0;
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = i + 1; j < d->n; j++)
            if (spar__describe_voted(d, i) && spar__describe_voted(d, j) && !spar__describe_compared(d, i, j) &&
                pairs++ < LISTED) {
                spar__buf_adds(out, pairs == 1 ? "  never compared        " : ", ");
                add_option(d, i, out);
                spar__buf_adds(out, " and ");
                add_option(d, j, out);
            }
    if (pairs > LISTED)
        spar__buf_printf(out, " and %zu more pairs", pairs - LISTED);
    spar__buf_adds(out, pairs ? ": unknown, not a tie\n" : "");
    for (size_t i = 0; i < d->n; i++)
        if (!spar__describe_voted(d, i) && options++ < LISTED) {
            spar__buf_adds(out, options == 1 ? "  without votes         " : ", ");
            add_option(d, i, out);
        }
    if (options > LISTED)
        spar__buf_printf(out, " and %zu more", options - LISTED);
    spar__buf_adds(out, options ? "\n" : "");
}

void spar__describe_sure(const spar__description *d, spar__buf *out)
{
    if (!d->decision) {
        spar__buf_adds(out, "  unknown: the counts are not whole numbers, or too large\n");
        return;
    }
    add_verdict(d, out);
    add_running(d, out);
    add_closest(d, out);
    add_unseen(d, out);
}
