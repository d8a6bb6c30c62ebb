#include "paper/claims/bouts.h"

#include "paper/claims/judge.h"

#include <math.h>

static void tell_hero(const char *title, const char *label, const spar__cell *hero, const spar_summary *of,
                      spar__buf *out)
{
    spar__buf_printf(out, "%s%s, %zu runs: %s pays %.1f (median %.1f)", out->length ? " " : "", title, hero->runs,
                     label, of->mean, of->median);
}

static void tell_rival(const char *label, const spar__contest *c, spar__buf *out)
{
    spar__buf_printf(out, "; %s %.1f (median %.1f), %.2f +- %.2f times as much%s", label, c->mean[1], c->median[1],
                     c->times.mean, c->times.se,
                     c->by_far  ? ""
                     : c->beats ? ", not much more"
                                : ", not beaten");
}

/* Where a policy chooses how many arms it shows, its cost per slot is another story. */
static spar_status tell_per_slot(const spar__cell *hero, const spar__cell *rival, spar__buf *out)
{
    spar__contest c;
    if (spar__contest_judge(hero, hero->per_slot, rival->per_slot, &c))
        return SPAR_NOMEM;
    spar__buf_printf(out, " (%.1f counted per slot, %.2f +- %.2f times)", c.mean[1], c.times.mean, c.times.se);
    return SPAR_OK;
}

struct score {
    size_t by_far, beaten, all;
};

/* One scene: who of the rivals is there, and who pays much more. */
static spar_status judge_scene(const spar__bouts *bouts, const spar__scene *scene, struct score *score, spar__buf *out)
{
    const spar__cell *hero = spar__scene_cell(scene, bouts->hero);
    spar_summary of;
    if (!hero)
        return SPAR_OK;
    if (spar__cell_summary(hero, hero->regret, &of))
        return SPAR_NOMEM;
    tell_hero(scene->title, bouts->hero, hero, &of, out);
    for (const char *const *name = bouts->rival; *name; name++) {
        const spar__cell *rival = spar__scene_cell(scene, *name);
        spar__contest contest;
        if (!rival)
            continue;
        if (spar__contest_judge(hero, hero->regret, rival->regret, &contest))
            return SPAR_NOMEM;
        tell_rival(*name, &contest, out);
        if (bouts->per_slot && fabs(rival->per_slot[0] - rival->regret[0]) > 1e-6 * rival->regret[0] &&
            tell_per_slot(hero, rival, out))
            return SPAR_NOMEM;
        score->by_far += contest.by_far;
        score->beaten += contest.beats;
        score->all++;
    }
    spar__buf_adds(out, ".");
    return SPAR_OK;
}

spar_status spar__bouts_judge(const spar__bouts *bouts, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    struct score score = {0};
    for (const char *const *name = bouts->scene; *name; name++) {
        const spar__scene *scene = spar__paper_scene(paper, *name);
        if (scene && judge_scene(bouts, scene, &score, &out->numbers))
            return spar__fail_memory(err);
    }
    out->verdict = score.all ? spar__verdict_of(score.by_far, score.all) : SPAR__NOT_JUDGED;
    if (bouts->narrowly && out->verdict == SPAR__DOES_NOT_HOLD && score.beaten)
        out->verdict = SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}
