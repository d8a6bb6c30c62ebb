/* compared.c - claims that compare policies run by run: "A beats B and C in these settings", and the rank of a policy
 * among all over the 15 scenarios. */
#include "paper/paper.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where a policy chooses how many arms it shows, its regret per slot may be quite different. */
static spar_status write_per_slot(const spar__cell *own, const spar__cell *rival, spar__buf *out)
{
    spar__regret_comparison c;
    if (spar__regret_compare(own, own->per_slot, rival->per_slot, &c))
        return SPAR_NOMEM;
    spar__buf_printf(out, " (%.1f counted per slot, %.2f +- %.2f times)", c.mean[1], c.times.mean, c.times.se);
    return SPAR_OK;
}

enum { MOST_RIVALS = 4 };

struct beaten {
    size_t m; /* arms a round */
    size_t by_far, at_all, rivals;
    spar__range times[MOST_RIVALS];                       /* of each rival, over all settings */
    size_t settings[MOST_RIVALS], by_chance[MOST_RIVALS]; /* within 2 standard errors */
};

static void count_rival(struct beaten *count, size_t i, const spar__regret_comparison *c)
{
    count->by_far += c->by_far;
    count->at_all += c->beats;
    count->rivals++;
    if (i >= MOST_RIVALS)
        return;
    if (!count->settings[i])
        count->times[i] = SPAR__RANGE_EMPTY;
    spar__range_add(&count->times[i], c->times.mean);
    count->settings[i]++;
    count->by_chance[i] += fabs(c->difference.mean) <= 2 * c->difference.se;
}

static void write_brief(const spar__beats *beats, const struct beaten *count, spar__buf *out)
{
    size_t said = 0;
    if (count->rivals)
        spar__buf_printf(out, "We find that with %zu arms a round ", count->m);
    for (size_t i = 0; beats->rivals[i] && i < MOST_RIVALS; i++) {
        if (!count->settings[i])
            continue;
        spar__buf_printf(out, "%s%s has ", said ? ", and " : "", beats->rivals[i]);
        spar__finding_range(out, count->times[i]);
        spar__buf_printf(out, " times%s%s", said ? "" : " the regret of ", said ? "" : beats->policy);
        if (count->by_chance[i])
            spar__buf_printf(out, " (which may be chance in %zu of %zu setting%s)", count->by_chance[i],
                             count->settings[i], count->settings[i] == 1 ? "" : "s");
        said++;
    }
    spar__buf_adds(out, said ? "." : "");
}

static spar_status judge_setting(const spar__beats *beats, const spar__paper_setting *setting, struct beaten *count,
                                 spar__buf *out)
{
    const spar__cell *own = spar__paper_cell(setting, beats->policy);
    spar__summary regret;
    if (!own)
        return SPAR_OK;
    count->m = setting->m;
    if (spar__cell_summary(own, own->regret, &regret))
        return SPAR_NOMEM;
    spar__buf_printf(out, "%s%s, %zu runs: mean regret of %s %.1f (median %.1f)", out->length ? " " : "",
                     setting->title, own->runs, beats->policy, regret.mean, regret.median);
    for (const char *const *name = beats->rivals; *name; name++) {
        const spar__cell *rival = spar__paper_cell(setting, *name);
        spar__regret_comparison c;
        if (!rival)
            continue;
        if (spar__regret_compare(own, own->regret, rival->regret, &c))
            return SPAR_NOMEM;
        const char *label = *name;
        spar__buf_printf(out, "; %s %.1f (median %.1f), %.2f +- %.2f times as much%s", label, c.mean[1], c.median[1],
                         c.times.mean, c.times.se,
                         c.by_far  ? ""
                         : c.beats ? ", beaten but not by far"
                                   : ", not beaten");
        if (beats->per_slot && fabs(rival->per_slot[0] - rival->regret[0]) > 1e-6 * rival->regret[0] &&
            write_per_slot(own, rival, out))
            return SPAR_NOMEM;
        count_rival(count, (size_t)(name - beats->rivals), &c);
    }
    spar__buf_adds(out, ".");
    return SPAR_OK;
}

spar_status spar__judge_beats(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    const spar__beats *beats = data;
    struct beaten count = {0};
    for (const char *const *name = beats->settings; *name; name++) {
        const spar__paper_setting *setting = spar__paper_find(paper, *name);
        if (setting && judge_setting(beats, setting, &count, &out->numbers))
            return spar__fail_memory(err);
        if (setting && strcmp(*name, "rankers/generated") == 0)
            out->on = "on generated rankers";
    }
    write_brief(beats, &count, &out->brief);
    out->verdict = count.rivals ? spar__verdict_of(count.by_far, count.rivals) : SPAR__NOT_JUDGED;
    if (beats->narrowly && out->verdict == SPAR__DOES_NOT_HOLD && count.at_all)
        out->verdict = SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}

/* Claims about the rank of a policy among those with two arms a round, over the 15 scenarios. */

enum { BY_MEDIAN, BY_MEAN, WAYS };

/* A policy beside the best of the others, by one number of each. */
struct own_and_best {
    double own, lowest;     /* lowest of the others */
    size_t better;          /* others that are lower */
    const spar__cell *best; /* of the others */
};

/* Over all scenarios, by median and by mean. */
struct rank_counts {
    size_t scenarios, near[WAYS], first[WAYS], second[WAYS]; /* near: at most twice the lowest of the others */
    double worst[WAYS];                                      /* the largest own / lowest of the others */
    char where[WAYS][64];
};

static void compare_one(struct own_and_best *r, const spar__cell *cell, double other)
{
    r->better += other < r->own;
    if (other < r->lowest) {
        r->lowest = other;
        r->best = cell;
    }
}

static spar_status compare_all(const spar__paper_setting *setting, const spar__cell *own, struct own_and_best by[WAYS])
{
    spar__summary of;
    if (spar__cell_summary(own, own->regret, &of))
        return SPAR_NOMEM;
    by[BY_MEDIAN] = (struct own_and_best){of.median, HUGE_VAL, 0, own};
    by[BY_MEAN] = (struct own_and_best){of.mean, HUGE_VAL, 0, own};
    for (size_t c = 0; c < setting->n_policies; c++) {
        const spar__cell *cell = &setting->cell[c];
        if (cell == own)
            continue;
        if (spar__cell_summary(cell, cell->regret, &of))
            return SPAR_NOMEM;
        compare_one(&by[BY_MEDIAN], cell, of.median);
        compare_one(&by[BY_MEAN], cell, of.mean);
    }
    return SPAR_OK;
}

spar_status spar__judge_rank(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    const spar__scenario_rank *claimed = data;
    struct rank_counts s = {0};
    for (size_t i = 0; i < SPAR__SCENARIO_LINKS * SPAR__SCENARIO_SETS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "grid/%s-%s", spar__scenario_links[i / SPAR__SCENARIO_SETS],
                       spar__scenario_sets[i % SPAR__SCENARIO_SETS]);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        const spar__cell *own = spar__paper_cell(setting, claimed->policy);
        struct own_and_best by[WAYS];
        if (!own)
            continue;
        if (compare_all(setting, own, by))
            return spar__fail_memory(err);
        s.scenarios++;
        for (size_t k = 0; k < WAYS; k++) {
            double times = by[k].own / by[k].lowest;
            s.near[k] += times <= 2;
            s.first[k] += by[k].better == 0;
            s.second[k] += by[k].better == 1;
            if (times > s.worst[k]) {
                s.worst[k] = times;
                (void)snprintf(s.where[k], sizeof s.where[k], "%s", setting->title);
            }
        }
        if (strcmp(name, "grid/logit-arith") == 0) {
            /* The scenario of the paper's figure, with the difference of means, run by run. */
            spar__difference d;
            spar__compare(own->regret, by[BY_MEAN].best->regret, own->runs, &d);
            spar__buf_printf(
                &out->numbers,
                "On logit / arith, the paper's figure: median %.0f where the best other has %.0f, mean %.0f where "
                "the best other has %.0f (difference %+.0f +- %.0f).",
                by[BY_MEDIAN].own, by[BY_MEDIAN].lowest, by[BY_MEAN].own, by[BY_MEAN].lowest, d.mean, d.se);
        }
    }
    if (!s.scenarios)
        return SPAR_OK;
    for (size_t k = 0; k < WAYS; k++)
        spar__buf_printf(&out->numbers,
                         "%sBy %s %s is within twice the best other policy in %zu of %zu scenarios (at worst %.2f "
                         "times, on %s), first in %zu and second in %zu.",
                         out->numbers.length ? " " : "", k == BY_MEDIAN ? "median" : "mean", claimed->policy, s.near[k],
                         s.scenarios, s.worst[k], s.where[k], s.first[k], s.second[k]);
    spar__buf_printf(
        &out->brief,
        "We find that with two arms a round the median regret of %s is within twice that of the best other "
        "policy in %zu of %zu scenarios, and the lowest of all in %zu.",
        claimed->policy, s.near[BY_MEDIAN], s.scenarios, s.first[BY_MEDIAN]);
    bool lowest = !claimed->mostly_lowest || 2 * s.first[BY_MEDIAN] > s.scenarios;
    out->verdict = 5 * s.near[BY_MEDIAN] >= 4 * s.scenarios && lowest ? SPAR__HOLDS
                   : 2 * s.near[BY_MEDIAN] >= s.scenarios             ? SPAR__HOLDS_IN_PART
                                                                      : SPAR__DOES_NOT_HOLD;
    return SPAR_OK;
}
