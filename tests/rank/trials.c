#include "rank/comparison.h"

#include "base/alloc.h"
#include "rank/desk.h"

static const uint8_t grade[] = {2, 0, 1, 0, 1, 2, 0, 0};
static const uint64_t good[] = {0, 5, 2, 4}, bad[] = {1, 3, 6, 0};

/* The stated variance is that of repeated runs. */
static void check_variance(const char *how)
{
    enum { RUNS = 2000, DRAWS = 20 };
    spar__click *click;
    spar__mixer mixer;
    spar__trials *trials;
    spar_rng rng = desk_rng(41);
    double sum = 0, square = 0, stated = 0;
    (void)spar__click_new("informational", 3, 4, &click, NULL);
    (void)spar__mixer_new(how, &mixer, NULL);
    (void)spar__trials_new(&mixer, click, NULL, &trials);
    for (size_t n = 0; n < RUNS; n++) {
        spar__trial_mean mean;
        (void)spar__trials_duel(trials, grade, 4, good, bad, DRAWS, &rng, &mean);
        sum += mean.p;
        square += mean.p * mean.p;
        stated += mean.variance;
    }
    double variance = (square - sum * sum / RUNS) / (RUNS - 1);
    near(stated / RUNS / variance, 1, 5 * sqrt(2. / RUNS), "%s: the variance is as stated", how);
    ok(sum / RUNS > 0.55, "%s: the good list wins (%.3f)", how, sum / RUNS);
    spar__trials_free(trials);
    spar__click_free(click);
}

int main(void)
{
    for (size_t i = 0; i < spar__n_mix_classes; i++)
        check_variance(spar__mix_classes[i]->entry.name);
    spar__click *click;
    spar__mixer mixer;
    spar__trials *trials;
    spar__trial_mean mean;
    spar_rng rng = desk_rng(42);
    (void)spar__click_new("perfect", 3, 4, &click, NULL);
    (void)spar__mixer_new("team_draft", &mixer, NULL);
    (void)spar__trials_new(&mixer, click, NULL, &trials);
    ok(!spar__trials_duel(trials, grade, 4, good, bad, 0, &rng, &mean) && mean.p == 0.5, "no draws know nothing");
    ok(!spar__trials_duel(trials, grade, 0, good, bad, 9, &rng, &mean) && mean.p == 0.5, "nor does an empty list");
    ok(!spar__trials_duel(trials, grade, 1, good, bad, 9, &rng, &mean) && mean.p == 0.5 && mean.variance == 0,
       "nor a single place");
    ok(!spar__trials_duel(trials, grade, 2, good, bad, 9, &rng, &mean) && mean.p == 1 && mean.variance == 0,
       "what is certain has no variance");
    const uint64_t twice[] = {1, 1, 2, 3};
    ok(spar__trials_duel(trials, grade, 4, good, twice, 9, &rng, &mean) == SPAR_INVALID, "a document twice");
    spar__trials_free(trials);
    size_t failed = 0;
    for (size_t k = 1;; k++) {
        spar__alloc_fail_at(k);
        spar_status status = spar__trials_new(&mixer, click, NULL, &trials);
        if (!status)
            status = spar__trials_duel(trials, grade, 4, good, bad, 3, &rng, &mean);
        spar__alloc_fail_at(0);
        spar__trials_free(trials);
        if (!status)
            break;
        failed += status == SPAR_NOMEM;
    }
    ok(failed > 10, "each of %zu allocations may fail", failed);
    spar__click_free(click);
    return done();
}
