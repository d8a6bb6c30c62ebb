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
        write_rival(*name, &c, out);
        if (beats->per_slot && fabs(rival->per_slot[0] - rival->regret[0]) > 1e-6 * rival->regret[0] &&
            write_per_slot(own, rival, out))
            return SPAR_NOMEM;
        count_rival(count, (size_t)(name - beats->rivals), &c);
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
    write_brief(beats, &count, &out->brief);
    out->verdict = count.rivals ? spar__verdict_of(count.by_far, count.rivals) : SPAR__NOT_JUDGED;
    if (beats->narrowly && out->verdict == SPAR__DOES_NOT_HOLD && count.at_all)
        out->verdict = SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}
