#include "rank/comparison.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "rank/desk.h"
#include "rank/lab.h"

enum { QUERIES = 60, RANKERS = 6, TOP = 10, DOCS = 25 };

/* Ranker 0 sorts by grade, 1 the other way round, 2 and 3 are the same, the others are random. */
typedef struct data {
    size_t docs[QUERIES];
    uint8_t grade[QUERIES][DOCS];
    uint16_t first[QUERIES][RANKERS * TOP];
} data;

static size_t depth_of(const data *d, size_t q)
{
    return d->docs[q] < TOP ? d->docs[q] : TOP;
}

static void fill(data *d)
{
    spar_rng rng = desk_rng(51);
    for (size_t q = 0; q < QUERIES; q++) {
        size_t docs = d->docs[q] = 1 + (size_t)spar_rng_below(&rng, DOCS), depth = docs < TOP ? docs : TOP;
        for (size_t k = 0; k < docs; k++)
            d->grade[q][k] = (uint8_t)spar_rng_below(&rng, 3);
        for (size_t i = 0; i < RANKERS; i++) {
            size_t order[DOCS], n = 0;
            uint16_t *first = d->first[q] + i * depth;
            for (size_t k = 0; k < docs; k++)
                order[k] = k;
            spar_rng_shuffle(&rng, order, docs);
            for (unsigned g = 0; g < 3; g++)
                for (size_t k = 0; i < 2 && k < docs; k++)
                    if (d->grade[q][order[k]] == (i ? g : 2 - g) && n < depth)
                        first[n++] = (uint16_t)order[k];
            for (size_t k = 0; i >= 2 && k < depth; k++)
                first[k] = i == 3 ? first[k - depth] : (uint16_t)order[k];
        }
    }
}

/* As text: feature i falls along the list of ranker i. */
static void write_data(const data *d)
{
    spar__buf text = {0};
    for (size_t q = 0; q < QUERIES; q++)
        for (size_t doc = 0; doc < d->docs[q]; doc++) {
            size_t depth = depth_of(d, q);
            spar__buf_printf(&text, "%u qid:%zu", d->grade[q][doc], q + 1);
            for (size_t i = 0; i < RANKERS; i++) {
                size_t r = 0;
                while (r < depth && d->first[q][i * depth + r] != doc)
                    r++;
                spar__buf_printf(&text, " %zu:%zu", i + 1, depth - r);
            }
            spar__buf_adds(&text, "\n");
        }
    lab_text("data", text.text);
    spar__buf_free(&text);
}

static spar__interleaving open_lists(const char *mix, const char *click)
{
    spar__interleaving lists;
    const char *path = lab_path("data");
    spar_error err = {0};
    spar__queries_options options = {.path = &path, .paths = 1, .cache = "", .top = TOP, .seed = 1, .threads = 1};
    if (spar__interleaving_open(mix, click, &options, &lists, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    return lists;
}

typedef struct result {
    double p[RANKERS * RANKERS], se[RANKERS * RANKERS], draw[RANKERS * RANKERS];
} result;

static result read_tally(const spar__tally *t)
{
    result r;
    memset(&r, 0, sizeof r);
    spar__tally_read(t, r.p, r.se, r.draw);
    return r;
}

static result run(const spar__comparison *way, size_t threads)
{
    spar__tally *t;
    spar__comparison how = *way;
    how.threads = threads;
    (void)spar__tally_new(RANKERS, &t);
    ok(spar__tally_add(t, &how, 0, QUERIES, NULL) == SPAR_OK && t->queries == QUERIES, "%zu threads", threads);
    result r = read_tally(t);
    spar__tally_free(t);
    return r;
}

static bool same(const result *x, const result *y)
{
    return memcmp(x, y, sizeof *x) == 0;
}

static void check_plainly(const data *d, const spar__click *click, const result *r)
{
    spar__exact *x;
    (void)spar__exact_new(click, TOP, &x);
    double worst_p = 0, worst_se = 0, worst_sum = 0;
    for (size_t i = 0; i < RANKERS; i++)
        for (size_t j = 0; j < RANKERS; j++) {
            double p[QUERIES], mean = 0, spread = 0;
            for (size_t q = 0; q < QUERIES; q++) {
                size_t depth = depth_of(d, q);
                spar__exact_query(x, d->grade[q], depth);
                spar__exact_first(x, d->first[q] + i * depth);
                p[q] = spar__duel_odds_p(spar__exact_second(x, d->first[q] + j * depth));
                mean += p[q] / QUERIES;
            }
            for (size_t q = 0; q < QUERIES; q++)
                spread += (p[q] - mean) * (p[q] - mean);
            worst_p = fmax(worst_p, fabs(mean - r->p[i * RANKERS + j]));
            worst_se = fmax(worst_se, fabs(sqrt(spread / (QUERIES - 1.) / QUERIES) - r->se[i * RANKERS + j]));
            worst_sum = fmax(worst_sum, fabs(r->p[i * RANKERS + j] + r->p[j * RANKERS + i] - 1));
        }
    ok(worst_p < 1e-12, "means over the queries (%.1e)", worst_p);
    ok(worst_se < 1e-7, "and their standard errors (%.1e)", worst_se);
    ok(worst_sum < 1e-15, "both sides of a pair make 1 (%.1e)", worst_sum);
    spar__exact_free(x);
}

static void check_known(const result *r)
{
    bool best = true, worst = true;
    for (size_t j = 2; j < RANKERS; j++) {
        best = best && r->p[j] > 0.5 + 3 * r->se[j];
        worst = worst && r->p[RANKERS + j] < 0.5 - 3 * r->se[RANKERS + j];
    }
    ok(best && r->p[1] > r->p[2], "the ranker that sorts by grade beats all others");
    ok(worst, "and the one that does the opposite loses");
    ok(r->p[2 * RANKERS + 3] == 0.5 && r->se[2 * RANKERS + 3] == 0 && r->p[2 * RANKERS + 4] == r->p[3 * RANKERS + 4],
       "two rankers with the same lists are the same");
    ok(r->p[0] == 0.5 && r->p[RANKERS * RANKERS - 1] == 0.5, "a ranker against itself");
}

/* Blocks in any order, with saving and loading in between. */
static void check_blocks(const spar__comparison *way, const result *whole)
{
    spar__comparison one = *way, two = *way;
    one.threads = 1;
    two.threads = 2;
    spar__tally *t, *loaded, *other;
    (void)spar__tally_new(RANKERS, &t);
    (void)spar__tally_new(RANKERS, &loaded);
    (void)spar__tally_new(RANKERS + 1, &other);
    (void)spar__tally_add(t, &two, 37, QUERIES, NULL);
    (void)spar__tally_add(t, &two, 37, 37, NULL);
    (void)spar__tally_add(t, &one, 0, 10, NULL);
    spar__archive save = {0};
    spar__tally_archive(t, &save);
    spar__archive load = {.loading = true, .in = (const unsigned char *)save.out.text, .left = save.out.length};
    spar__tally_archive(loaded, &load);
    ok(!save.failed && !load.failed && load.left == 0 && loaded->queries == 33, "saved and loaded");
    (void)spar__tally_add(loaded, &two, 10, 37, NULL);
    result r = read_tally(loaded);
    ok(same(&r, whole), "blocks of queries give the same bytes");
    load = (spar__archive){.loading = true, .in = (const unsigned char *)save.out.text, .left = save.out.length};
    spar__tally_archive(other, &load);
    ok(load.failed, "a tally of other rankers is refused");
    load = (spar__archive){.loading = true, .in = (const unsigned char *)save.out.text, .left = save.out.length - 1};
    spar__tally_archive(loaded, &load);
    ok(load.failed, "and one that is cut off");
    spar__buf_free(&save.out);
    spar__tally_free(t);
    spar__tally_free(loaded);
    spar__tally_free(other);
}

static void check_draws(const result *exact)
{
    spar__interleaving lists = open_lists("team_draft", "navigational");
    spar__comparison how = {.of = &lists, .draws = 200, .seed = 7};
    result r = run(&how, 1), two = run(&how, 3);
    double worst = 0;
    bool stated = true;
    for (size_t i = 0; i < RANKERS * RANKERS; i++) {
        if (i % (RANKERS + 1) == 0)
            continue;
        worst = fmax(worst, fabs(r.p[i] - exact->p[i]) / r.draw[i]);
        stated = stated && r.draw[i] > 0 && r.draw[i] < 0.5 / sqrt(200. * QUERIES);
    }
    ok(same(&r, &two), "drawn on three threads: the same bytes");
    ok(worst < 5 && stated, "by draws, within the error that is stated (%.2f sd)", worst);
    how.seed = 8;
    two = run(&how, 1);
    ok(!same(&r, &two), "another seed, other draws");
    how.draws = 3;
    spar__interleaving_close(&lists);
    lists = open_lists("optimised", "navigational");
    r = run(&how, 2);
    ok(r.p[1] > 0.6, "another way to mix");
    spar__interleaving_close(&lists);
}

static bool always(void)
{
    return true;
}

/* Stops at the 100th question. */
static bool later(void)
{
    static int asked;
    return ++asked > 100;
}

static void check_stop(const spar__interleaving *lists)
{
    spar__comparison ways[] = {{lists, 0, 1, 1, always}, {lists, 1000000000, 1, 1, later}, {lists, 9, 1, 2, always}};
    for (size_t w = 0; w < 3; w++) {
        spar__tally *t;
        (void)spar__tally_new(RANKERS, &t);
        ok(spar__tally_add(t, &ways[w], 0, QUERIES, NULL) == SPAR_INTERRUPTED && t->queries == 0 && t->sum[0] == 0,
           "stopped, and the tally as it was");
        spar__tally_free(t);
    }
}

static void check_failures(void)
{
    spar__tally *t;
    spar_error err;
    spar__interleaving lists = open_lists("probabilistic", "perfect");
    check_stop(&lists);
    spar__comparison ways[] = {{&lists, 0, 0, 1, NULL}, {&lists, 2, 0, 1, NULL}};
    for (size_t w = 0; w < 2; w++) {
        size_t failed = 0;
        (void)spar__tally_new(RANKERS, &t);
        for (size_t k = 1;; k++) {
            spar__alloc_fail_at(k);
            spar_status status = spar__tally_add(t, &ways[w], 0, 1, &err);
            spar__alloc_fail_at(0);
            if (!status)
                break;
            bool clean = t->queries == 0;
            for (size_t pair = 0; pair < t->pairs; pair++)
                clean = clean && t->sum[pair] == 0 && t->square[pair] == 0;
            failed += status == SPAR_NOMEM && clean;
        }
        ok(failed > 8, "each of %zu allocations may fail and leaves the tally as it was", failed);
        spar__tally_free(t);
    }
    for (size_t k = 1; k <= 4; k++) {
        spar__alloc_fail_at(k);
        ok(spar__tally_new(3, &t) == SPAR_NOMEM && !t, "no tally without allocation %zu", k);
    }
    spar__alloc_fail_at(0);
    (void)spar__tally_new(RANKERS + 1, &t);
    ok(spar__tally_add(t, &ways[0], 0, 1, &err) == SPAR_INVALID, "a tally of other rankers");
    spar__tally_free(t);
    (void)spar__tally_new(RANKERS, &t);
    ok(spar__tally_add(t, &ways[0], 2, 1, &err) == SPAR_INVALID, "queries the wrong way round");
    ok(spar__tally_add(t, &ways[0], 0, SPAR__TALLY_QUERIES + 1, &err) == SPAR_UNSUPPORTED, "too many");
    spar__click_free(lists.click);
    (void)spar__click_new("perfect", 3, TOP - 1, &lists.click, NULL);
    ok(spar__tally_add(t, &ways[0], 0, 1, &err) == SPAR_INVALID, "lists longer than the click model's");
    result r = read_tally(t);
    ok(r.p[1] == 0.5 && r.se[1] == 0, "no queries: nothing is known");
    spar__tally_free(t);
    spar__interleaving_close(&lists);
}

int main(void)
{
    static data d;
    fill(&d);
    lab_open();
    write_data(&d);
    static const char *const models[] = {"perfect", "navigational", "position"};
    for (size_t m = 0; m < 3; m++) {
        spar__interleaving lists = open_lists("team_draft", models[m]);
        spar__comparison how = {.of = &lists};
        result one = run(&how, 1), two = run(&how, 2), three = run(&how, 3);
        ok(same(&one, &two) && same(&one, &three), "%s: any number of threads, the same bytes", models[m]);
        check_plainly(&d, lists.click, &one);
        check_known(&one);
        check_blocks(&how, &one);
        if (m == 1)
            check_draws(&one);
        if (m == 0)
            check_failures();
        spar__interleaving_close(&lists);
    }
    lab_close();
    return done();
}
