#include "paper/claims/shown.h"

#include "paper/claims/judge.h"

#include <math.h>

typedef struct trend {
    spar__estimate times[SPAR__SHOWN_STEPS]; /* the rival's regret over SelfSparring's */
    spar__estimate exponent;                 /* times ~ m^exponent */
    bool grows, falls;                       /* over all steps; at some step */
} trend;

/* false: not all was run. */
static bool measure(const spar__paper *paper, const spar__shown_case *one, size_t rival, trend *out,
                    spar_status *status)
{
    for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++) {
        const spar__cell *a = spar__shown_cell(paper, one, spar__shown_m[i], 0);
        const spar__cell *b = spar__shown_cell(paper, one, spar__shown_m[i], rival);
        spar__regret_comparison comparison;
        if (!a || !b || (*status = spar__regret_compare(a, a->regret, b->regret, &comparison)))
            return false;
        out->times[i] = comparison.times;
    }
    const spar__estimate *last = &out->times[SPAR__SHOWN_STEPS - 1];
    out->exponent = spar__fit_power(SPAR__SHOWN_STEPS, spar__shown_m, out->times);
    out->grows = out->exponent.mean > 2 * out->exponent.se && last->mean - 2 * last->se > 1;
    out->falls = false;
    for (size_t i = 1; i < SPAR__SHOWN_STEPS; i++) {
        const spar__estimate *a = &out->times[i - 1], *b = &out->times[i];
        out->falls |= b->mean < a->mean - 2 * sqrt(a->se * a->se + b->se * b->se);
    }
    return true;
}

enum { MOST_RIVALS = 2 };

/* The ratios at the smallest and the largest m, of each rival over all cases. */
struct advantage_ends {
    const char *label[MOST_RIVALS];
    spar__range first[MOST_RIVALS], last[MOST_RIVALS];
};

static void add_ends(struct advantage_ends *ends, size_t rival, const char *label, const trend *t)
{
    if (!ends->label[rival]) {
        ends->label[rival] = label;
        ends->first[rival] = ends->last[rival] = SPAR__RANGE_EMPTY;
    }
    spar__range_add(&ends->first[rival], t->times[0].mean);
    spar__range_add(&ends->last[rival], t->times[SPAR__SHOWN_STEPS - 1].mean);
}

static void write_brief(const struct advantage_ends *ends, const char *own, spar__buf *out)
{
    for (size_t i = 0; i < MOST_RIVALS && ends->label[i]; i++) {
        spar__buf_printf(out, "%s %s is ", i ? ", and that of" : "We find that the regret of", ends->label[i]);
        spar__finding_range(out, ends->first[i]);
        spar__buf_printf(out, " times%s%s at m = 2 and ", i ? "" : " that of ", i ? "" : own);
        spar__finding_range(out, ends->last[i]);
        spar__buf_adds(out, " times at m = 16");
    }
    if (ends->label[0])
        spar__buf_adds(out, ".");
}

spar_status spar__advantage_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    const spar__shown_cases *cases = data;
    size_t good = 0, some = 0, all = 0;
    struct advantage_ends ends = {0};
    spar_status status = SPAR_OK;
    for (const spar__shown_case *one = cases->item; one < cases->item + cases->n; one++)
        for (size_t rival = 1; rival < one->n_policies; rival++) {
            trend t;
            if (!measure(paper, one, rival, &t, &status)) {
                if (status)
                    return spar__fail_memory(err);
                continue;
            }
            spar__finding_item(&out->numbers, all++, "Regret of a rival over that of SelfSparring at m = 2, 4, 8, 16:");
            add_ends(&ends, rival - 1, one->policy[rival].label, &t);
            good += t.grows && !t.falls;
            some += t.grows;
            spar__buf_printf(&out->numbers, "%s on %s %.3g, %.3g, %.3g, %.3g (m to the power %.2f +- %.2f)",
                             one->policy[rival].label, one->title, t.times[0].mean, t.times[1].mean, t.times[2].mean,
                             t.times[3].mean, t.exponent.mean, t.exponent.se);
        }
    write_brief(&ends, cases->item[0].policy[0].label, &out->brief);
    spar__finding_close(out, good, all);
    if (some && out->verdict == SPAR__DOES_NOT_HOLD)
        out->verdict = SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}

/* One case. */
static spar__figure advantage_panel(const spar__shown_case *one, const spar__series *series, const char *note)
{
    return (spar__figure){.title = one->title,
                          .x_label = "arms shown a round, m",
                          .log_x = true,
                          .log_y = true,
                          .n_series = one->n_policies - 1,
                          .series = series,
                          .width = 420,
                          .height = 340,
                          .legend_below = true,
                          .same_y = true,
                          .band_note = note};
}

spar_status spar__advantage_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    const spar__shown_cases *cases = data;
    double y[SPAR__SHOWN_CASES][MOST_RIVALS][3 * SPAR__SHOWN_STEPS];
    spar__series series[SPAR__SHOWN_CASES][MOST_RIVALS];
    spar__figure panel[SPAR__SHOWN_CASES];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    spar_status status = SPAR_OK;
    for (size_t c = 0; c < cases->n; c++) {
        const spar__shown_case *one = &cases->item[c];
        for (size_t rival = 1; rival < one->n_policies; rival++) {
            double *room = y[c][rival - 1];
            trend t;
            if (!measure(paper, one, rival, &t, &status))
                return spar__fail(err, status ? status : SPAR_INVALID, "advantage: not all settings were run");
            series[c][rival - 1] =
                spar__estimate_series(one->policy[rival].label, SPAR__SHOWN_STEPS, spar__shown_m, t.times, room);
            for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++)
                room[SPAR__SHOWN_STEPS + i] = fmax(room[SPAR__SHOWN_STEPS + i], 0);
        }
        for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++)
            spar__run_count_add(&runs, spar__shown_cell(paper, one, spar__shown_m[i], 0));
        panel[c] = advantage_panel(one, series[c], note);
    }
    (void)spar__run_count_note(&runs, note);
    panel[0].y_label = "regret over SelfSparring's";
    return spar__draw_panels(panel, cases->n, cases->n, to);
}
