/* A list of choices as bytes. */
#include "num/choices_inside.h"

#include <math.h>

/* No count is near this: a saved one beyond it is damage. */
static const double largest = 0x1p+200;

static void check_weight(spar__archive *ar, double weight)
{
    spar__archive_check(ar, weight >= 0 && weight <= largest);
}

static void archive_pair(spar__choices *l, size_t i, spar__archive *ar, size_t options)
{
    uint32_t a = ar->loading ? 0 : l->a[i], b = ar->loading ? 0 : l->b[i];
    double counts[2] = {ar->loading ? 0 : l->won[i], ar->loading ? 0 : l->lost[i]};
    spar__archive_u32(ar, &a);
    spar__archive_u32(ar, &b);
    spar__archive_f64s(ar, counts, 2);
    if (!ar->loading || ar->failed)
        return;
    spar__archive_check(ar, a < b && b < options && spar__key_find(&l->pair_key, a, b) == SPAR__NO_KEY);
    check_weight(ar, counts[0]);
    check_weight(ar, counts[1]);
    if (!ar->failed)
        spar__archive_step(ar, spar__choices_reserve(l, 2, 1));
    if (!ar->failed)
        spar__choices_load_pair(l, a, b, counts[0], counts[1]);
}

/* One alternative, written behind the last stage. */
static void archive_alternative(spar__choices *l, size_t k, spar__archive *ar, size_t options, size_t places)
{
    uint32_t word[3] = {0};
    for (size_t i = 0; !ar->loading && i < 3; i++)
        word[i] = i == 0 ? l->option[k] : i == 1 ? l->place[k] : l->level[k];
    for (size_t i = 0; i < 3; i++)
        spar__archive_u32(ar, &word[i]);
    if (!ar->loading || ar->failed)
        return;
    spar__archive_check(ar, word[0] < options && word[1] < (places ? places : 1));
    spar__choices_load_alternative(l, word[0], word[1], word[2]);
}

static void archive_stage(spar__choices *l, size_t i, spar__archive *ar, size_t options, size_t places)
{
    uint8_t kind = ar->loading ? 0 : l->kind[i];
    size_t n = ar->loading ? 0 : l->first[i + 1] - l->first[i];
    double weight = ar->loading ? 0 : l->weight[i];
    spar__archive_u8(ar, &kind);
    spar__archive_size(ar, &n);
    spar__archive_f64(ar, &weight);
    if (ar->loading && !ar->failed) {
        spar__archive_check(ar, kind <= 15 && n >= 1 && (!(kind & SPAR__STAGE_LEVELS) || n <= SPAR__CHOICE_ORDERS));
        check_weight(ar, weight);
        if (ar->failed || !spar__archive_holds(ar, n))
            return;
        spar__archive_step(ar, spar__choices_reserve(l, n, 1));
        if (ar->failed)
            return;
        spar__choices_load_start(l);
    }
    for (size_t k = 0; k < n && !ar->failed; k++)
        archive_alternative(l, ar->loading ? 0 : l->first[i] + k, ar, options, places);
    if (ar->loading && !ar->failed)
        spar__archive_check(ar, spar__choices_load_finish(l, kind, weight));
}

void spar__choices_archive(spar__choices *l, spar__archive *ar, size_t options, size_t places)
{
    size_t pairs = l->pairs, stages = l->stages;
    if (ar->loading)
        spar__choices_clear(l);
    spar__archive_size(ar, &pairs);
    spar__archive_size(ar, &stages);
    if (ar->loading && (!spar__archive_holds(ar, pairs) || !spar__archive_holds(ar, stages)))
        return;
    for (size_t i = 0; i < pairs && !ar->failed; i++)
        archive_pair(l, i, ar, options);
    for (size_t i = 0; i < stages && !ar->failed; i++)
        archive_stage(l, i, ar, options, places);
}
