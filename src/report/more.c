#include "report/more.h"

#include "base/buf.h"
#include "decide/decide.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRUTHS = 60, FEW_TRUTHS = 20, SHORTEST = 100 }; /* screens of a truth that are worth looking at */

static const double BUDGET = 4e5; /* microseconds */
static const double MEMORY = 1e8; /* bytes */

/* Beliefs with a matrix, which keep their answers. */
static bool is_joint(const spar_policy *policy)
{
    const char *spec = spar_policy_spec(policy);
    return strstr(spec, "pl") || strstr(spec, "gp") || strstr(spec, "kernel");
}

/* About what a screen costs, in microseconds. The clock is not asked: the same log gives the same words. */
static double cost_of(const spar_policy *policy)
{
    double n = (double)spar_arms_count(spar_policy_arms(policy)), m = (double)spar_policy_slots(policy);
    return 1 + 0.3 * m * m + 0.04 * n + (is_joint(policy) ? 3 + 0.03 * n * n : 0);
}

/* About how many bytes a truth takes. */
static double size_of(const spar_decision *decision, const spar_policy *policy)
{
    double n = (double)spar_arms_count(spar_policy_arms(policy)), answers = (double)spar_policy_rounds(policy);
    return 120 * (double)decision->evidence.pairs.count + 100 * n + (is_joint(policy) ? 100 * answers + 8 * n * n : 0);
}

/* How many truths can be played; 0: too few to say anything. */
static size_t truths_for(const spar_decision *decision, const spar_policy *policy)
{
    static const size_t tries[] = {TRUTHS, FEW_TRUTHS};
    for (size_t i = 0; i < 2; i++)
        if (BUDGET / cost_of(policy) >= (double)(tries[i] * SHORTEST) &&
            size_of(decision, policy) * (double)tries[i] <= MEMORY)
            return tries[i];
    return 0;
}

static const char *feedback_of(spar_answer_kind asks)
{
    return asks == SPAR_ANSWER_RANKING ? "ranking" : asks == SPAR_ANSWER_PAIRS ? "all_pairs" : "winner(rule=luce)";
}

static spar_status prepare(spar_forecast *f, const spar_standings *standings, const spar_decision *decision,
                           const spar_policy *policy, spar_answer_kind asks, spar_error *err)
{
    spar_status status = spar_forecast_set_standings(f, standings, err);
    if (!status)
        status = spar_forecast_set_truths(f, truths_for(decision, policy), err);
    if (!status)
        status = spar_forecast_set_work(f, (uint64_t)(BUDGET / cost_of(policy)), err);
    if (!status)
        status = spar_forecast_set_feedback(f, feedback_of(asks), err);
    spar_forecast_set_threads(f, 1);
    return status ? status : spar_forecast_set_start(f, decision, policy, err);
}

spar_status spar__more_look(spar__more_report *r, const spar_standings *standings, const spar_decision *decision,
                            const spar_policy *policy, spar_answer_kind asks, double silent, spar_error *err)
{
    *r = (spar__more_report){0};
    if (!truths_for(decision, policy))
        return SPAR_OK;
    spar_forecast *f = NULL;
    spar_status status = spar_forecast_new(2, &f, err);
    if (!status)
        status = prepare(f, standings, decision, policy, asks, err);
    if (!status)
        status = spar_forecast_set_silent(f, silent > 0.99 ? 0.99 : silent, err);
    if (!status)
        status = spar_forecast_run(f, NULL, NULL, err);
    if (!status)
        *r = (spar__more_report){.known = true,
                                 .low = spar_forecast_screens(f, 0, 0.1),
                                 .median = spar_forecast_screens(f, 0, 0.5),
                                 .high = spar_forecast_screens(f, 0, 0.9),
                                 .decided = spar_forecast_decided(f, 0, 1e300),
                                 .horizon = spar_forecast_horizon(f),
                                 .truths = spar_forecast_played(f)};
    spar_forecast_free(f);
    return status == SPAR_NOMEM ? status : SPAR_OK; /* what a policy cannot play is not known */
}

unsigned spar__more_rounded(double count)
{
    if (isinf(count))
        return 0;
    double unit = 1;
    while (count / unit >= 100)
        unit *= 10;
    double value = unit * floor(count / unit + 0.5);
    return value < 1 ? 1 : (unsigned)value;
}

void spar__more_words(const spar__more_report *r, size_t room, char *out)
{
    unsigned horizon = spar__more_rounded((double)r->horizon), median = spar__more_rounded(r->median);
    out[0] = 0;
    if (!r->known)
        return;
    if (isinf(r->median))
        (void)snprintf(out, room, "probably more than %u more answers", horizon);
    else if (isinf(r->high))
        (void)snprintf(out, room, "about %u more answer%s (%u to more than %u)", median, spar__plural(median),
                       spar__more_rounded(r->low), horizon);
    else
        (void)snprintf(out, room, "about %u more answer%s (%u to %u)", median, spar__plural(median),
                       spar__more_rounded(r->low), spar__more_rounded(r->high));
}

static void add_count(const char *key, double count, spar__json *json)
{
    spar__json_add_number(json, key, isinf(count) ? count : ceil(count)); /* infinity is null */
}

void spar__more_json(const spar__more_report *r, spar__json *json)
{
    spar__json_key(json, "more_answers");
    if (!r->known) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    add_count("q10", r->low, json);
    add_count("median", r->median, json);
    add_count("q90", r->high, json);
    spar__json_add_number(json, "decided", r->decided);
    spar__json_add_unsigned(json, "horizon", r->horizon);
    spar__json_add_unsigned(json, "truths", r->truths);
    spar__json_end_object(json);
}
