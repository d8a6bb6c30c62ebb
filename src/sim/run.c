#include "sim/run.h"

#include "base/clock.h"
#include "base/error.h"
#include "sim/account.h"
#include "sim/tally.h"

#include <math.h>

/* Everything a run works with. */
struct play {
    const spar__lab *lab;
    size_t index; /* of the policy */
    uint64_t run;
    spar_world *world;
    spar_policy *policy;
    spar_rng rng;
    spar__tools *tools;
    spar__account account;
    spar__watch watch;
    bool watched;        /* the watch has something to look at */
    uint64_t t;          /* rounds played */
    size_t snapshots;    /* to be taken of this run: all of the plan's, or none */
    size_t taken;        /* of these, so far */
    spar__tallies tally; /* kept while there are more to come */
};

/* The clock is read after a number of rounds: as many as fit between LEAST and MOST nanoseconds, so that fast rounds
 * are not slowed down and a stop does not wait long for slow ones. */
struct pace {
    uint64_t rounds;
    double last;
};

enum { LEAST = 2000000, MOST = 20000000, LONGEST = 1 << 20 };

static void adjust(struct pace *pace)
{
    double now = spar__clock_wall(), took = now - pace->last;
    if (took < LEAST && pace->rounds < LONGEST)
        pace->rounds *= 2;
    else if (took > MOST && pace->rounds > 1)
        pace->rounds /= 2;
    pace->last = now;
}

spar_status spar__run_policy(const spar__lab *lab, size_t index, const spar_world *world, uint64_t run, spar_rng *rng,
                             spar_policy **out, spar_error *err)
{
    const spar_plan *plan = lab->plan;
    const char *spec = plan->policies[index];
    spar_rng_seed(rng, plan->seed, run, SPAR__PURPOSE_POLICY);
    if (plan->custom && plan->custom[index])
        return spar_policy_new_custom(spec, plan->custom[index], spar_world_arms(world), plan->m,
                                      spar__plan_horizon(plan), rng, out, err);
    return spar_policy_new(spec, spar_world_arms(world), plan->m, spar__plan_horizon(plan), rng, out, err);
}

static spar_status get_tools(spar__tools *tools, size_t m)
{
    return (!tools->scratch && spar_scratch_new(&tools->scratch)) ||
                   (!tools->round && spar_round_new(m, &tools->round)) ||
                   (!tools->feedback && spar_feedback_new(m, &tools->feedback))
               ? SPAR_NOMEM
               : SPAR_OK;
}

void spar__tools_fini(spar__tools *tools)
{
    spar_feedback_free(tools->feedback);
    spar_round_free(tools->round);
    spar_scratch_free(tools->scratch);
}

static spar_status begin(struct play *play, uint64_t run, spar_error *err)
{
    const spar__lab *lab = play->lab;
    const spar_plan *plan = lab->plan;
    play->run = run;
    play->snapshots = plan->every_run || run == plan->first_run ? plan->n_snapshots : 0;
    spar_status status = spar_world_new(lab->env, plan->seed, run, &play->world, err);
    if (!status)
        status = spar__run_policy(lab, play->index, play->world, run, &play->rng, &play->policy, err);
    if (status)
        return status;
    play->watched = lab->stop || plan->identify;
    if (get_tools(play->tools, plan->m) || spar__account_init(&play->account, play->world, plan->regret, plan->m) ||
        (play->watched && spar__watch_init(&play->watch, play->world, lab->stop, plan->identify, plan->strongest)))
        return spar__fail_memory(err);
    return SPAR_OK;
}

static void end(struct play *play)
{
    spar__tallies_free(&play->tally);
    spar__watch_fini(&play->watch);
    spar__account_fini(&play->account);
    spar_policy_free(play->policy);
    spar_world_free(play->world);
}

/* Plays until `until` rounds were played, or a decision ends the run. */
static spar_status advance(struct play *play, uint64_t until, spar_error *err)
{
    const spar_user *user = play->lab->user;
    spar_scratch *scratch = play->tools->scratch;
    spar_round *round = play->tools->round;
    spar_feedback *feedback = play->tools->feedback;
    spar_status status = SPAR_OK;
    for (uint64_t t = play->t + 1; !status && t <= until && !spar__watch_ended(&play->watch); t++) {
        status = spar_policy_choose(play->policy, scratch, &play->rng, round, err);
        if (!status)
            status = spar_user_answer(user, play->world, t, round, feedback);
        if (!status)
            status = spar_policy_learn(play->policy, round, feedback, err);
        if (!status)
            spar__account_round(&play->account, t, round);
        if (!status && play->taken < play->snapshots)
            status = spar__tallies_add(&play->tally, spar_policy_arms(play->policy), round, feedback);
        if (!status && play->watched)
            status = spar__watch_answer(&play->watch, t, round, feedback);
        play->t = t;
    }
    return status;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The round of the next snapshot. */
static uint64_t next_snapshot(const struct play *play)
{
    return play->taken < play->snapshots ? play->lab->plan->snapshot[play->taken] : UINT64_MAX;
}

static spar_status take_snapshot(struct play *play, spar_error *err)
{
    spar_snapshot snapshot = {play->index, play->run, play->t, play->policy, play->world, play->tally.arm};
    play->taken++;
    return play->lab->observer(play->lab->context, &snapshot, err);
}

static spar_status fail_round(const struct play *play, spar_status status, const spar_error *why, spar_error *err)
{
    return spar__fail(err, status, "round %llu: %s", (unsigned long long)play->t,
                      why->status == status ? why->text : spar_status_text(status));
}

/* What the watch saw; its list of flips changes hands. */
static void take_decision(struct play *play, spar__run_numbers *out)
{
    spar__watch *watch = &play->watch;
    out->decided = watch->decided;
    out->right = watch->decided && spar__watch_right(watch);
    out->flip = watch->readout.flip;
    out->flips = watch->readout.flips;
    watch->readout.flip = NULL;
}

static void take_numbers(struct play *play, uint64_t slots, uint64_t best, spar__run_numbers *out)
{
    spar__account *account = &play->account;
    out->regret = spar__account_regret(account);
    out->per_slot = spar__account_per_slot(account);
    out->best_share = spar__account_best_share(account, slots, best);
    out->best_pulls = isnan(out->best_share) ? (double)NAN : (double)account->best;
    out->set_size = (double)account->slots / (double)play->t;
    out->redrawn = spar_world_redrawn(play->world);
    out->played = play->t;
    take_decision(play, out);
    out->complete = true;
}

/* From checkpoint to checkpoint, with stops where the last tenth begins, for snapshots, and where the clock is due. */
static spar_status all_rounds(struct play *play, spar__run_numbers *out, spar_error *err)
{
    const spar__lab *lab = play->lab;
    spar__account *account = &play->account;
    uint64_t rounds = lab->plan->rounds, tail = rounds - (rounds < 10 ? 1 : rounds / 10);
    struct pace pace = {1, spar__clock_wall()};
    spar_error why = {0};
    uint64_t due = 1, told = 0, slots = 0, best = 0;
    size_t c = 0;
    while (play->t < rounds && !spar__watch_ended(&play->watch)) {
        uint64_t until = least(least(lab->checkpoint[c], due), next_snapshot(play));
        spar_status status = advance(play, play->t < tail ? least(until, tail) : until, &why);
        if (status)
            return fail_round(play, status, &why, err);
        if (play->t == next_snapshot(play) && (status = take_snapshot(play, err)))
            return status;
        if (play->t == tail) {
            slots = account->slots;
            best = account->best;
        }
        if (play->t == lab->checkpoint[c])
            out->curve[c++] = spar__account_regret(account);
        if (play->t == due || play->t == rounds) {
            if (!lab->pulse(lab->context, play->t - told) && play->t < rounds)
                return SPAR_OK;
            told = play->t;
            adjust(&pace);
            due += pace.rounds;
        }
    }
    take_numbers(play, account->slots > slots ? slots : 0, account->slots > slots ? best : 0, out);
    for (; c == 0 || lab->checkpoint[c - 1] < rounds; c++)
        out->curve[c] = out->regret;
    if (told < rounds)
        (void)lab->pulse(lab->context, rounds - told);
    return SPAR_OK;
}

spar_status spar__run(const spar__lab *lab, size_t index, uint64_t run, spar__tools *tools, spar__run_numbers *out,
                      spar_error *err)
{
    struct play play = {.lab = lab, .index = index, .tools = tools};
    double start = spar__clock_thread();
    spar_status status = begin(&play, run, err);
    if (!status)
        status = all_rounds(&play, out, err);
    out->seconds = 1e-9 * (spar__clock_thread() - start);
    if (!status && out->complete && run == lab->plan->first_run)
        out->accuracy = spar_policy_accuracy(play.policy);
    end(&play);
    return status;
}
