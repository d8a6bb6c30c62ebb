#include "prefer/evidence.h"

#include "prefer/pair_law.h"

#include <math.h>

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
    if (!ar->loading) {
        for (size_t r = 0; r < count; r++)
            archive_row(&ev->pairs.row[r], ev->n, ar);
        return;
    }
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

static void archive_option(spar__option_evidence *o, spar__archive *ar)
{
    spar__archive_bool(ar, &o->live);
    spar__archive_f64(ar, &o->won);
    spar__archive_f64(ar, &o->lost);
    spar__archive_check(ar, !ar->loading || (is_count(o->won) && is_count(o->lost)));
}

static void resize_loaded(spar__evidence *ev, size_t n, spar__archive *ar)
{
    ev->started = false;
    while (spar__archive_holds(ar, n) && ev->n < n)
        spar__archive_step(ar, spar__evidence_add(ev));
    ev->n = ev->n < n ? ev->n : n;
}

static void archive_options(spar__evidence *ev, spar__archive *ar)
{
    size_t n = ev->n, live = 0;
    spar__archive_size(ar, &n);
    if (ar->loading)
        resize_loaded(ev, n, ar);
    for (size_t i = 0; i < ev->n && !ar->failed; i++) {
        archive_option(&ev->option[i], ar);
        live += ev->option[i].live;
    }
    if (ar->loading)
        ev->live = live;
}

static void archive_history(spar__evidence *ev, spar__archive *ar)
{
    spar__archive_bool(ar, &ev->started);
    spar__archive_bool(ar, &ev->raised);
    spar__archive_size(ar, &ev->first);
    spar__archive_size(ar, &ev->first_n);
    spar__archive_size(ar, &ev->raised_n);
    spar__archive_check(ar, ev->first <= ev->first_n && ev->first_n <= ev->n && ev->raised_n <= ev->n);
    spar__archive_check(ar, ev->started || (!ev->raised && ev->first_n == 0));
}

void spar__evidence_archive(spar__evidence *ev, spar__archive *ar)
{
    archive_options(ev, ar);
    archive_history(ev, ar);
    archive_pairs(ev, ar);
    spar__archive_check(ar, ev->started || ev->pairs.count == 0);
    if (ar->loading && ev->started && !ar->failed)
        spar__evidence_refresh(ev);
}
