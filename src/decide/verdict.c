/* What a decision says, in numbers. */
#include "decide/decide.h"

#include "base/error.h"
#include "num/elementary.h"
#include "prefer/evidence.h"

#include <math.h>

enum { FEWEST_ANSWERS = 10 };

const char *spar_verdict_name(spar_verdict verdict)
{
    static const char *const name[] = {"none", "early", "best", "equal", "practical", "no_scale", "open"};
    return (size_t)verdict < sizeof name / sizeof *name ? name[verdict] : "unknown";
}

bool spar__all_out(const spar__evidence *ev)
{
    return ev->live > 0 && spar__evidence_running_count(ev) == 0;
}

spar_verdict spar__evidence_verdict(const spar__evidence *ev, uint64_t answers, size_t *option)
{
    *option = SPAR_NO_OPTION;
    if (answers < FEWEST_ANSWERS)
        return answers == 0 ? SPAR_VERDICT_NONE : SPAR_VERDICT_EARLY;
    if ((*option = spar__evidence_best(ev)) != SPAR_NO_OPTION)
        return SPAR_VERDICT_BEST;
    if (spar__evidence_equal(ev))
        return SPAR_VERDICT_EQUAL;
    if ((*option = spar__evidence_practical(ev)) != SPAR_NO_OPTION)
        return SPAR_VERDICT_PRACTICAL;
    return spar__all_out(ev) ? SPAR_VERDICT_NO_SCALE : SPAR_VERDICT_OPEN;
}

spar_verdict spar_decision_verdict(const spar_decision *d)
{
    if (!d)
        return SPAR_VERDICT_NONE;
    size_t option;
    return spar__evidence_verdict(&d->evidence, d->answers, &option);
}

/* The largest share of wins among those in the running; of several the first, and *alone is false. */
static size_t leading_option(const spar__evidence *ev, bool *alone)
{
    size_t best = SPAR_NO_OPTION;
    double best_share = 0;
    for (size_t i = 0; i < ev->n; i++) {
        const spar__option_evidence *o = &ev->option[i];
        double share = (o->won + 1) / (o->won + o->lost + 2);
        if (!spar__evidence_running(ev, i) || share < best_share)
            continue;
        *alone = share > best_share;
        best = *alone ? i : best;
        best_share = share;
    }
    return best;
}

size_t spar_decision_leader(const spar_decision *d)
{
    if (!d)
        return SPAR_NO_OPTION;
    size_t named;
    bool alone = false;
    (void)spar__evidence_verdict(&d->evidence, d->answers, &named);
    if (named != SPAR_NO_OPTION)
        return named;
    size_t best = leading_option(&d->evidence, &alone);
    return alone ? best : SPAR_NO_OPTION;
}

size_t spar_decision_options(const spar_decision *d)
{
    return d ? d->evidence.n : 0;
}

uint64_t spar_decision_answers(const spar_decision *d)
{
    return d ? d->answers : 0;
}

uint64_t spar_decision_skipped(const spar_decision *d)
{
    return d ? d->skipped : 0;
}

int spar_decision_is_live(const spar_decision *d, size_t option)
{
    return d && option < d->evidence.n && d->evidence.option[option].live;
}

int spar_decision_in_running(const spar_decision *d, size_t option)
{
    return d && option < d->evidence.n && spar__evidence_running(&d->evidence, option);
}

size_t spar_decision_running(const spar_decision *d)
{
    return d ? spar__evidence_running_count(&d->evidence) : 0;
}

spar_status spar_decision_record(const spar_decision *d, size_t option, uint64_t *shown, uint64_t *chosen)
{
    if (!d)
        return SPAR_INVALID;
    if (option >= d->evidence.n)
        return SPAR_INVALID;
    if (shown)
        *shown = d->record[option].shown;
    if (chosen)
        *chosen = d->record[option].chosen;
    return SPAR_OK;
}

spar_status spar_decision_pair(const spar_decision *d, size_t a, size_t b, double *before, double *behind, double *ties)
{
    if (!d)
        return SPAR_INVALID;
    if (a >= d->evidence.n || b >= d->evidence.n || a == b)
        return SPAR_INVALID;
    spar__against pair = spar__evidence_against(&d->evidence, a, b);
    if (before)
        *before = pair.won;
    if (behind)
        *behind = pair.lost;
    if (ties)
        *ties = pair.ties;
    return SPAR_OK;
}

spar_status spar_decision_interval(const spar_decision *d, size_t a, size_t b, int alone, double *low, double *high)
{
    if (!d || !low || !high)
        return SPAR_INVALID;
    double won, lost;
    if (spar_decision_pair(d, a, b, &won, &lost, NULL))
        return SPAR_INVALID;
    double threshold = alone ? spar__log(2 / d->evidence.delta) : spar__evidence_interval_threshold(&d->evidence, a, b);
    spar__win_rate_interval(won, lost, threshold, low, high);
    return SPAR_OK;
}

/* The least `most` of a stream of pairs, in order of two numbers, and of equal ones those that came first. */
typedef struct least_pairs {
    size_t most, count;
    size_t *a, *b;
} least_pairs;

typedef void (*pair_rank)(const spar_decision *d, size_t a, size_t b, double rank[2]);

static bool ranks_before(const spar_decision *d, pair_rank rank, const least_pairs *list, size_t at, const double x[2])
{
    double y[2];
    rank(d, list->a[at], list->b[at], y);
    return x[0] < y[0] || (x[0] == y[0] && x[1] < y[1]);
}

static void insert_pair(const spar_decision *d, pair_rank rank, least_pairs *list, size_t a, size_t b)
{
    double x[2];
    rank(d, a, b, x);
    if (list->count == list->most && (list->most == 0 || !ranks_before(d, rank, list, list->count - 1, x)))
        return;
    size_t at = list->count < list->most ? list->count++ : list->count - 1;
    for (; at > 0 && ranks_before(d, rank, list, at - 1, x); at--) {
        list->a[at] = list->a[at - 1];
        list->b[at] = list->b[at - 1];
    }
    list->a[at] = a;
    list->b[at] = b;
}

/* How far from one half the share is, drawn to it as by ten answers; more answers first. */
static void rank_closest(const spar_decision *d, size_t a, size_t b, double rank[2])
{
    spar__against pair = spar__evidence_against(&d->evidence, a, b);
    rank[0] = fabs((pair.won + 5) / (pair.won + pair.lost + 10) - 0.5);
    rank[1] = -(pair.won + pair.lost);
}

/* The least evidence for a over b; fewer answers first. */
static void rank_next(const spar_decision *d, size_t a, size_t b, double rank[2])
{
    spar__against pair = spar__evidence_against(&d->evidence, a, b);
    rank[0] = pair.log_e;
    rank[1] = pair.won + pair.lost;
}

size_t spar_decision_closest(const spar_decision *d, size_t most, size_t *a, size_t *b)
{
    if (!d || (most && !a) || (most && !b))
        return 0;
    const spar__evidence *ev = &d->evidence;
    least_pairs list = {.most = most, .a = a, .b = b};
    for (size_t r = 0; r < ev->pairs.count; r++) {
        const spar__pair_row *row = &ev->pairs.row[r];
        if (row->won[0] + row->won[1] > 0 && spar__evidence_running(ev, row->a) && spar__evidence_running(ev, row->b))
            insert_pair(d, rank_closest, &list, row->a, row->b);
    }
    return list.count;
}

size_t spar_decision_next(const spar_decision *d, size_t most, size_t *a, size_t *b)
{
    if (!d || (most && !a) || (most && !b))
        return 0;
    const spar__evidence *ev = &d->evidence;
    size_t leader;
    bool alone;
    spar_verdict verdict = spar__evidence_verdict(ev, d->answers, &leader);
    if (verdict == SPAR_VERDICT_BEST || verdict == SPAR_VERDICT_EQUAL)
        return 0;
    if (leader == SPAR_NO_OPTION)
        leader = leading_option(ev, &alone);
    least_pairs list = {.most = most, .a = a, .b = b};
    for (size_t j = 0; j < ev->n && leader != SPAR_NO_OPTION; j++)
        if (j != leader && ev->option[j].live && !spar__evidence_against(ev, leader, j).settled)
            insert_pair(d, rank_next, &list, leader, j);
    return list.count;
}
