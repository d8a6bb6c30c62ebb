/* Policies after 1e12 rounds and near the end of what is counted.
 *
 * No test can play that long. Here a policy plays 1,000 rounds, and is then saved with all its counts a billion times
 * as large: the program is linked so that what archives f64s goes through this file. Loaded again, it must go on:
 * choose live arms, keep finite scores, and learn: each answer still changes something. */
#include "base/archive.h"
#include "stacks.h"

enum { ARMS = 5, PLAYED = 1000, MORE = 200 };
static double factor = 1;

void __real_spar__archive_f64(spar__archive *ar, double *value);
void __real_spar__archive_f64s(spar__archive *ar, double *values, size_t n);
void __real_spar__archive_text(spar__archive *ar, char **text);
void __wrap_spar__archive_f64(spar__archive *ar, double *value);
void __wrap_spar__archive_f64s(spar__archive *ar, double *values, size_t n);
void __wrap_spar__archive_text(spar__archive *ar, char **text);

void __wrap_spar__archive_f64(spar__archive *ar, double *value)
{
    double scaled = factor * *value;
    __real_spar__archive_f64(ar, ar->loading || !ar->cache ? value : &scaled);
}

void __wrap_spar__archive_f64s(spar__archive *ar, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        __wrap_spar__archive_f64(ar, &values[i]);
}

/* The first field of a saved policy. What is kept for speed does not fit the larger counts. */
void __wrap_spar__archive_text(spar__archive *ar, char **text)
{
    if (ar->loading && factor != 1)
        ar->cache = NULL;
    __real_spar__archive_text(ar, text);
}

/* The features and key are not counts. */
static bool scalable(const stack_case *c)
{
    return !c->policy->needs_horizon && !c->policy->asked_only;
}

/* Makes all that was learned a number of times as much; false if such a state is refused. */
static bool forward(player *p, double times)
{
    spar_policy *later = NULL;
    factor = times;
    bytes b = state_of(p->policy);
    spar_status status = spar_policy_load(b.at, b.length, &later, NULL);
    factor = 1;
    spar_bytes_free(b.at);
    if (status)
        return false;
    later->learned = (uint64_t)(times * (double)p->policy->learned);
    spar_policy_free(p->policy);
    p->policy = later;
    return true;
}

static bool finite_scores(const player *p)
{
    double score[ARMS];
    bool good = spar_policy_score(p->policy, p->scratch, ARMS, score, NULL) == SPAR_OK;
    for (size_t i = 0; i < ARMS; i++)
        good = good && !isnan(score[i]);
    return good;
}

static bool in_range(const spar_round *round)
{
    for (size_t j = 0; j < round->m; j++)
        if (round->arm[j] >= ARMS)
            return false;
    return true;
}

static void go_on(player *p, const stack_case *c, spar_rng *luck, const double *value, double times)
{
    bool chosen = true, moves = true;
    for (int t = 0; t < MORE; t++) {
        bytes before = state_of(p->policy);
        chosen = chosen && choose(p) && in_range(p->round);
        answer(p, luck, value, 0);
        chosen = chosen && spar_policy_learn(p->policy, p->round, p->feedback, NULL) == SPAR_OK;
        moves &= !same_bytes(before, state_of(p->policy));
    }
    ok(chosen, "%s m=%zu, %g times as much learned: it goes on", c->spec, c->m, times);
    ok(moves, "and every answer changes something");
    ok(finite_scores(p), "and its scores are numbers");
    bytes b = state_of(p->policy);
    spar_policy *again = NULL;
    ok(spar_policy_load(b.at, b.length, &again, NULL) == SPAR_OK, "and what it saves can be loaded");
    spar_policy_free(again);
    spar_bytes_free(b.at);
}

/* The last round that is counted, and the one after it. */
static void reach_the_end(player *p, const stack_case *c, spar_rng *luck, const double *value)
{
    spar_error err = {0};
    p->policy->learned = SPAR__MOST_ROUNDS - 1;
    ok(play(p, luck, value, 0), "%s m=%zu: learns the last round that is counted", c->spec, c->m);
    bytes before = state_of(p->policy);
    bool chosen = choose(p);
    answer(p, luck, value, 0);
    spar_status status = spar_policy_learn(p->policy, p->round, p->feedback, &err);
    ok(chosen && status == SPAR_UNSUPPORTED && strstr(err.text, "rounds"), "and refuses the next: %s", err.text);
    ok(same_bytes(before, state_of(p->policy)), "which changes nothing");
}

/* Counts of pairs: up to 2^53, and no weight is lost. */
static void fill_pairs(void)
{
    spar_pair_counts *counts = NULL;
    if (spar_pair_counts_new(2, &counts))
        abort();
    ok(spar_pair_counts_add(counts, 0, 1, SPAR_WIN, 0x1p53 - 1) == SPAR_OK, "2^53 - 1 duels");
    ok(spar_pair_counts_add(counts, 0, 1, SPAR_WIN, 1) == SPAR_OK && spar_pair_counts_won(counts, 0, 1) == 0x1p53,
       "and the last one");
    ok(spar_pair_counts_add(counts, 0, 1, SPAR_WIN, 1) == SPAR_UNSUPPORTED, "one more is refused");
    ok(spar_pair_counts_add(counts, 1, 0, SPAR_WIN, 1e-9) == SPAR_UNSUPPORTED, "and one that nobody would see");
    ok(spar_pair_counts_add(counts, 1, 0, SPAR_WIN, 1e308) == SPAR_UNSUPPORTED, "and one too heavy");
    ok(spar_pair_counts_won(counts, 0, 1) == 0x1p53 && spar_pair_counts_won(counts, 1, 0) == 0, "nothing changed");
    spar_pair_counts_free(counts);
}

static bool sound_interval(const spar_decision *decision)
{
    double low, high;
    return !spar_decision_interval(decision, 0, 1, 0, &low, &high) && low >= 0 && low <= high && high <= 1;
}

/* Ballots of 2^40 answers each, the lightest ones between them. */
static void fill_decision(void)
{
    spar_decision *decision = NULL;
    spar_error err = {0};
    size_t option[] = {0, 1};
    unsigned char outcome[] = {SPAR_MISSING, SPAR_WIN, SPAR_LOSS, SPAR_MISSING};
    spar_ballot heavy = {.size = sizeof heavy, .m = 2, .option = option, .outcome = outcome}, light = heavy;
    heavy.times = UINT64_C(1) << 40;
    light.weight = 1e-300;
    if (spar_decision_new(3, NULL, &decision, NULL))
        abort();
    bool good = true;
    for (int i = 0; i < (1 << 9) - 1; i++)
        good &= !spar_decision_answer(decision, &heavy, NULL) && (i % 10 || sound_interval(decision));
    ok(good, "2^49 - 2^40 answers");
    ok(spar_decision_answer(decision, &light, NULL) == SPAR_OK && sound_interval(decision), "the lightest weight");
    uint64_t answers = spar_decision_answers(decision);
    ok(spar_decision_answer(decision, &heavy, &err) != SPAR_OK && strstr(err.text, "2^49"),
       "one ballot more is refused: %s", err.text);
    ok(spar_decision_answers(decision) == answers && spar_decision_leader(decision) == 0, "and changes nothing");
    spar_decision_free(decision);
}

int main(void)
{
    fill_pairs();
    fill_decision();
    static const double value[ARMS] = {0.9, 0.6, 0.5, 0.4, 0.1};
    find_cases();
    spar_arms *arms = make_arms(ARMS);
    for (size_t i = 0; i < n_cases; i++) {
        if (cases[i].m > 2 || !scalable(&cases[i]))
            continue;
        player p = player_new(&cases[i], arms, 1, 0);
        spar_rng luck;
        spar_rng_seed(&luck, 3, i, 1);
        for (int t = 0; t < PLAYED; t++)
            (void)play(&p, &luck, value, 0);
        if (ok(forward(&p, 1e9), "%s m=%zu: 1e12 rounds", cases[i].spec, cases[i].m)) {
            go_on(&p, &cases[i], &luck, value, 1e9);
            reach_the_end(&p, &cases[i], &luck, value);
        }
        player_free(&p);
    }
    spar_arms_free(arms);
    return done();
}
