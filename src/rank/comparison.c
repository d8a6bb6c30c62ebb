#include "rank/comparison.h"

#include "base/clock.h"
#include "base/pool.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double BLOCK = 0.2;     /* seconds between two calls of progress */
static const double SAVE_EVERY = 1;  /* seconds of work that may be lost, */
static const double SAVE_SHARE = 20; /* or this many times what saving takes */

/* The work so far. */
typedef struct comparing {
    const spar__comparison_options *options;
    spar__tally *tally;
    uint64_t data;      /* hash of the queries */
    size_t block;       /* queries to compare at once */
    double saved, cost; /* when the file was last written, and how long that took; in seconds */
    bool kept, told;    /* the file has the tally; a note said that it cannot be written */
} comparing;

void spar__comparison_note(const spar__comparison_options *options, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (options->note)
        options->note(options->context, text);
}

double spar__comparison_memory(size_t rankers, size_t threads)
{
    double n = (double)rankers, tallies = (double)spar__pool_workers(threads, SIZE_MAX) + 1;
    return 1e-9 * n * n * (12 * tallies + 24);
}

static double now(void)
{
    return 1e-9 * spar__clock_wall();
}

/* The next block of queries; the size of the next one follows from the time that this one took. */
static spar_status step(comparing *c, spar_error *err)
{
    const spar__comparison *how = &c->options->how;
    size_t from = (size_t)c->tally->queries, left = spar__queries_count(how->of->queries) - from;
    double start = now();
    spar_status status = spar__tally_add(c->tally, how, from, from + (c->block < left ? c->block : left), err);
    double spent = now() - start;
    c->kept = false;
    if (spent < BLOCK / 2)
        c->block *= 2;
    else if (spent > 2 * BLOCK && c->block > spar__pool_workers(how->threads, SIZE_MAX))
        c->block /= 2;
    return status;
}

static spar_status save(comparing *c, spar_error *err)
{
    const spar__comparison_options *o = c->options;
    spar_error trouble = {0};
    double start = now();
    spar_status status = spar__state_save(o, c->data, c->tally, &trouble);
    c->saved = now();
    c->cost = c->saved - start;
    c->kept = !status;
    if (status == SPAR_NOMEM || (status && o->must_keep))
        return spar__fail(err, status, "%s", trouble.text);
    if (status && !c->told)
        spar__comparison_note(o, "what is done is not kept: %s", trouble.text);
    c->told = c->told || status;
    return SPAR_OK;
}

static spar_status run(comparing *c, spar_error *err)
{
    const spar__comparison_options *o = c->options;
    uint64_t n = spar__queries_count(o->how.of->queries), first = c->tally->queries;
    spar_status status = SPAR_OK;
    c->saved = now();
    while (!status && c->tally->queries < n &&
           (!o->progress || o->progress(o->context, c->tally->queries - first, n - first))) {
        status = step(c, err);
        if (!status && o->file && now() - c->saved > fmax(SAVE_EVERY, SAVE_SHARE * c->cost))
            status = save(c, err);
    }
    if (status == SPAR_INTERRUPTED)
        status = SPAR_OK;
    return !status && o->file && !c->kept && c->tally->queries > first ? save(c, err) : status;
}

spar_status spar__comparison_run(const spar__comparison_options *options, spar__tally **out, spar_error *err)
{
    const spar__queries *queries = options->how.of->queries;
    comparing c = {.options = options, .block = spar__pool_workers(options->how.threads, SIZE_MAX)};
    spar_status status = SPAR_OK;
    *out = NULL;
    if (spar__tally_new(spar__queries_rankers(queries), &c.tally))
        return spar__fail_memory(err);
    if (options->file) {
        c.data = spar__state_hash(queries);
        status = spar__state_load(options, c.data, c.tally, err);
        c.kept = c.tally->queries > 0;
    }
    if (!status)
        status = run(&c, err);
    if (status)
        spar__tally_free(c.tally);
    else
        *out = c.tally;
    return status;
}
