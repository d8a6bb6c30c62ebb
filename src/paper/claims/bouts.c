#include "paper/claims/bouts.h"

#include "paper/claims/judge.h"

static void tell(const char *title, const char *hero, const char *rival, const spar__contest *c, spar__buf *out)
{
    spar__buf_printf(out, "%s: %s pays %.1f (median %.1f), %s %.1f (median %.1f), %.2f +- %.2f times as much%s. ",
                     title, hero, c->mean[0], c->median[0], rival, c->mean[1], c->median[1], c->times.mean, c->times.se,
                     c->beats ? "" : ": not beaten");
}

/* One scene: who of the rivals is there, and who is beaten. */
static spar_status judge_scene(const spar__bouts *bouts, const spar__scene *scene, size_t *beaten, size_t *all,
                               spar__buf *out)
{
    const spar__cell *hero = spar__scene_cell(scene, bouts->hero);
    for (const char *const *name = bouts->rival; hero && *name; name++) {
        const spar__cell *rival = spar__scene_cell(scene, *name);
        spar__contest contest;
        if (!rival)
            continue;
        if (spar__contest_judge(hero, hero->regret, rival->regret, &contest))
            return SPAR_NOMEM;
        tell(scene->title, bouts->hero, *name, &contest, out);
        *beaten += contest.beats;
        ++*all;
        if (!bouts->per_slot)
            continue;
        if (spar__contest_judge(hero, hero->per_slot, rival->per_slot, &contest))
            return SPAR_NOMEM;
        spar__buf_printf(out, "(Per slot shown, times m: %.1f and %.1f.) ", contest.mean[0], contest.mean[1]);
    }
    return SPAR_OK;
}

spar_status spar__bouts_judge(const spar__bouts *bouts, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    size_t beaten = 0, all = 0;
    for (const char *const *name = bouts->scene; *name; name++) {
        const spar__scene *scene = spar__paper_scene(paper, *name);
        if (scene && judge_scene(bouts, scene, &beaten, &all, &out->numbers))
            return spar__fail_memory(err);
    }
    out->verdict = all ? spar__verdict_of(beaten, all) : SPAR__NOT_JUDGED;
    return SPAR_OK;
}
