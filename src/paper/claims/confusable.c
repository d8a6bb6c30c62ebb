/* What if people cannot compare very different arms? Answers are missing, or coin flips, with a probability that grows
 * with the distance of the two arms. */
#include "paper/paper.h"

#include <stdio.h>

enum { MODES = 2, STEPS = 7, QUARTER = 2, POLICIES = 2, ROUNDS = 500 };
static const char *const modes[MODES] = {"missing", "coin"};
static const char *const titles[MODES] = {"Confused answers are missing", "Confused answers are coin flips"};
static const double scales[STEPS] = {0.05, 0.1, 0.25, 0.5, 1, 2, 10};

static void name_setting(size_t mode, size_t step, char *out, size_t size)
{
    (void)snprintf(out, size, "confusable/%s-%g", modes[mode], scales[step]);
}

static spar_status add_one(spar__paper *paper, const char *name, const char *title, const char *feedback,
                           spar_error *err)
{
    spar__paper_setting wanted = {.name = name,
                                  .title = title,
                                  .env = "function(name=forrester,points=30)",
                                  .feedback = feedback,
                                  .m = 2,
                                  .rounds = ROUNDS,
                                  .runs = 50,
                                  .quick_runs = 30,
                                  .policy = spar__kernel_policies,
                                  .n_policies = POLICIES,
                                  .nanoseconds = 6000};
    return spar__paper_add(paper, &wanted, err);
}

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    spar_status status = add_one(paper, "confusable/none", "Forrester", NULL, err);
    for (size_t i = 0; !status && i < MODES * STEPS; i++) {
        char name[64], title[64], feedback[64];
        name_setting(i / STEPS, i % STEPS, name, sizeof name);
        (void)snprintf(title, sizeof title, "Forrester, %s, scale %g", modes[i / STEPS], scales[i % STEPS]);
        (void)snprintf(feedback, sizeof feedback, "confusable(scale=%g,mode=%s)", scales[i % STEPS], modes[i / STEPS]);
        status = add_one(paper, name, title, feedback, err);
    }
    return status;
}

static const spar__cell *cell_of(const spar__paper *paper, size_t mode, size_t step, size_t policy)
{
    char name[64];
    name_setting(mode, step, name, sizeof name);
    return spar__paper_cell(spar__paper_find(paper, name), spar__kernel_policies[policy].label);
}

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    const spar__paper_setting *clear = spar__paper_find(paper, "confusable/none");
    const spar__cell *base = spar__paper_cell(clear, spar__kernel_policies[0].label);
    size_t good = 0;
    for (size_t mode = 0; base && mode < MODES; mode++) {
        const spar__cell *some = cell_of(paper, mode, QUARTER, 0), *most = cell_of(paper, mode, 0, 0);
        spar__regret_comparison less, worst; /* the worlds and random numbers are the same as with clear answers */
        if (!some || !most)
            return SPAR_OK;
        if (spar__regret_compare(base, base->regret, some->regret, &less) ||
            spar__regret_compare(base, base->regret, most->regret, &worst))
            return spar__fail_memory(err);
        good += less.beats && worst.beats;
        spar__buf_printf(&out->brief, "%s %.2g to %.2g times as high",
                         mode ? ", and where they are coin flips"
                              : "We find that where answers about different arms are missing the regret of "
                                "KernelSelfSparring is",
                         less.times.mean, worst.times.mean);
        if (mode == 0)
            spar__buf_printf(&out->numbers, "Mean regret of KernelSelfSparring: %.1f (median %.1f) with clear answers.",
                             less.mean[0], less.median[0]);
        spar__buf_printf(&out->numbers,
                         " %s: %.1f (median %.1f) at scale 0.25, %.1f (median %.1f) at 0.05, that is %.2f +- %.2f and "
                         "%.2f +- %.2f times as much.",
                         titles[mode], less.mean[1], less.median[1], worst.mean[1], worst.median[1], less.times.mean,
                         less.times.se, worst.times.mean, worst.times.se);
    }
    spar__buf_adds(&out->brief, out->brief.length ? "." : "");
    out->verdict = base ? spar__verdict_of(good, MODES) : SPAR__NOT_JUDGED;
    return SPAR_OK;
}

static spar_status draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    double y[MODES][POLICIES][3 * STEPS];
    spar__series series[MODES][POLICIES];
    spar__figure panel[MODES];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    for (size_t mode = 0; mode < MODES; mode++) {
        for (size_t p = 0; p < POLICIES; p++) {
            spar__estimate regret[STEPS];
            for (size_t i = 0; i < STEPS; i++) {
                const spar__cell *cell = cell_of(paper, mode, i, p);
                if (!cell)
                    return spar__fail(err, SPAR_INVALID, "confusable: not all settings were run");
                regret[i] = spar__mean_of(cell->regret, cell->runs, 1);
                spar__run_count_add(&runs, cell);
            }
            series[mode][p] = spar__estimate_series(spar__kernel_policies[p].label, STEPS, scales, regret, y[mode][p]);
        }
        panel[mode] = (spar__figure){.title = titles[mode],
                                     .x_label = "scale: distance at which 63 % are confused",
                                     .y_label = mode ? NULL : "regret of 500 rounds",
                                     .log_x = true,
                                     .n_series = POLICIES,
                                     .series = series[mode],
                                     .width = 450,
                                     .height = 370,
                                     .same_y = true,
                                     .band_note = note};
    }
    (void)spar__run_count_note(&runs, note);
    return spar__draw_panels(panel, MODES, MODES, to);
}

const spar__claim spar__claim_confusable = {
    .name = "confusable",
    .title = "Arms that are hard to compare make it harder (caveat)",
    .says = "The analysis assumes that the choice of arms does not change how answers are given, which is not so where "
            "people can hardly compare very different arms.",
    .test =
        "Forrester, two arms a round; an answer about arms at distance d is missing, or a coin flip, with probability "
        "1 - exp(-d / scale). The caveat matters when regret at scales 0.25 and 0.05 is above that with clear "
        "answers: paired mean difference beyond 2 standard errors, and the higher median. Holds when that is true "
        "for missing answers and for coin flips, in part for one.",
    .plan = plan,
    .judge = judge,
    .draw = draw,
};
