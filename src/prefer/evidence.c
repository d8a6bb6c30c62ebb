#include "prefer/evidence.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "prefer/pair_law.h"

#include <math.h>

static spar_status reserve_options(spar__evidence *ev, size_t n)
{
    if (n <= ev->room)
        return SPAR_OK;
    size_t room = n < 2 * ev->room ? 2 * ev->room : n;
    spar__option_evidence *option = n > UINT32_MAX ? NULL : spar__realloc(ev->option, ev->room, room, sizeof *option);
    if (!option)
        return SPAR_NOMEM;
    ev->option = option;
    ev->room = room;
    return SPAR_OK;
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

size_t spar__evidence_ever(const spar__evidence *ev)
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

static double log_level(const spar__evidence *ev)
{
    size_t ever = spar__evidence_ever(ev);
    return ever > 2 ? spar__log((double)(ever - 1)) : 0;
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
    ev->log_level = log_level(ev);
    for (size_t r = 0; r < ev->pairs.count; r++)
        for (int s = 0; s < 2; s++) {
            spar__option_evidence *o = &ev->option[s ? ev->pairs.row[r].b : ev->pairs.row[r].a];
            o->over = o->under = o->near = o->level = 0;
        }
    for (size_t r = 0; r < ev->pairs.count; r++)
        tally(ev, &ev->pairs.row[r], true);
}

void spar__evidence_refresh(spar__evidence *ev)
{
    double raise = log_raise(ev);
    for (size_t i = 0; i < ev->n; i++)
        ev->option[i].log_threshold = own_threshold(ev, i) + raise;
    recount(ev);
}

static void recount_wins(spar__evidence *ev)
{
    for (size_t r = 0; r < ev->pairs.count; r++) {
        spar__option_evidence *a = &ev->option[ev->pairs.row[r].a], *b = &ev->option[ev->pairs.row[r].b];
        a->won = a->lost = b->won = b->lost = 0;
    }
    for (size_t r = 0; r < ev->pairs.count; r++)
        count_wins(ev, ev->pairs.row[r].a, ev->pairs.row[r].b, ev->pairs.row[r].won);
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
        ev->raised_n = spar__evidence_ever(ev);
    }
    ev->option[option].live = false;
    ev->live--;
    if (raise)
        spar__evidence_refresh(ev);
    else if (ev->started)
        recount(ev);
    recount_wins(ev);
}

static void start(spar__evidence *ev)
{
    ev->started = true;
    ev->first = ev->live;
    ev->first_n = ev->n;
    spar__evidence_refresh(ev);
}

/* E falls with a loss, so that only a win can make a new largest. Where the order of the answers is not that of time,
 * the largest so far would be that of an order somebody chose: only the present counts. */
static void look_near(spar__evidence *ev, spar__pair_row *row, int s)
{
    double near = spar__log_evidence_from(ev->near_start, row->won[s], row->won[1 - s], ev->p_near);
    row->log_near[s] = fmax(ev->unordered ? 0 : row->log_near[s], near);
}

static void look(spar__evidence *ev, spar__pair_row *row, const double won[2])
{
    spar__log_evidence_both(row->won[0], row->won[1], &row->log_e[0], &row->log_e[1]);
    for (int s = 0; s < 2; s++)
        if (won[s] > 0 || ev->unordered) {
            row->log_max[s] = fmax(ev->unordered ? 0 : row->log_max[s], row->log_e[s]);
            if (ev->eps > 0)
                look_near(ev, row, s);
        }
}

spar_status spar__evidence_learn(spar__evidence *ev, size_t count, const spar__stated *stated)
{
    if (spar__pair_table_reserve(&ev->pairs, count))
        return SPAR_NOMEM;
    if (count > 0 && !ev->started)
        start(ev);
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
    if (room <= ev->stated_room)
        return ev->stated;
    spar__stated *stated = spar__alloc(room, sizeof *stated);
    if (!stated)
        return NULL;
    spar__free(ev->stated);
    ev->stated = stated;
    ev->stated_room = room;
    return stated;
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
        spar__evidence_refresh(out);
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
