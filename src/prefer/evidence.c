/* evidence.c - what answers prove about pairs and options (evidence.h), from the law of one pair up to statements. An
 * answer costs O(m^2) evaluations of the law, a statement O(n). */
#include "prefer/evidence.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "num/special.h"

#include <math.h>
#include <stdlib.h>

static const double prior = 5; /* both parameters of the Beta law */

/* With a = w + 5, b = l + 5, E is the ratio of P(Beta(a,b) > p0) B(a,b) / (p0^a (1-p0)^b) to the same at w = l = 0. */
double spar__log_evidence_start(double p0)
{
    double below, above;
    spar__log_beta_mills(prior, prior, p0, &below, &above);
    return above;
}

static double log_evidence_from(double start, double w, double l, double p0)
{
    double below, above;
    spar__log_beta_mills(w + prior, l + prior, p0, &below, &above);
    return above - start;
}

double spar__log_evidence(double w, double l, double p0)
{
    return log_evidence_from(spar__log_evidence_start(p0), w, l, p0);
}

/* A policy and a decision learn the same answer one after the other, about the same few pairs: what was computed last
 * is kept. */
enum { KEPT = 16 };
typedef struct kept_evidence {
    bool known;
    double w, l, first, second;
} kept_evidence;

void spar__log_evidence_both(double w, double l, double *first, double *second)
{
    static _Thread_local kept_evidence all[KEPT];
    const double start = -0.20739519434607058716; /* of a = b = 5 at 1/2 */
    kept_evidence *kept = &all[(uint64_t)(w + 5 * l) % KEPT];
    if (!kept->known || kept->w != w || kept->l != l) {
        *kept = (kept_evidence){.known = true, .w = w, .l = l};
        spar__log_beta_mills(w + prior, l + prior, 0.5, &kept->second, &kept->first);
        kept->first -= start;
        kept->second -= start;
    }
    *first = kept->first;
    *second = kept->second;
}

/* The least p0 that is not refuted: by bisection on the log-odds. E falls where it exceeds 1, which is left of w/(w+l).
 */
static double lower_end(double w, double l, double log_threshold)
{
    double low = -700, high = l > 0 ? spar__log(w / l) : 36;
    if (!(w > 0) || spar__log_evidence(w, l, spar__logistic(low)) < log_threshold)
        return 0;
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        if (spar__log_evidence(w, l, spar__logistic(middle)) >= log_threshold)
            low = middle;
        else
            high = middle;
    }
    return spar__logistic(high);
}

void spar__win_rate_interval(double w, double l, double log_threshold, double *low, double *high)
{
    *low = lower_end(w, l, log_threshold);
    *high = 1 - lower_end(l, w, log_threshold);
}

void spar__pair_table_fini(spar__pair_table *table)
{
    spar__free(table->row);
    spar__key_table_fini(&table->keys);
    *table = (spar__pair_table){0};
}

spar_status spar__pair_table_reserve(spar__pair_table *table, size_t more)
{
    if (spar__key_table_reserve(&table->keys, more))
        return SPAR_NOMEM;
    size_t room = table->keys.room;
    if (room == table->room)
        return SPAR_OK;
    if (!spar__resize(&table->row, table->room, room, sizeof *table->row))
        return SPAR_NOMEM;
    table->room = room;
    return SPAR_OK;
}

spar__pair_row *spar__pair_find(const spar__pair_table *table, size_t x, size_t y)
{
    size_t at = spar__key_find(&table->keys, x < y ? x : y, x < y ? y : x);
    return at == SPAR__NO_KEY ? NULL : &table->row[at];
}

spar__pair_row *spar__pair_get(spar__pair_table *table, size_t x, size_t y)
{
    size_t a = x < y ? x : y, b = x < y ? y : x, at = spar__key_get(&table->keys, a, b);
    if (at == table->count)
        table->row[table->count++] = (spar__pair_row){.a = (uint32_t)a, .b = (uint32_t)b};
    return &table->row[at];
}

static bool stands_once(size_t m, const size_t *arm, size_t slot)
{
    for (size_t k = 0; k < m; k++)
        if (k != slot && arm[k] == arm[slot])
            return false;
    return true;
}

static int by_pair(const void *x, const void *y)
{
    const spar__stated *s = x, *t = y;
    return s->a != t->a ? (s->a > t->a) - (s->a < t->a) : (s->b > t->b) - (s->b < t->b);
}

/* Several duels of one pair become one statement. */
static size_t merge(size_t count, spar__stated *s)
{
    size_t kept = 0;
    qsort(s, count, sizeof *s, by_pair);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || by_pair(&s[kept - 1], &s[i]) != 0) {
            s[kept++] = s[i];
            continue;
        }
        s[kept - 1].won[0] += s[i].won[0];
        s[kept - 1].won[1] += s[i].won[1];
        s[kept - 1].ties += s[i].ties;
    }
    return kept;
}

size_t spar__stated_of(size_t m, const size_t *arm, const unsigned char *outcome, bool independent, double weight,
                       spar__stated *out)
{
    size_t count = 0;
    bool copies = false;
    for (size_t j = 0; j < m && !copies; j++)
        copies = !stands_once(m, arm, j);
    for (size_t j = 0; j < m; j++)
        for (size_t k = j + 1; k < m; k++) {
            unsigned said = outcome[j * m + k];
            if (said == 0 || arm[j] == arm[k] ||
                (copies && !independent && !(stands_once(m, arm, j) && stands_once(m, arm, k))))
                continue;
            bool turned = arm[j] > arm[k];
            spar__stated *s = &out[count++];
            *s = (spar__stated){.a = arm[turned ? k : j], .b = arm[turned ? j : k]};
            if (said == 2)
                s->ties = weight;
            else
                s->won[(said == 3) == turned] = weight;
        }
    return copies && count > 1 ? merge(count, out) : count;
}

static spar_status reserve_options(spar__evidence *ev, size_t n)
{
    bool room = n <= UINT32_MAX && spar__reserve(&ev->option, &ev->room, n, 1, sizeof *ev->option);
    return room ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__evidence_init(spar__evidence *ev, size_t n, double delta, double delta0, double eps)
{
    double p = spar__logistic(-eps);
    *ev = (spar__evidence){.delta = delta, .delta0 = delta0, .eps = eps, .p_near = p};
    ev->near_start = spar__log_evidence_start(p);
    if (reserve_options(ev, n))
        return SPAR_NOMEM;
    ev->n = ev->live = n;
    for (size_t i = 0; i < n; i++)
        ev->option[i].live = true;
    return SPAR_OK;
}

void spar__evidence_fini(spar__evidence *ev)
{
    spar__pair_table_fini(&ev->pairs);
    spar__free(ev->option);
    spar__free(ev->stated);
    ev->option = NULL;
    ev->stated = NULL;
    ev->n = ev->room = ev->stated_room = 0;
}

/* Options ever: those at the first answer and all added later. */
static size_t evidence_ever(const spar__evidence *ev)
{
    return ev->started ? ev->first + (ev->n - ev->first_n) : ev->live;
}

/* The logarithm of K / delta0 for options of the first answer, of n i (i + 1) / (0.2 delta) for the i-th added after
 * it, n options ever, it included. */
static double own_threshold(const spar__evidence *ev, size_t option)
{
    if (option < ev->first_n)
        return spar__log((double)ev->first / ev->delta0);
    double i = (double)(option - ev->first_n + 1), n = (double)ev->first + i;
    return spar__log(n * i * (i + 1) / (0.2 * ev->delta));
}

/* The logarithm of 2 pairs / delta0 for pairs of the first K options, pairs = K (K - 1) / 2; the i-th added after them
 * has n - 1 pairs, both ends of which share its 0.2 delta / (i (i + 1)). */
double spar__evidence_interval_threshold(const spar__evidence *ev, size_t x, size_t j)
{
    size_t later = x > j ? x : j;
    double k = (double)(ev->started ? ev->first : ev->live);
    if (!ev->started || later < ev->first_n)
        return spar__log(fmax(2, k * (k - 1)) / ev->delta0);
    double i = (double)(later - ev->first_n + 1);
    return spar__log(2 * (k + i - 1) * i * (i + 1) / (0.2 * ev->delta));
}

/* Statements before and after the first retirement of an option in the running each hold at delta: afterwards any
 * ordered pair may be the false one, so thresholds are n - 1 times as high. */
static double log_raise(const spar__evidence *ev)
{
    return ev->raised && ev->raised_n > 2 ? spar__log((double)(ev->raised_n - 1)) : 0;
}

double spar__evidence_threshold(const spar__evidence *ev, size_t x, size_t j)
{
    return ev->started ? ev->option[x > j ? x : j].log_threshold : (double)INFINITY;
}

/* The row's part in the counts of its options: added, or taken away before the row changes. */
static void tally(spar__evidence *ev, const spar__pair_row *row, bool add)
{
    spar__option_evidence *option[2] = {&ev->option[row->a], &ev->option[row->b]};
    double threshold = option[1]->log_threshold, level = threshold + ev->log_level;
    if (!option[0]->live || !option[1]->live)
        return;
    size_t one = add ? 1 : (size_t)-1;
    for (int s = 0; s < 2; s++) {
        bool over = row->log_max[s] >= threshold;
        option[s]->over += over ? one : 0;
        option[1 - s]->under += over ? one : 0;
        option[s]->near += row->log_near[s] >= threshold ? one : 0;
        option[s]->level += row->log_near[s] >= level ? one : 0;
    }
}

static void count_wins(spar__evidence *ev, size_t a, size_t b, const double won[2])
{
    spar__option_evidence *x = &ev->option[a], *y = &ev->option[b];
    if (!x->live || !y->live)
        return;
    x->won += won[0];
    y->lost += won[0];
    y->won += won[1];
    x->lost += won[1];
}

/* All counts, by the pairs that were answered: an option without any has none, so that a change of the options does not
 * cost their number. */
static void recount(spar__evidence *ev)
{
    size_t ever = evidence_ever(ev);
    ev->log_level = ever > 2 ? spar__log((double)(ever - 1)) : 0;
    for (size_t r = 0; r < ev->pairs.count; r++)
        for (int s = 0; s < 2; s++) {
            spar__option_evidence *o = &ev->option[s ? ev->pairs.row[r].b : ev->pairs.row[r].a];
            o->over = o->under = o->near = o->level = 0;
        }
    for (size_t r = 0; r < ev->pairs.count; r++)
        tally(ev, &ev->pairs.row[r], true);
}

/* Inside evidence: thresholds and tallies after a change of the options. */
static void evidence_refresh(spar__evidence *ev)
{
    double raise = log_raise(ev);
    for (size_t i = 0; i < ev->n; i++)
        ev->option[i].log_threshold = own_threshold(ev, i) + raise;
    recount(ev);
}

spar_status spar__evidence_add(spar__evidence *ev)
{
    if (reserve_options(ev, ev->n + 1))
        return SPAR_NOMEM;
    ev->option[ev->n] = (spar__option_evidence){.live = true};
    ev->n++;
    ev->live++;
    if (ev->started) {
        ev->option[ev->n - 1].log_threshold = own_threshold(ev, ev->n - 1) + log_raise(ev);
        recount(ev);
    }
    return SPAR_OK;
}

void spar__evidence_retire(spar__evidence *ev, size_t option)
{
    if (option >= ev->n || !ev->option[option].live)
        return;
    bool raise = ev->started && !ev->raised && spar__evidence_running(ev, option);
    if (raise) {
        ev->raised = true;
        ev->raised_n = evidence_ever(ev);
    }
    ev->option[option].live = false;
    ev->live--;
    if (raise)
        evidence_refresh(ev);
    else if (ev->started)
        recount(ev);
    for (size_t r = 0; r < ev->pairs.count; r++) {
        spar__option_evidence *a = &ev->option[ev->pairs.row[r].a], *b = &ev->option[ev->pairs.row[r].b];
        a->won = a->lost = b->won = b->lost = 0;
    }
    for (size_t r = 0; r < ev->pairs.count; r++)
        count_wins(ev, ev->pairs.row[r].a, ev->pairs.row[r].b, ev->pairs.row[r].won);
}

static void look(spar__evidence *ev, spar__pair_row *row, const double won[2])
{
    spar__log_evidence_both(row->won[0], row->won[1], &row->log_e[0], &row->log_e[1]);
    for (int s = 0; s < 2; s++)
        if (won[s] > 0 || ev->unordered) {
            row->log_max[s] = fmax(ev->unordered ? 0 : row->log_max[s], row->log_e[s]);
            if (ev->eps > 0) {
                /* E falls with a loss, so that only a win can make a new largest. Where the order of the answers is not
                 * that of time, the largest so far would be that of an order somebody chose: only the present counts.
                 */
                double near = log_evidence_from(ev->near_start, row->won[s], row->won[1 - s], ev->p_near);
                row->log_near[s] = fmax(ev->unordered ? 0 : row->log_near[s], near);
            }
        }
}

spar_status spar__evidence_learn(spar__evidence *ev, size_t count, const spar__stated *stated)
{
    if (spar__pair_table_reserve(&ev->pairs, count))
        return SPAR_NOMEM;
    if (count > 0 && !ev->started) {
        ev->started = true;
        ev->first = ev->live;
        ev->first_n = ev->n;
        evidence_refresh(ev);
    }
    for (size_t i = 0; i < count; i++) {
        const spar__stated *s = &stated[i];
        spar__pair_row *row = spar__pair_get(&ev->pairs, s->a, s->b);
        tally(ev, row, false);
        row->won[0] += s->won[0];
        row->won[1] += s->won[1];
        row->ties += s->ties;
        if (s->won[0] > 0 || s->won[1] > 0)
            look(ev, row, s->won);
        tally(ev, row, true);
        count_wins(ev, s->a, s->b, s->won);
        ev->total += spar__stated_weight(s);
    }
    return SPAR_OK;
}

spar__stated *spar__evidence_scratch(spar__evidence *ev, size_t m)
{
    size_t room = m < 2 ? 1 : m % 2 ? (m - 1) / 2 * m : m / 2 * (m - 1);
    return spar__reserve(&ev->stated, &ev->stated_room, room, 1, sizeof *ev->stated) ? ev->stated : NULL;
}

spar_status spar__evidence_answer(spar__evidence *ev, size_t m, const size_t *arm, const unsigned char *outcome,
                                  bool independent)
{
    for (size_t j = 0; j < m; j++)
        if (arm[j] >= ev->n)
            return SPAR_INVALID;
    spar__stated *stated = spar__evidence_scratch(ev, m);
    if (!stated)
        return SPAR_NOMEM;
    return spar__evidence_learn(ev, spar__stated_of(m, arm, outcome, independent, 1, stated), stated);
}

spar_status spar__evidence_blank(const spar__evidence *ev, spar__evidence *out)
{
    if (spar__evidence_init(out, ev->n, ev->delta, ev->delta0, ev->eps))
        return SPAR_NOMEM;
    out->live = ev->live;
    out->started = ev->started;
    out->raised = ev->raised;
    out->unordered = ev->unordered;
    out->first = ev->first;
    out->first_n = ev->first_n;
    out->raised_n = ev->raised_n;
    for (size_t i = 0; i < ev->n; i++)
        out->option[i].live = ev->option[i].live;
    if (out->started)
        evidence_refresh(out);
    return SPAR_OK;
}

spar_status spar__evidence_copy(const spar__evidence *ev, spar__evidence *out)
{
    if (spar__evidence_blank(ev, out))
        return SPAR_NOMEM;
    if (spar__pair_table_reserve(&out->pairs, ev->pairs.count)) {
        spar__evidence_fini(out);
        return SPAR_NOMEM;
    }
    for (size_t r = 0; r < ev->pairs.count; r++) {
        const spar__pair_row *row = &ev->pairs.row[r];
        *spar__pair_get(&out->pairs, row->a, row->b) = *row;
    }
    for (size_t i = 0; i < ev->n; i++)
        out->option[i] = ev->option[i];
    out->log_level = ev->log_level;
    out->total = ev->total;
    return SPAR_OK;
}

/* --- Statements. --- */

spar__against spar__evidence_against(const spar__evidence *ev, size_t x, size_t j)
{
    const spar__pair_row *row = x == j ? NULL : spar__pair_find(&ev->pairs, x, j);
    if (!row)
        return (spar__against){0};
    int s = x > j;
    double threshold = spar__evidence_threshold(ev, x, j);
    return (spar__against){.won = row->won[s],
                           .lost = row->won[1 - s],
                           .ties = row->ties,
                           .log_e = row->log_e[s],
                           .log_max = row->log_max[s],
                           .log_near = row->log_near[s],
                           .settled = row->log_max[s] >= threshold,
                           .near = row->log_near[s] >= threshold};
}

static size_t over_all(const spar__evidence *ev, bool near)
{
    size_t best = SPAR__NO_OPTION;
    double best_least = 0;
    for (size_t x = 0; x < ev->n && ev->live > 1; x++) {
        const spar__option_evidence *o = &ev->option[x];
        if (!o->live || (near ? o->near : o->over) < ev->live - 1)
            continue;
        double least = INFINITY;
        for (size_t j = 0; j < ev->n; j++)
            if (j != x && ev->option[j].live) {
                spar__against a = spar__evidence_against(ev, x, j);
                least = fmin(least, near ? a.log_near : a.log_max);
            }
        if (best == SPAR__NO_OPTION || least > best_least) {
            best = x;
            best_least = least;
        }
    }
    return best;
}

size_t spar__evidence_best(const spar__evidence *ev)
{
    return over_all(ev, false);
}

size_t spar__evidence_practical(const spar__evidence *ev)
{
    return over_all(ev, true);
}

bool spar__evidence_running(const spar__evidence *ev, size_t option)
{
    return ev->option[option].live && ev->option[option].under == 0;
}

size_t spar__evidence_running_count(const spar__evidence *ev)
{
    size_t count = 0;
    for (size_t i = 0; i < ev->n; i++)
        count += spar__evidence_running(ev, i);
    return count;
}

bool spar__evidence_equal(const spar__evidence *ev)
{
    size_t count = spar__evidence_running_count(ev);
    for (size_t x = 0; x < ev->n && count > 1; x++) /* cheap, and mostly enough */
        if (spar__evidence_running(ev, x) && ev->option[x].level < count - 1)
            return false;
    for (size_t x = 0; x < ev->n && count > 1; x++) /* every one at the level of every other */
        for (size_t j = 0; j < ev->n && spar__evidence_running(ev, x); j++)
            if (j != x && spar__evidence_running(ev, j) &&
                !(spar__evidence_against(ev, x, j).log_near >= spar__evidence_threshold(ev, x, j) + ev->log_level))
                return false;
    return count > 1;
}

static bool is_count(double x)
{
    return x >= 0 && x < 0x1p50; /* one more is still another number */
}

static void archive_row(spar__pair_row *row, size_t n, spar__archive *ar)
{
    uint64_t a = row->a, b = row->b;
    spar__archive_u64(ar, &a);
    spar__archive_u64(ar, &b);
    spar__archive_f64s(ar, row->won, 2);
    spar__archive_f64(ar, &row->ties);
    spar__archive_f64s(ar, row->log_max, 2);
    spar__archive_f64s(ar, row->log_near, 2);
    if (!ar->loading)
        return;
    row->a = (uint32_t)a;
    row->b = (uint32_t)b;
    spar__archive_check(ar, a < b && b < n && is_count(row->won[0]) && is_count(row->won[1]) && is_count(row->ties));
    if (ar->failed)
        return;
    if (row->won[0] + row->won[1] > 0) /* ties alone leave it at exactly 0 */
        spar__log_evidence_both(row->won[0], row->won[1], &row->log_e[0], &row->log_e[1]);
    for (int s = 0; s < 2; s++) {
        spar__archive_check(ar, row->log_max[s] >= 0 && row->log_near[s] >= 0);
        spar__archive_check(ar, row->log_max[s] < (double)INFINITY && row->log_near[s] < (double)INFINITY);
    }
}

static void archive_pairs(spar__evidence *ev, spar__archive *ar)
{
    size_t count = ev->pairs.count;
    spar__archive_size(ar, &count);
    for (size_t r = 0; !ar->loading && r < count; r++)
        archive_row(&ev->pairs.row[r], ev->n, ar);
    if (!ar->loading)
        return;
    spar__pair_table_fini(&ev->pairs);
    ev->total = 0;
    if (!spar__archive_holds(ar, count))
        return;
    spar__archive_step(ar, spar__pair_table_reserve(&ev->pairs, count));
    for (size_t r = 0; r < count && !ar->failed; r++) {
        spar__pair_row row = {0};
        archive_row(&row, ev->n, ar);
        if (ar->failed)
            return;
        spar__pair_row *to = spar__pair_get(&ev->pairs, row.a, row.b);
        spar__archive_check(ar, ev->pairs.count == r + 1); /* no pair twice */
        *to = row;
        ev->total += row.won[0] + row.won[1] + row.ties;
    }
}

void spar__evidence_archive(spar__evidence *ev, spar__archive *ar)
{
    size_t n = ev->n, live = 0;
    spar__archive_size(ar, &n);
    if (ar->loading) {
        ev->started = false;
        while (spar__archive_holds(ar, n) && ev->n < n)
            spar__archive_step(ar, spar__evidence_add(ev));
        ev->n = ev->n < n ? ev->n : n;
    }
    for (size_t i = 0; i < ev->n && !ar->failed; i++) {
        spar__option_evidence *o = &ev->option[i];
        spar__archive_bool(ar, &o->live);
        spar__archive_f64(ar, &o->won);
        spar__archive_f64(ar, &o->lost);
        spar__archive_check(ar, !ar->loading || (is_count(o->won) && is_count(o->lost)));
        live += ev->option[i].live;
    }
    if (ar->loading)
        ev->live = live;
    spar__archive_bool(ar, &ev->started);
    spar__archive_bool(ar, &ev->raised);
    spar__archive_size(ar, &ev->first);
    spar__archive_size(ar, &ev->first_n);
    spar__archive_size(ar, &ev->raised_n);
    spar__archive_check(ar, ev->first <= ev->first_n && ev->first_n <= ev->n && ev->raised_n <= ev->n);
    spar__archive_check(ar, ev->started || (!ev->raised && ev->first_n == 0));
    archive_pairs(ev, ar);
    spar__archive_check(ar, ev->started || ev->pairs.count == 0);
    if (ar->loading && ev->started && !ar->failed)
        evidence_refresh(ev);
}
