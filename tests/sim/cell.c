#include "sim/sweep.h"

#include "base/alloc.h"
#include "base/file.h"
#include "sim/sim.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

static char dir[64];

/* The round, and how often the best arm was shown so far. */
static spar_status measure(const spar_snapshot *snapshot, double *out)
{
    out[0] = (double)snapshot->t;
    out[1] = (double)snapshot->tally[spar_world_best(snapshot->world, 1)].plays;
    return SPAR_OK;
}

static const spar__cell_probe probe = {"best", 2, measure};
static const uint64_t marks[] = {10, 100};
static const spar__cell_spec duel = {.env = "utility(set=arith,link=linear)",
                                     .policy = "ind_self_sparring",
                                     .label = "Self",
                                     .m = 2,
                                     .rounds = 300,
                                     .horizon = 300,
                                     .seed = 3,
                                     .runs = 6,
                                     .probe = &probe,
                                     .mark = marks,
                                     .n_marks = 2};

/* Costs one a round, and the number of the run. */
static spar_status count(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint, double *curve,
                         spar_error *err)
{
    (void)spec, (void)err;
    for (size_t i = 0; i < n; i++)
        curve[i] = (double)(checkpoint[i] + run);
    return SPAR_OK;
}

static spar_status fail_second(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                               double *curve, spar_error *err)
{
    return run == 1 ? spar__fail(err, SPAR_INVALID, "no") : count(spec, run, n, checkpoint, curve, err);
}

static const spar__cell_spec custom = {
    .env = "-", .policy = "any", .m = 1, .rounds = 100, .seed = 3, .runs = 5, .custom = count, .custom_name = "count"};

static spar__cell made(const spar__cell_spec *spec)
{
    spar__cell cell = {0};
    ok(spar__cell_init(&cell, spec) == SPAR_OK && cell.key && !cell.done, "a cell is made");
    return cell;
}

static spar__cell played(const spar__cell_spec *spec)
{
    spar_error err = {0};
    spar__cell cell = made(spec);
    ok(spar__cell_play(&cell, NULL, NULL, NULL, &err) == SPAR_OK && cell.done, "it is played: %s", err.text);
    return cell;
}

static size_t size_of(const spar__cell *cell)
{
    return cell->runs * (cell->n_checkpoints + 5 + cell->n_marks * cell->width);
}

static bool same_numbers(const spar__cell *a, const spar__cell *b)
{
    return size_of(a) == size_of(b) && !memcmp(a->numbers, b->numbers, size_of(a) * sizeof(double));
}

static bool same_key(const spar__cell_spec *spec)
{
    spar__cell a = {0}, b = {0};
    (void)spar__cell_init(&a, &duel);
    (void)spar__cell_init(&b, spec);
    bool same = !strcmp(a.key, b.key);
    spar__cell_fini(&a);
    spar__cell_fini(&b);
    return same;
}

static void check_key(void)
{
    spar__cell cell = made(&duel);
    ok(strstr(cell.key, "utility(set=arith,link=linear)") && strstr(cell.key, "policy ind_self_sparring; m 2;"), "%s",
       cell.key);
    spar__cell_fini(&cell);
    spar__cell_spec other = duel;
    other.label = "Other";
    ok(same_key(&other), "the label is not part of the key");
    other.env_key = other.env;
    other.env = "elsewhere";
    ok(same_key(&other), "nor is the environment where the key has another text for it");
    struct {
        const char *what;
        spar__cell_spec spec;
    } changed[] = {{"environment", duel}, {"feedback", duel},   {"policy", duel}, {"m", duel},     {"rounds", duel},
                   {"horizon", duel},     {"seed", duel},       {"runs", duel},   {"first", duel}, {"probe", duel},
                   {"marks", duel},       {"custom run", duel}, {"more", duel}};
    changed[0].spec.env = "utility(set=arith,link=logit)";
    changed[1].spec.feedback = "pair";
    changed[2].spec.policy = "random";
    changed[3].spec.m = 3;
    changed[4].spec.rounds++;
    changed[5].spec.horizon = 0;
    changed[6].spec.seed++;
    changed[7].spec.runs++;
    changed[8].spec.first_run++;
    changed[9].spec.probe = NULL;
    changed[10].spec.n_marks = 1;
    changed[11].spec.custom = count;
    changed[11].spec.custom_name = "count";
    changed[12].spec.more = "; regret 1";
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
        ok(!same_key(&changed[i].spec), "another %s is another key", changed[i].what);
}

static void check_numbers(const spar__cell *cell)
{
    const char *policies[] = {duel.policy};
    spar_plan plan = {.size = sizeof(spar_plan),
                      .env = duel.env,
                      .policies = policies,
                      .n_policies = 1,
                      .m = duel.m,
                      .rounds = duel.rounds,
                      .horizon = duel.horizon,
                      .runs = duel.runs,
                      .seed = duel.seed};
    spar_results *results = NULL;
    ok(spar_simulate(&plan, &results, NULL) == SPAR_OK, "the same by spar_simulate");
    size_t same = 0, measured = 0;
    for (size_t r = 0; r < 6; r++) {
        const spar__run_numbers *run = &results->run[r];
        const double *at = cell->probe + r * 4;
        same += !memcmp(cell->curve + r * cell->n_checkpoints, run->curve, cell->n_checkpoints * sizeof(double)) &&
                cell->regret[r] == run->regret && cell->per_slot[r] == run->per_slot &&
                cell->best_share[r] == run->best_share && cell->best_pulls[r] == run->best_pulls &&
                cell->set_size[r] == run->set_size;
        measured += at[0] == 10 && at[2] == 100 && at[3] > at[1] && at[3] <= run->best_pulls;
    }
    ok(same == 6 && cell->n_checkpoints == results->n_checkpoints, "every run has the same numbers");
    ok(measured == 6, "the probe measures every run at the marks");
    spar__summary wanted, got;
    (void)spar__results_summary(results, 0, 5, &wanted);
    ok(spar__cell_curve(cell, 5, &got) == SPAR_OK && got.mean == wanted.mean && got.q95 == wanted.q95, "curves");
    (void)spar__results_summary(results, 0, results->n_checkpoints, &wanted);
    ok(spar__cell_summary(cell, cell->regret, &got) == SPAR_OK && got.median == wanted.median && got.n == 6, "regret");
    spar_results_free(results);
}

/* Any part of the runs has the numbers that they have in the whole. */
static void check_range(const spar__cell *whole)
{
    spar__cell_spec spec = duel;
    spec.first_run = 2;
    spec.runs = 3;
    spar__cell part = played(&spec);
    ok(!memcmp(part.curve, whole->curve + 2 * whole->n_checkpoints, 3 * whole->n_checkpoints * sizeof(double)) &&
           !memcmp(part.regret, whole->regret + 2, 3 * sizeof(double)) &&
           !memcmp(part.probe, whole->probe + 2 * 4, 3 * 4 * sizeof(double)),
       "runs 2 to 4 are the same alone");
    spar__cell_fini(&part);
    spec = custom;
    spec.first_run = 10;
    part = played(&spec);
    ok(part.regret[0] == 110 && part.regret[4] == 114 && part.curve[0] == 11, "custom runs have their numbers, too");
    spar__cell_fini(&part);
}

static bool stop(void *context, uint64_t done, uint64_t total)
{
    (void)context, (void)done, (void)total;
    return false;
}

static void check_failures(void)
{
    spar__cell_spec spec = custom;
    spar_error err = {0};
    spec.custom = fail_second;
    spar__cell cell = made(&spec);
    ok(spar__cell_play(&cell, NULL, NULL, NULL, &err) == SPAR_INVALID && !cell.done, "a custom run may fail");
    same_text(err.text, "no", "with its own sentence");
    spar__cell_fini(&cell);
    cell = made(&custom);
    ok(spar__cell_play(&cell, NULL, stop, NULL, &err) == SPAR_OK && !cell.done, "custom runs can be stopped");
    spar__cell_fini(&cell);
    cell = made(&duel);
    ok(spar__cell_play(&cell, NULL, stop, NULL, &err) == SPAR_OK && !cell.done, "so can simulated ones");
    spar__cell_fini(&cell);
    spec = duel;
    spec.policy = "interleaved_filter";
    spec.horizon = 0;
    cell = made(&spec);
    ok(spar__cell_play(&cell, NULL, NULL, NULL, &err) != SPAR_OK && strstr(err.text, "horizon"), "%s", err.text);
    spar__cell_fini(&cell);
}

/* A cell that is saved and loaded has the same numbers; one with fewer bytes has none. */
static void check_archive(spar__cell *cell)
{
    spar__archive time = {0}, out = {.cache = &time};
    cell->note = spar__strdup("a note");
    spar__cell_archive(cell, &out);
    for (size_t cut = 0; cut < 2; cut++) {
        spar__archive spent = {.loading = true, .in = (unsigned char *)time.out.text, .left = time.out.length};
        spar__archive in = {
            .loading = true, .in = (unsigned char *)out.out.text, .left = out.out.length - 8 * cut, .cache = &spent};
        spar__cell again = made(&duel);
        ok(spar__cell_reset(&again) == SPAR_OK, "room for it");
        spar__cell_archive(&again, &in);
        ok(again.done == !cut, cut ? "with bytes missing it is not done" : "it is found again");
        if (!cut) {
            ok(same_numbers(&again, cell) && again.seconds == cell->seconds, "with the same numbers");
            same_text(again.note, "a note", "and its note");
        }
        spar__cell_fini(&again);
    }
    spar__buf_free(&out.out);
    spar__buf_free(&time.out);
}

/* The contents of files are part of what an environment is called. */
static void check_env_key(void)
{
    char path[100], env[200];
    const char *const text[] = {"0.5 0.6\n0.4 0.5\n", "0.5 0.7\n0.3 0.5\n", "0.5 0.6\n0.4 0.5\n"};
    spar__buf key[3] = {{0}};
    spar_error err = {0};
    (void)snprintf(path, sizeof path, "%s/m", dir);
    (void)snprintf(env, sizeof env, "matrix(file=%s)", path);
    for (size_t i = 0; i < 3; i++) {
        (void)spar__file_write(path, text[i], strlen(text[i]), NULL);
        ok(spar__cell_env_key(env, &key[i], &err) == SPAR_OK && strncmp(key[i].text, env, strlen(env)) == 0, "%s",
           key[i].text);
    }
    ok(strcmp(key[0].text, key[1].text) && !strcmp(key[0].text, key[2].text), "other contents are another key");
    (void)remove(path);
    spar__buf_clear(&key[0]);
    ok(spar__cell_env_key(env, &key[0], &err) == SPAR_IO && strstr(err.text, path), "%s", err.text);
    spar__buf_clear(&key[1]);
    ok(!spar__cell_env_key("utility(set=arith)", &key[1], &err), "an environment without files");
    same_text(key[1].text, "utility(set=arith)", "is called what it is");
    for (size_t i = 0; i < 3; i++)
        spar__buf_free(&key[i]);
}

/* Every allocation fails once. */
static void check_memory(void)
{
    size_t k = 1, wrong = 0;
    for (bool more = true; more; k++) {
        spar__cell cell = {0};
        spar_error err = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar__cell_init(&cell, &duel);
        if (!status)
            status = spar__cell_play(&cell, NULL, NULL, NULL, &err);
        more = spar__alloc_count() >= k;
        spar__alloc_fail_at(0);
        wrong += status ? status != SPAR_NOMEM : !cell.done;
        spar__cell_fini(&cell);
    }
    ok(wrong == 0 && k > 20, "each of %zu allocations may fail", k - 1);
}

int main(void)
{
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(dir, sizeof dir, "%s/spar-cell-XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
    if (!mkdtemp(dir))
        return 1;
    check_key();
    spar__cell one = played(&duel), two = played(&duel);
    ok(same_numbers(&one, &two), "the same spec gives the same numbers");
    check_numbers(&one);
    check_range(&one);
    check_failures();
    check_archive(&one);
    check_env_key();
    check_memory();
    spar__cell_fini(&one);
    spar__cell_fini(&two);
    ok(rmdir(dir) == 0, "nothing is left behind");
    return done();
}
