/* comparison.c - all pairs of rankers compared on all queries: by lists that are mixed and clicked, exactly (exact.c)
 * or by draws.
 *
 * A tally is sums over queries, whole numbers in units of 2^-42, so that any order, any blocks, any number of threads
 * and a run that was interrupted and resumed give the same bytes. A comparison adds blocks of queries to a tally and
 * keeps it in a file every second or so. The cost is that of queries x pairs x (draws, or one exact computation). */
#include "rank/comparison.h"

#include "base/alloc.h"
#include "base/archive.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/pool.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- what is compared --- */

spar_status spar__interleaving_open(const char *mix, const char *click, const spar__queries_options *data,
                                    spar__interleaving *out, spar_error *err)
{
    *out = (spar__interleaving){0};
    spar_status status = spar__mixer_new(mix, &out->mixer, err);
    if (!status) { /* a wrong one is refused before the data are read */
        spar__click *any = NULL;
        status = spar__click_new(click, 1, data->top, &any, err);
        spar__click_free(any);
    }
    if (!status)
        status = spar__queries_open(data, &out->queries, err);
    if (!status)
        status = spar__click_new(click, spar__queries_grades(out->queries), spar__queries_top(out->queries),
                                 &out->click, err);
    if (status)
        spar__interleaving_close(out);
    return status;
}

void spar__interleaving_close(spar__interleaving *interleaving)
{
    spar__click_free(interleaving->click);
    spar__queries_free(interleaving->queries);
    *interleaving = (spar__interleaving){0};
}

/* --- one query by draws --- */

struct spar__trials {
    const spar__mixer *mixer;
    const spar__click *click;
    bool (*stop)(void);
    spar_mix *mix;
    uint8_t *grade; /* of the places; as many as the click model has */
    bool *clicked;
};

spar_status spar__trials_new(const spar__mixer *mixer, const spar__click *click, bool (*stop)(void), spar__trials **out)
{
    *out = NULL;
    spar__trials *s = spar__alloc(1, sizeof *s);
    if (!s)
        return SPAR_NOMEM;
    s->mixer = mixer;
    s->click = click;
    s->stop = stop;
    s->grade = spar__alloc(click->top, sizeof *s->grade);
    s->clicked = spar__alloc(click->top, sizeof *s->clicked);
    if (!s->grade || !s->clicked || spar_mix_new(&s->mix)) {
        spar__trials_free(s);
        return SPAR_NOMEM;
    }
    *out = s;
    return SPAR_OK;
}

void spar__trials_free(spar__trials *s)
{
    if (!s)
        return;
    spar_mix_free(s->mix);
    spar__free(s->grade);
    spar__free(s->clicked);
    spar__free(s);
}

spar_status spar__trials_duel(spar__trials *s, const uint8_t *grade, size_t depth, const uint64_t *first,
                              const uint64_t *second, size_t draws, spar_rng *rng, spar__trial_mean *out)
{
    *out = (spar__trial_mean){.p = 0.5};
    if (!depth || !draws)
        return SPAR_OK;
    spar__mixing mixing;
    spar_status status = spar__mixing_start(s->mixer, 2, (const uint64_t *const[]){first, second},
                                            (const size_t[]){depth, depth}, depth, rng, &mixing, NULL);
    if (status)
        return status;
    uint64_t sum = 0, squares = 0;
    for (size_t n = 0; n < draws && !status; n++) {
        bool stopped = n % 16 == 0 && s->stop && s->stop();
        status = stopped ? SPAR_INTERRUPTED : spar__mixing_draw(&mixing, rng, s->mix);
        if (status)
            break;
        for (size_t place = 0; place < s->mix->shown; place++)
            s->grade[place] = grade[s->mix->doc[place]];
        spar__click_draw(s->click, s->mix->shown, s->grade, rng, s->clicked);
        spar_outcome answer = spar__mix_compare(s->mix, s->clicked, 0, 1);
        uint64_t points = answer == SPAR_WIN ? 2 : answer != SPAR_LOSS; /* twice what the first list gets */
        sum += points;
        squares += points * points;
    }
    spar__mixing_end(&mixing);
    if (status)
        return status;
    double n = (double)draws, mean = (double)sum / n;
    out->p = mean / 2;
    if (draws > 1)
        out->variance = ((double)squares - (double)sum * mean) / (4 * n * (n - 1));
    return SPAR_OK;
}

/* --- the tally --- */

static const double unit = 0x1p42;
#define PURPOSE UINT64_C(0x72616e6b)

spar_status spar__tally_new(size_t rankers, spar__tally **out)
{
    *out = NULL;
    spar__tally *t = spar__alloc(1, sizeof *t);
    if (!t)
        return SPAR_NOMEM;
    t->rankers = rankers;
    t->pairs = rankers ? rankers * (rankers - 1) / 2 : 0;
    t->sum = spar__alloc(t->pairs, sizeof *t->sum);
    t->square = spar__alloc(t->pairs, sizeof *t->square);
    t->noise = spar__alloc(t->pairs, sizeof *t->noise);
    if (!t->sum || !t->square || !t->noise) {
        spar__tally_free(t);
        return SPAR_NOMEM;
    }
    *out = t;
    return SPAR_OK;
}

void spar__tally_free(spar__tally *t)
{
    if (!t)
        return;
    spar__free(t->sum);
    spar__free(t->square);
    spar__free(t->noise);
    spar__free(t);
}

void spar__tally_clear(spar__tally *t)
{
    t->queries = 0;
    memset(t->sum, 0, t->pairs * sizeof *t->sum);
    memset(t->square, 0, t->pairs * sizeof *t->square);
    memset(t->noise, 0, t->pairs * sizeof *t->noise);
}

/* Can that many queries have made these sums? Of a query |x| <= 1/2, and the variance of a mean of draws is <= 1/4. */
static bool is_sound(const spar__tally *t)
{
    double most = (double)t->queries * unit;
    bool good = t->queries <= SPAR__TALLY_QUERIES;
    for (size_t pair = 0; pair < t->pairs; pair++)
        good &= fabs((double)(int64_t)t->sum[pair]) <= most / 2 && (double)t->square[pair] <= most / 4 &&
                (double)t->noise[pair] <= most / 4;
    return good;
}

void spar__tally_archive(spar__tally *t, spar__archive *ar)
{
    size_t rankers = t->rankers;
    spar__archive_size(ar, &rankers);
    spar__archive_check(ar, rankers == t->rankers);
    spar__archive_u64(ar, &t->queries);
    uint64_t *const sums[] = {t->sum, t->square, t->noise};
    for (size_t s = 0; s < 3; s++)
        for (size_t pair = 0; pair < t->pairs && !ar->failed; pair++)
            spar__archive_u64(ar, &sums[s][pair]);
    if (ar->loading && !ar->failed)
        spar__archive_check(ar, is_sound(t));
}

static void put(spar__tally *t, size_t pair, double p, double variance)
{
    double x = p - 0.5;
    t->sum[pair] += (uint64_t)(int64_t)rint(x * unit);
    t->square[pair] += (uint64_t)rint(x * x * unit);
    t->noise[pair] += (uint64_t)rint(variance * unit);
}

/* What each worker has of its own. */
typedef struct tally_worker {
    spar__tally *tally;
    spar__exact *exact;
    spar__trials *trials;
    uint64_t *lists; /* rankers x top: the lists of a query as the trials take them */
    spar_status status;
} tally_worker;

typedef struct tally_job {
    const spar__comparison *how;
    size_t from;
    tally_worker *workers;
} tally_job;

static spar_status compare_exactly(tally_worker *w, const spar__comparison *how, const spar__query *query)
{
    size_t pair = 0;
    bool stopped = false;
    spar__exact_query(w->exact, query->grade, query->depth);
    for (size_t j = 1; j < w->tally->rankers && !stopped; j++) {
        spar__exact_first(w->exact, query->first + j * query->depth);
        for (size_t i = 0; i < j && !stopped; i++, pair++) {
            spar__duel_odds odds = spar__exact_second(w->exact, query->first + i * query->depth);
            put(w->tally, pair, 1 - spar__duel_odds_p(odds), 0);
            stopped = pair % 64 == 0 && how->stop && how->stop();
        }
    }
    spar__exact_query(w->exact, NULL, 0); /* the lists are not ours to keep */
    return stopped ? SPAR_INTERRUPTED : SPAR_OK;
}

/* Each pair of each query has a stream of its own. */
static spar_status compare_by_draws(tally_worker *w, const spar__comparison *how, const spar__query *query,
                                    size_t number)
{
    size_t pair = 0, depth = query->depth;
    for (size_t k = 0; k < w->tally->rankers * depth; k++)
        w->lists[k] = query->first[k];
    for (size_t j = 1; j < w->tally->rankers; j++)
        for (size_t i = 0; i < j; i++, pair++) {
            spar_rng rng;
            spar__trial_mean s;
            spar_rng_seed(&rng, how->seed, number, PURPOSE << 32 | pair);
            spar_status status = spar__trials_duel(w->trials, query->grade, depth, w->lists + i * depth,
                                                   w->lists + j * depth, how->draws, &rng, &s);
            if (status)
                return status;
            put(w->tally, pair, s.p, s.variance);
        }
    return SPAR_OK;
}

static void run_query(void *context, size_t index, size_t number)
{
    const tally_job *job = context;
    tally_worker *w = &job->workers[number];
    if (w->status)
        return;
    size_t q = job->from + index;
    spar__query query = spar__queries_get(job->how->of->queries, q);
    w->status = job->how->draws ? compare_by_draws(w, job->how, &query, q) : compare_exactly(w, job->how, &query);
}

static spar_status worker_open(tally_worker *w, size_t rankers, const spar__comparison *how)
{
    size_t top = spar__queries_top(how->of->queries);
    spar_status status = spar__tally_new(rankers, &w->tally);
    if (status)
        return status;
    if (!how->draws)
        return spar__exact_new(how->of->click, top, &w->exact);
    w->lists = spar__alloc(rankers, top * sizeof *w->lists);
    return w->lists ? spar__trials_new(&how->of->mixer, how->of->click, how->stop, &w->trials) : SPAR_NOMEM;
}

void spar__tally_join(spar__tally *to, const spar__tally *from)
{
    to->queries += from->queries;
    for (size_t pair = 0; pair < to->pairs; pair++) {
        to->sum[pair] += from->sum[pair];
        to->square[pair] += from->square[pair];
        to->noise[pair] += from->noise[pair];
    }
}

spar_status spar__tally_add(spar__tally *tally, const spar__comparison *how, size_t from, size_t to, spar_error *err)
{
    const spar__queries *queries = how->of->queries;
    if (tally->rankers != spar__queries_rankers(queries) || from > to ||
        how->of->click->top < spar__queries_top(queries))
        return spar__fail(err, SPAR_INVALID, "the tally, the click model and the queries do not belong together");
    size_t n = to - from;
    if (n > SPAR__TALLY_QUERIES - tally->queries)
        return spar__fail(err, SPAR_UNSUPPORTED, "more than %d queries", SPAR__TALLY_QUERIES);
    size_t n_workers = spar__pool_workers(how->threads, n);
    tally_job job = {how, from, spar__alloc(n_workers, sizeof(tally_worker))};
    spar_status status = job.workers ? SPAR_OK : SPAR_NOMEM;
    for (size_t w = 0; !status && w < n_workers; w++)
        status = worker_open(&job.workers[w], tally->rankers, how);
    if (!status)
        spar__pool_run(how->threads, n, run_query, &job);
    for (size_t w = 0; !status && w < n_workers; w++)
        status = job.workers[w].status;
    for (size_t w = 0; !status && w < n_workers; w++)
        spar__tally_join(tally, job.workers[w].tally);
    for (size_t w = 0; job.workers && w < n_workers; w++) {
        spar__tally_free(job.workers[w].tally);
        spar__exact_free(job.workers[w].exact);
        spar__trials_free(job.workers[w].trials);
        spar__free(job.workers[w].lists);
    }
    spar__free(job.workers);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : spar__fail(err, status, "interrupted");
    tally->queries += n;
    return SPAR_OK;
}

static void set_pair(double *matrix, size_t n, size_t i, size_t j, double ij, double ji)
{
    if (!matrix)
        return;
    matrix[i * n + j] = ij;
    matrix[j * n + i] = ji;
}

void spar__tally_read(const spar__tally *t, double *p, double *query_se, double *draw_se)
{
    size_t n = t->rankers, pair = 0;
    double q = (double)t->queries;
    for (size_t j = 0; j < n; j++) {
        set_pair(p, n, j, j, 0.5, 0.5);
        set_pair(query_se, n, j, j, 0, 0);
        set_pair(draw_se, n, j, j, 0, 0);
        for (size_t i = 0; i < j; i++, pair++) {
            double sum = (double)(int64_t)t->sum[pair] / unit, square = (double)t->square[pair] / unit;
            double mean = q > 0 ? sum / q : 0, spread = fmax(square - sum * mean, 0);
            double by_query = q > 1 ? sqrt(spread / (q * (q - 1))) : 0;
            double by_draw = q > 0 ? sqrt((double)t->noise[pair] / unit) / q : 0;
            set_pair(p, n, i, j, 0.5 + mean, 1 - (0.5 + mean));
            set_pair(query_se, n, i, j, by_query, by_query);
            set_pair(draw_se, n, i, j, by_draw, by_draw);
        }
    }
}

/* --- the file: a frame with one section, how it was made and the tally --- */

static const spar__frame_kind kind = {
    .name = "comparison of rankers", .tag = "rcmp", .version = 1, .section = {{"body", 0}}};

static void comparison_note(const spar__comparison_options *options, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (options->note)
        options->note(options->context, text);
}

/* All that the tally depends on. */
typedef struct state_identity {
    char *click, *mix;
    uint64_t draws, seed, data;
} state_identity;

/* Of the queries as they are compared: grades, rankers, top and the order of ties are in it. */
uint64_t spar__state_hash(const spar__queries *queries)
{
    spar__hash hash = spar__hash_start();
    size_t rankers = spar__queries_rankers(queries);
    for (size_t i = 0; i < spar__queries_count(queries); i++) {
        spar__query q = spar__queries_get(queries, i);
        const uint64_t head[] = {q.id, q.docs, q.depth, rankers};
        spar__hash_add(&hash, head, sizeof head);
        spar__hash_add(&hash, q.grade, q.docs);
        spar__hash_add(&hash, q.first, rankers * q.depth * sizeof *q.first);
    }
    return spar__hash_end(&hash);
}

/* Saving only reads: see archive.h. */
static state_identity identify(const spar__comparison_options *o, uint64_t data)
{
    return (state_identity){(char *)(uintptr_t)o->click, (char *)(uintptr_t)o->mix, o->how.draws, o->how.seed, data};
}

static void archive_head(spar__archive *ar, state_identity *id)
{
    spar__archive_text(ar, &id->click);
    spar__archive_text(ar, &id->mix);
    spar__archive_check(ar, id->click && id->mix);
    spar__archive_u64(ar, &id->draws);
    spar__archive_u64(ar, &id->seed);
    spar__archive_u64(ar, &id->data);
}

spar_status spar__state_save(const spar__comparison_options *o, uint64_t data, spar__tally *tally, spar_error *err)
{
    spar__archive ar = {.loading = false};
    state_identity id = identify(o, data);
    unsigned char *bytes = NULL;
    size_t length = 0;
    archive_head(&ar, &id);
    spar__tally_archive(tally, &ar);
    spar_status status = spar__saved_write(&kind, &ar, &bytes, &length)
                             ? spar__fail_memory(err)
                             : spar__file_write(o->file, (const char *)bytes, length, err);
    spar__free(bytes);
    return status;
}

/* Fails if something has changed, with what it was. */
static spar_status compare(const state_identity *then, const state_identity *now, spar_error *why)
{
    if (strcmp(then->click, now->click) != 0)
        return spar__fail(why, SPAR_INVALID, "it was made with click %.80s, not %.80s", then->click, now->click);
    if (strcmp(then->mix, now->mix) != 0)
        return spar__fail(why, SPAR_INVALID, "it was made with mix %.80s, not %.80s", then->mix, now->mix);
    if (then->draws != now->draws)
        return spar__fail(why, SPAR_INVALID, "it was made with %" PRIu64 " draws, not %" PRIu64 " (0 is exact)",
                          then->draws, now->draws);
    if (then->seed != now->seed)
        return spar__fail(why, SPAR_INVALID, "it was made with seed %" PRIu64 ", not %" PRIu64, then->seed, now->seed);
    if (then->data != now->data)
        return spar__fail(why, SPAR_INVALID, "it was made from other data, rankers or top");
    return SPAR_OK;
}

static spar_status take(const spar__comparison_options *o, uint64_t data, const spar__buf *text, spar__tally *tally,
                        spar_error *why)
{
    spar__frame frame;
    spar_status status = spar__frame_read(&kind, text->text ? text->text : "", text->length, &frame, why);
    if (status)
        return status;
    spar__archive ar = {.loading = true, .in = frame.section[0].bytes, .left = frame.section[0].length};
    state_identity then = {0}, now = identify(o, data);
    archive_head(&ar, &then);
    if (!ar.failed)
        status = compare(&then, &now, why);
    if (!ar.failed && !status) {
        spar__tally_archive(tally, &ar);
        spar__archive_check(&ar, ar.left == 0 && tally->queries <= spar__queries_count(o->how.of->queries));
    }
    if (ar.failed)
        status = ar.no_memory ? spar__fail_memory(why) : spar__fail(why, SPAR_CORRUPT, "it is damaged");
    spar__free(then.click);
    spar__free(then.mix);
    return status;
}

spar_status spar__state_load(const spar__comparison_options *o, uint64_t data, spar__tally *tally, spar_error *err)
{
    spar__buf text = {0};
    spar_error why = {0};
    size_t count = spar__queries_count(o->how.of->queries);
    if (access(o->file, F_OK) != 0)
        return SPAR_OK;
    spar_status status = spar__file_read(o->file, 0, &text, &why);
    if (!status)
        status = take(o, data, &text, tally, &why);
    spar__buf_free(&text);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (status) {
        spar__tally_clear(tally);
        comparison_note(o, "%s: started over: %s", o->file, why.text);
    } else if (tally->queries < count) {
        comparison_note(o, "%s: continues after %" PRIu64 " of %zu queries", o->file, tally->queries, count);
    }
    return SPAR_OK;
}

/* --- block by block --- */

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

double spar__comparison_memory(size_t rankers, size_t threads)
{
    double n = (double)rankers, tallies = (double)spar__pool_workers(threads, SIZE_MAX) + 1;
    return 1e-9 * n * n * (12 * tallies + 24);
}

static double now(void)
{
    return 1e-9 * spar__clock_wall();
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
        comparison_note(o, "what is done is not kept: %s", trouble.text);
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
        /* The next block of queries; the size of the next one follows from the time that this one took. */
        size_t from = (size_t)c->tally->queries, left = (size_t)n - from;
        double start = now();
        status = spar__tally_add(c->tally, &o->how, from, from + (c->block < left ? c->block : left), err);
        double spent = now() - start;
        c->kept = false;
        if (spent < BLOCK / 2)
            c->block *= 2;
        else if (spent > 2 * BLOCK && c->block > spar__pool_workers(o->how.threads, SIZE_MAX))
            c->block /= 2;
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
