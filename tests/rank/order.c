/* The first documents of each ranker, against sorting all of them. */
#include "base/alloc.h"
#include "base/buf.h"
#include "rank/letor.h"

#include "tap.h"

#include <stdlib.h>

enum { MOST = 400 };

/* The obvious version: scores in a table, documents sorted by (score, place among ties). */
static double score[MOST];
static uint16_t place[MOST];

static int compare(const void *a, const void *b)
{
    uint16_t i = *(const uint16_t *)a, j = *(const uint16_t *)b;
    return score[i] != score[j] ? (score[i] < score[j]) - (score[i] > score[j]) : place[i] - place[j];
}

static bool right(const spar__rankers *k, const spar__letor_rows *rows, const spar__ranking *got)
{
    for (size_t i = 0; i < rows->docs; i++)
        place[got->tied[i]] = (uint16_t)i;
    for (size_t r = 0; r < got->lists; r++) {
        uint16_t order[MOST];
        memset(score, 0, sizeof score);
        for (size_t d = 0; d < rows->docs; d++)
            order[d] = (uint16_t)d;
        size_t first = k->n ? k->start[r] : 0, last = k->n ? k->start[r + 1] : 1;
        for (size_t w = first; w < last; w++) {
            uint32_t feature = k->n ? k->feature[w] : (uint32_t)r + 1;
            for (size_t e = 0; e < rows->entries; e++)
                if (rows->entry[e].feature == feature)
                    score[rows->entry[e].doc] += (k->n ? k->weight[w] : 1) * rows->entry[e].value;
        }
        qsort(order, rows->docs, sizeof *order, compare);
        if (memcmp(order, got->list + r * got->depth, got->depth * sizeof *order) != 0)
            return false;
    }
    return true;
}

typedef struct desk {
    const spar__rankers *rankers;
    size_t top, queries, lists;
    spar__letor_rows rows;
    spar__ranking ranking;
    bool good;
} desk;

static bool sink(void *context, const char *text, size_t length)
{
    desk *d = context;
    d->good = d->good && !spar__letor_parse(text, length, "f", 1, &d->rows, NULL) && d->rows.docs <= MOST &&
              !spar__rankers_rank(d->rankers, &d->rows, 7, d->top, &d->ranking) &&
              d->ranking.depth == (d->top < d->rows.docs ? d->top : d->rows.docs) &&
              right(d->rankers, &d->rows, &d->ranking);
    d->queries++;
    d->lists = d->ranking.lists;
    return d->good;
}

static void check_sorted(const spar__rankers *rankers, const char *what)
{
    static const size_t tops[] = {1, 2, 10, 37, 1000};
    for (size_t t = 0; t < sizeof tops / sizeof *tops; t++) {
        desk d = {.rankers = rankers, .top = tops[t], .good = true};
        (void)spar__generate(&(spar__generate_options){30, 60, 40, 5, t}, sink, &d, NULL);
        ok(d.good && d.queries == 30 && d.lists == (rankers->n ? rankers->n : 40), "%s: the first %zu as if sorted",
           what, tops[t]);
        spar__letor_rows_free(&d.rows);
        spar__ranking_free(&d.ranking);
    }
}

static void check_both(void)
{
    spar__rankers features = {0};
    check_sorted(&features, "features");
    size_t start[] = {0, 1, 3, 7, 8, 10};
    uint32_t feature[] = {5, 1, 2, 3, 9, 17, 30, 65535, 2, 2000};
    double weight[] = {-1, 0.5, 0.25, 1, -2, 1e3, 0.125, 1, 0, 3};
    spar__rankers sums = {.n = 5, .start = start, .feature = feature, .weight = weight};
    check_sorted(&sums, "sums");
}

/* Five documents of equal scores: is every order as likely, and the same for all rankers? */
static void check_ties(void)
{
    enum { QUERIES = 24000 };
    spar__rankers features = {0};
    spar__letor_rows rows = {0};
    spar__ranking ranking = {0};
    int count[120] = {0}, moved = 0;
    bool shared = true, again = true;
    for (int q = 0; q < QUERIES; q++) {
        char text[200];
        int length = snprintf(text, sizeof text,
                              "0 qid:%d 1:0 2:3 3:1\n1 qid:%d 2:3 3:1\n0 qid:%d 2:3 3:1\n"
                              "0 qid:%d 2:3 3:1\n0 qid:%d 2:3 3:2\n",
                              q, q, q, q, q);
        (void)spar__letor_parse(text, (size_t)length, "f", 1, &rows, NULL);
        (void)spar__rankers_rank(&features, &rows, 3, 10, &ranking);
        const uint16_t *tied = ranking.tied, *third = ranking.list + 10;
        shared = shared && ranking.lists == 3 && ranking.depth == 5 && !memcmp(tied, ranking.list, 10) &&
                 !memcmp(tied, ranking.list + 5, 10) && third[0] == 4;
        for (size_t i = 0, j = 1; i < 5 && shared; i++)
            if (tied[i] != 4)
                shared = third[j++] == tied[i];
        int code = 0; /* the number of this order */
        for (int i = 0; i < 5; i++) {
            int smaller = 0;
            for (int j = i + 1; j < 5; j++)
                smaller += tied[j] < tied[i];
            code = code * (5 - i) + smaller;
        }
        count[code]++;
        uint16_t before[5];
        memcpy(before, tied, sizeof before);
        (void)spar__rankers_rank(&features, &rows, 4, 10, &ranking);
        moved += memcmp(before, ranking.tied, sizeof before) != 0;
        (void)spar__rankers_rank(&features, &rows, 3, 10, &ranking);
        again = again && !memcmp(before, ranking.tied, sizeof before);
    }
    double chi2 = 0, mean = QUERIES / 120.0;
    for (int i = 0; i < 120; i++)
        chi2 += (count[i] - mean) * (count[i] - mean) / mean;
    ok(shared, "all rankers share one order of ties");
    ok(again, "which (seed, query) give again");
    near(chi2, 119, 5 * sqrt(2 * 119.0), "all 120 orders are as likely");
    near(moved, QUERIES * 119 / 120.0, 5 * sqrt(QUERIES * 119.0) / 120, "another seed, another order");
    spar__letor_rows_free(&rows);
    spar__ranking_free(&ranking);
}

static void check_odd(void)
{
    size_t start[] = {0, 2};
    uint32_t feature[] = {1, 2};
    double weight[] = {1e308, -1e308};
    spar__rankers sum = {.n = 1, .start = start, .feature = feature, .weight = weight};
    spar__letor_rows rows = {0};
    spar__ranking ranking = {0};
    const char *text = "0 qid:1 1:1e10 2:1e10\n0 qid:1 1:1\n0 qid:1 1:1e10\n0 qid:1 2:1e10\n";
    ok(!spar__letor_parse(text, strlen(text), "f", 1, &rows, NULL) &&
           !spar__rankers_rank(&sum, &rows, 1, 2, &ranking) && ranking.list[0] == 2 && ranking.list[1] == 1,
       "sums may be infinite; one that is no number is the least");
    for (size_t k = 1; k <= 7; k++) {
        spar__ranking fresh = {0};
        spar__alloc_fail_at(k);
        ok(spar__rankers_rank(&sum, &rows, 1, 2, &fresh) == SPAR_NOMEM, "allocation %zu fails", k);
        spar__alloc_fail_at(0);
        ok(!spar__rankers_rank(&sum, &rows, 1, 2, &fresh) && fresh.list[0] == 2, "and the next try succeeds");
        spar__ranking_free(&fresh);
    }
    spar__letor_rows_free(&rows);
    spar__ranking_free(&ranking);
}

int main(void)
{
    check_both();
    check_ties();
    check_odd();
    return done();
}
