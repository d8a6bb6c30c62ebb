#include "paper/claims/beats.h"

#include "paper/claims/judge.h"

#include <math.h>
#include <string.h>

static void write_rival(const char *label, const spar__regret_comparison *c, spar__buf *out)
{
    spar__buf_printf(out, "; %s %.1f (median %.1f), %.2f +- %.2f times as much%s", label, c->mean[1], c->median[1],
                     c->times.mean, c->times.se,
                     c->by_far  ? ""
                     : c->beats ? ", beaten but not by far"
                                : ", not beaten");
}

/* Where a policy chooses how many arms it shows, its regret per slot may be quite different. */
static spar_status write_per_slot(const spar__cell *own, const spar__cell *rival, spar__buf *out)
{
    spar__regret_comparison c;
    if (spar__regret_compare(own, own->per_slot, rival->per_slot, &c))
        return SPAR_NOMEM;
    spar__buf_printf(out, " (%.1f counted per slot, %.2f +- %.2f times)", c.mean[1], c.times.mean, c.times.se);
    return SPAR_OK;
}

struct beaten {
    size_t by_far, at_all, rivals;
};

static spar_status judge_setting(const spar__beats *beats, const spar__paper_setting *setting, struct beaten *count,
                                 spar__buf *out)
{
    const spar__cell *own = spar__paper_cell(setting, beats->policy);
    spar__summary regret;
    if (!own)
        return SPAR_OK;
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
        write_rival(*name, &c, out);
        if (beats->per_slot && fabs(rival->per_slot[0] - rival->regret[0]) > 1e-6 * rival->regret[0] &&
            write_per_slot(own, rival, out))
            return SPAR_NOMEM;
        count->by_far += c.by_far;
        count->at_all += c.beats;
        count->rivals++;
    }
    spar__buf_adds(out, ".");
    return SPAR_OK;
}

spar_status spar__beats_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
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
    out->verdict = count.rivals ? spar__verdict_of(count.by_far, count.rivals) : SPAR__NOT_JUDGED;
    if (beats->narrowly && out->verdict == SPAR__DOES_NOT_HOLD && count.at_all)
        out->verdict = SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}
