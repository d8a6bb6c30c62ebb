/* The same checks over every policy that the registries can build. */
#include "contract/stacks.h"

#include "base/alloc.h"

enum { ARMS = 6, ROUNDS = 400, LOG = 300, DRAWS = 20000 };

static const double value[64] = {0.30, 0.45, 0.90, 0.20, 0.55, 0.40, 0.35, 0.10};

static void plays_in_range(const stack_case *c)
{
    spar_arms *arms = make_arms(ARMS);
    player a = player_new(c, arms, 7, ROUNDS), b = player_new(c, arms, 7, ROUNDS);
    spar_rng luck_a, luck_b;
    spar_rng_seed(&luck_a, 1, 1, 1);
    spar_rng_seed(&luck_b, 1, 1, 1);
    bool range = true, same = true, finite = true;
    double score[64];
    for (int t = 0; t < ROUNDS; t++) {
        same &= play(&a, &luck_a, value, 0.1) && play(&b, &luck_b, value, 0.1) && a.round->m == b.round->m;
        range &= a.round->m >= 1 && (c->policy->own_size || a.round->m == c->m);
        for (size_t j = 0; j < a.round->m; j++) {
            range &= a.round->arm[j] < ARMS && a.round->prob[j] > 0 && a.round->prob[j] <= 1;
            same &= a.round->arm[j] == b.round->arm[j];
        }
    }
    finite &=
        spar_policy_score(a.policy, a.scratch, spar_arms_count(spar_policy_arms(a.policy)), score, NULL) == SPAR_OK;
    for (size_t i = 0; i < ARMS; i++)
        finite &= isfinite(score[i]) != 0;
    ok(range, "%s m=%zu: arms and probabilities are in range", c->spec, c->m);
    ok(same, "%s m=%zu: the same seed gives the same rounds", c->spec, c->m);
    ok(finite, "%s m=%zu: scores are numbers", c->spec, c->m);
    ok(same_bytes(state_of(a.policy), state_of(b.policy)), "%s m=%zu: and the same state", c->spec, c->m);
    ok(spar_policy_rounds(a.policy) == ROUNDS, "%s m=%zu: rounds are counted", c->spec, c->m);
    player_free(&a);
    player_free(&b);
    spar_arms_free(arms);
}

static void missing_and_extra(const stack_case *c)
{
    spar_arms *arms = make_arms(ARMS);
    player a = player_new(c, arms, 8, ROUNDS), b = player_new(c, arms, 8, ROUNDS);
    spar_rng luck_a, luck_b, other;
    spar_rng_seed(&luck_a, 1, 1, 1);
    spar_rng_seed(&luck_b, 1, 1, 1);
    spar_rng_seed(&other, 99, 1, 1);
    bool refused = true, went = true;
    for (int t = 0; t < ROUNDS; t++) {
        went &= play(&a, &luck_a, value, 0) && play(&b, &luck_b, value, 0);
        spar_rng keep = b.rng;
        b.rng = other; /* an extra question, which gets no answer */
        went &= choose(&b);
        other = b.rng;
        b.rng = keep;
        if (c->policy->own_size && b.round->m == 1)
            continue; /* nothing to compare, so nothing could be missing: learning it would count the round */
        (void)spar_feedback_reset(b.feedback, b.round->m);
        went &= spar_policy_learn(b.policy, b.round, b.feedback, NULL) == SPAR_OK;
    }
    ok(went && same_bytes(state_of(a.policy), state_of(b.policy)),
       "%s m=%zu: extra chooses and empty feedback change nothing", c->spec, c->m);
    answer(&b, &luck_b, value, 0);
    b.round->arm[0] = ARMS;
    refused &= spar_policy_learn(b.policy, b.round, b.feedback, NULL) == SPAR_INVALID;
    b.round->arm[0] = 0;
    (void)spar_feedback_reset(b.feedback, b.round->m + 1);
    refused &= spar_policy_learn(b.policy, b.round, b.feedback, NULL) == SPAR_INVALID;
    ok(refused && same_bytes(state_of(a.policy), state_of(b.policy)),
       "%s m=%zu: rounds that do not fit are refused and change nothing", c->spec, c->m);
    player_free(&a);
    player_free(&b);
    spar_arms_free(arms);
}

/* Questions and answers, written down. */
typedef struct log_line {
    spar_round *round;
    spar_feedback *feedback;
} log_line;

static log_line log_write(const player *p)
{
    log_line line;
    if (spar_round_new(1, &line.round) || spar_feedback_new(1, &line.feedback))
        abort();
    if (spar_round_copy(p->round, line.round) || spar_feedback_copy(p->feedback, line.feedback))
        abort();
    return line;
}

static void log_fill(log_line *line, player *p, spar_rng *luck)
{
    for (int t = 0; t < LOG; t++) {
        if (!play(p, luck, value, 0.05))
            abort();
        line[t] = log_write(p);
    }
}

static void log_free(log_line *line)
{
    for (int t = 0; t < LOG; t++) {
        spar_round_free(line[t].round);
        spar_feedback_free(line[t].feedback);
    }
}

static void replay_and_rename(const stack_case *c)
{
    static const size_t renamed[ARMS] = {3, 5, 0, 1, 4, 2};
    spar_arms *arms = make_arms(ARMS);
    double x[ARMS];
    for (size_t i = 0; i < ARMS; i++)
        x[renamed[i]] = arms->x[i];
    spar_arms *other_arms = NULL;
    if (spar_arms_new(ARMS, 1, x, NULL, &other_arms))
        abort();
    player a = player_new(c, arms, 9, 10000), again = player_new(c, arms, 9, 10000);
    player b = player_new(c, other_arms, 9, 10000);
    spar_rng luck;
    spar_rng_seed(&luck, 2, 1, 1);
    static log_line line[LOG];
    log_fill(line, &a, &luck);
    bool learned = true;
    for (int t = 0; t < LOG; t++) {
        learned &= spar_policy_learn(again.policy, line[t].round, line[t].feedback, NULL) == SPAR_OK;
        for (size_t j = 0; j < line[t].round->m; j++)
            line[t].round->arm[j] = renamed[line[t].round->arm[j]];
        learned &= spar_policy_learn(b.policy, line[t].round, line[t].feedback, NULL) == SPAR_OK;
    }
    ok(learned && same_bytes(state_of(a.policy), state_of(again.policy)), "%s m=%zu: replay gives the same state",
       c->spec, c->m);
    double score[64], other[64];
    bool same =
        spar_policy_score(a.policy, a.scratch, spar_arms_count(spar_policy_arms(a.policy)), score, NULL) == SPAR_OK &&
        spar_policy_score(b.policy, b.scratch, spar_arms_count(spar_policy_arms(b.policy)), other, NULL) == SPAR_OK;
    for (size_t i = 0; i < ARMS; i++)
        same &= score[i] == other[renamed[i]];
    ok(same, "%s m=%zu: renamed arms, renamed scores", c->spec, c->m);
    double count[ARMS * ARMS] = {0}, other_count[ARMS * ARMS] = {0};
    spar_rng_seed(&b.rng, 77, 1, 1);
    for (int t = 0; t < DRAWS; t++) {
        learned &= choose(&a) && choose(&b);
        size_t last = a.round->m - 1, other_last = b.round->m - 1;
        count[renamed[a.round->arm[0]] * ARMS + renamed[a.round->arm[last]]]++;
        other_count[b.round->arm[0] * ARMS + b.round->arm[other_last]]++;
    }
    double excess = chi_square_excess(count, other_count, (size_t)ARMS * ARMS);
    ok(learned && excess < 5, "%s m=%zu: renamed arms, renamed choices (%.1f sigma)", c->spec, c->m, excess);
    log_free(line);
    player_free(&a);
    player_free(&b);
    player_free(&again);
    spar_arms_free(arms);
    spar_arms_free(other_arms);
}

/* All questions of a batch are asked before the first answer comes; answers come in another order, some twice, and the
 * last batch's once more. */
static void late_answers(const stack_case *c)
{
    enum { BATCHES = 40 };
    spar_arms *arms = make_arms(ARMS);
    player a = player_new(c, arms, 15, 1000);
    spar_rng luck;
    spar_rng_seed(&luck, 7, 1, 1);
    static log_line line[LOG], before[LOG];
    bool went = true, finite = true;
    double score[64];
    for (int batch = 0; batch < BATCHES; batch++) {
        for (int t = 0; t < LOG; t++) {
            went &= choose(&a);
            answer(&a, &luck, value, 0.05);
            line[t] = log_write(&a);
            for (size_t j = 0; j < a.round->m; j++)
                went &= a.round->arm[j] < ARMS;
        }
        for (int t = LOG; t-- > 0;)
            for (int again = 0; again <= t % 3; again++)
                went &= spar_policy_learn(a.policy, line[t].round, line[t].feedback, NULL) == SPAR_OK;
        for (int t = 0; batch && t < LOG; t++)
            went &= spar_policy_learn(a.policy, before[t].round, before[t].feedback, NULL) == SPAR_OK;
        if (batch)
            log_free(before);
        memcpy(before, line, sizeof line);
        finite &=
            spar_policy_score(a.policy, a.scratch, spar_arms_count(spar_policy_arms(a.policy)), score, NULL) == SPAR_OK;
        for (size_t i = 0; i < ARMS; i++)
            finite &= isfinite(score[i]) != 0;
    }
    log_free(before);
    ok(went && finite, "%s m=%zu: late, repeated and stale answers do no harm", c->spec, c->m);
    player_free(&a);
    spar_arms_free(arms);
}

static void horizon_is_asked_for(const stack_case *c)
{
    spar_arms *arms = make_arms(ARMS);
    spar_policy *policy = NULL;
    spar_error err = {0};
    spar_rng birth;
    spar_rng_seed(&birth, 1, 1, 1);
    spar_status status = spar_policy_new(c->spec, arms, c->m, 0, &birth, &policy, &err);
    if (c->policy->needs_horizon)
        ok(status == SPAR_UNSUPPORTED && !policy && strstr(err.text, "horizon"), "%s: refuses an unknown horizon: %s",
           c->spec, err.text);
    else
        ok(status == SPAR_OK && policy, "%s m=%zu: needs no horizon", c->spec, c->m);
    spar_policy_free(policy);
    spar_arms_free(arms);
}

static void save_and_load(const stack_case *c)
{
    spar_arms *arms = make_arms(ARMS);
    player a = player_new(c, arms, 10, 10000), b = player_new(c, arms, 11, 10000);
    spar_rng luck, twin;
    spar_rng_seed(&luck, 3, 1, 1);
    for (int t = 0; t < 100; t++)
        (void)play(&a, &luck, value, 0.1);
    twin = luck;
    spar_error err = {0};
    bytes saved = state_of(a.policy);
    spar_policy_free(b.policy);
    bool went = ok(spar_policy_load(saved.at, saved.length, &b.policy, &err) == SPAR_OK,
                   "%s m=%zu: loads what it saved", c->spec, c->m);
    if (went) {
        b.rng = a.rng;
        ok(same_bytes(state_of(a.policy), state_of(b.policy)), "%s m=%zu: saved again, the same bytes", c->spec, c->m);
        for (int t = 0; t < ROUNDS; t++) {
            went &= play(&a, &luck, value, 0) && play(&b, &twin, value, 0);
            went &= memcmp(a.round->arm, b.round->arm, a.round->m * sizeof(size_t)) == 0;
        }
        ok(went && same_bytes(state_of(a.policy), state_of(b.policy)), "%s m=%zu: and goes on the same", c->spec, c->m);
    }
    size_t accepted = 0;
    for (size_t i = 0; i < saved.length; i++) {
        spar_policy *broken = NULL;
        saved.at[i] ^= 0x41;
        accepted += spar_policy_load(saved.at, saved.length, &broken, &err) == SPAR_OK || broken;
        spar_policy_free(broken);
        accepted += spar_policy_load(saved.at, i, &broken, &err) == SPAR_OK || broken;
        saved.at[i] ^= 0x41;
    }
    ok(accepted == 0, "%s m=%zu: damaged or cut bytes are refused", c->spec, c->m);
    spar_bytes_free(saved.at);
    player_free(&a);
    player_free(&b);
    spar_arms_free(arms);
}

/* A policy goes on when there was no memory to save it. */
static void survives_a_failed_save(const stack_case *c)
{
    spar_arms *arms = make_arms(ARMS);
    player a = player_new(c, arms, 16, 10000);
    spar_rng luck;
    spar_rng_seed(&luck, 8, 1, 1);
    bool same = true;
    for (int t = 0; t < 100; t++)
        (void)play(&a, &luck, value, 0.1);
    size_t k = 1;
    for (bool through = false; !through && k < 100; k++) {
        bytes before = state_of(a.policy), none = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar_policy_save(a.policy, &none.at, &none.length);
        spar__alloc_fail_at(0);
        through = status == SPAR_OK;
        same &= through ? none.at != NULL : status == SPAR_NOMEM && !none.at && !none.length;
        spar_bytes_free(none.at);
        same &= same_bytes(before, state_of(a.policy));
    }
    ok(same && k > 2 && k < 100, "%s m=%zu: a save that fails changes nothing", c->spec, c->m);
    player_free(&a);
    spar_arms_free(arms);
}

static void every_allocation_fails_once(const stack_case *c)
{
    spar_arms *arms = make_arms(3);
    bool clean = true;
    size_t k = 1;
    for (bool through = false; !through && k < 10000; k++) {
        spar_policy *policy = NULL, *loaded = NULL;
        bytes saved = {0};
        spar_rng birth;
        spar_error err;
        spar_rng_seed(&birth, 1, 1, 1);
        spar__alloc_fail_at(k);
        spar_status status = spar_policy_new(c->spec, arms, c->m, 100, &birth, &policy, &err);
        clean &= (status == SPAR_OK) == (policy != NULL);
        if (!status)
            status = spar_policy_save(policy, &saved.at, &saved.length);
        if (!status)
            status = spar_policy_load(saved.at, saved.length, &loaded, &err);
        clean &= (loaded != NULL) == (!status && saved.at);
        double x = 0.5;
        for (int i = 0; !status && policy->cls->live_arms && i < 3; i++)
            status = spar_policy_add_arm(policy, &x, "new", NULL, &err);
        through = status == SPAR_OK;
        clean &= through || status == SPAR_NOMEM;
        spar__alloc_fail_at(0);
        spar_bytes_free(saved.at);
        spar_policy_free(policy);
        spar_policy_free(loaded);
    }
    ok(clean && k > 5 && k < 10000, "%s m=%zu: each of %zu allocations fails once, cleanly", c->spec, c->m, k - 2);
    spar_arms_free(arms);
}

static void finds_the_best(const stack_case *c)
{
    enum { EASY = 5, LONG = 100000 };
    double easy[EASY] = {0.1, 0.1, 0.1, 0.1, 0.1};
    if (c->policy->baseline)
        return;
    spar_arms *arms = make_arms(EASY);
    player a = player_new(c, arms, 13, LONG);
    const spar__posterior *belief = belief_of(a.policy);
    size_t top = belief && belief->cls->linear ? EASY - 1 : 3; /* one that it can take for the best */
    easy[top] = 0.9;
    spar_rng luck;
    spar_rng_seed(&luck, 5, 1, 1);
    double best = 0, slots = 0, score[64];
    for (int t = 0; t < LONG; t++) {
        (void)play(&a, &luck, easy, 0);
        for (size_t j = 0; t >= LONG / 10 * 9 && j < a.round->m; j++) {
            best += a.round->arm[j] == top;
            slots += 1;
        }
    }
    (void)spar_policy_score(a.policy, a.scratch, spar_arms_count(spar_policy_arms(a.policy)), score, NULL);
    bool highest = true;
    for (size_t i = 0; i < EASY; i++)
        highest &= i == top || score[top] > score[i];
    ok(highest, "%s m=%zu: the best of 5 easy arms has the highest score", c->spec, c->m);
    ok(best / slots > best_share(c, a.policy, 0.8), "%s m=%zu: and is played most (%.3f of the slots)", c->spec, c->m,
       best / slots);
    player_free(&a);
    spar_arms_free(arms);
}

static void few_arms(const stack_case *c)
{
    for (size_t n = c->policy->min_m; n <= 2; n++) {
        spar_arms *arms = make_arms(n);
        player a = player_new(c, arms, 14, 1000);
        spar_rng luck;
        spar_rng_seed(&luck, 6, 1, 1);
        bool went = true;
        for (int t = 0; t < ROUNDS; t++)
            went &= play(&a, &luck, value, t % 2 ? 1 : 0); /* every second round is all ties */
        ok(went, "%s m=%zu: runs with %zu arm%s", c->spec, c->m, n, n > 1 ? "s" : "");
        player_free(&a);
        spar_arms_free(arms);
    }
}

int main(void)
{
    find_cases();
    ok(n_cases > 5, "there are policies to test: %zu", n_cases);
    for (size_t i = 0; i < n_cases; i++) {
        plays_in_range(&cases[i]);
        missing_and_extra(&cases[i]);
        replay_and_rename(&cases[i]);
        late_answers(&cases[i]);
        horizon_is_asked_for(&cases[i]);
        save_and_load(&cases[i]);
        survives_a_failed_save(&cases[i]);
        every_allocation_fails_once(&cases[i]);
        few_arms(&cases[i]);
        finds_the_best(&cases[i]);
    }
    return done();
}
