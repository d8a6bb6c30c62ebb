#include "workspace.h"

#include "base/file.h"
#include "paper/paper.h"
#include "sim/sim.h"

static const spar__paper_policy policies[] = {{"Self", "ind_self_sparring"}, {"Random", "random"}};

/* How often the best arm was shown so far, and the round. */
static spar_status look(const spar_snapshot *snapshot, double *out)
{
    out[0] = (double)snapshot->t;
    out[1] = (double)snapshot->tally[spar_world_best(snapshot->world, 1)].plays;
    return SPAR_OK;
}

static const spar__cell_probe probe = {"best", 2, look};
static const uint64_t marks[] = {10, 100, 5000};

/* Costs one a round, and the run's number once. */
static spar_status custom(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                          double *curve, spar_error *err)
{
    (void)spec, (void)err;
    for (size_t i = 0; i < n; i++)
        curve[i] = (double)(checkpoint[i] + run);
    return SPAR_OK;
}

static spar_status fails(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint, double *curve,
                         spar_error *err)
{
    (void)spec, (void)n, (void)checkpoint, (void)curve;
    return run == 2 ? spar__fail(err, SPAR_INVALID, "no") : SPAR_OK;
}

static const spar__paper_setting duel = {.name = "a/duel",
                                         .title = "duel",
                                         .env = "utility(set=arith,link=linear)",
                                         .m = 2,
                                         .rounds = 1000,
                                         .runs = 6,
                                         .quick_runs = 3,
                                         .quick_rounds = 200,
                                         .policy = policies,
                                         .n_policies = 2,
                                         .probe = &probe,
                                         .mark = marks,
                                         .n_marks = 3};
static const spar__paper_setting alone = {.name = "b/custom",
                                          .title = "custom",
                                          .env = "-",
                                          .m = 1,
                                          .rounds = 100,
                                          .runs = 5,
                                          .quick_runs = 2,
                                          .policy = policies,
                                          .n_policies = 1,
                                          .custom = custom,
                                          .custom_name = "count"};

static spar__paper *play(const spar__paper_options *options, spar_status wanted)
{
    spar__paper *paper = workspace_paper(options);
    spar_error err = {0};
    bool staged = !spar__paper_add(paper, &duel, &err) && !spar__paper_add(paper, &alone, &err) &&
                  !spar__paper_add(paper, &duel, &err);
    ok(staged && paper->n_settings == 2, "settings are staged once");
    ok(spar__paper_run(paper, &err) == wanted, "runs: %s", err.text);
    return paper;
}

static char *table(const spar__paper *paper)
{
    spar__buf csv = {0};
    spar__paper_csv(paper, &csv);
    spar__paper_curves_csv(paper, &csv);
    return csv.text;
}

static void check_numbers(const spar__paper *paper)
{
    const spar__paper_setting *setting = spar__paper_find(paper, "a/duel");
    const spar__cell *self = spar__paper_cell(setting, "Self"), *random = spar__paper_cell(setting, "Random");
    spar__summary a, b;
    spar__difference gap;
    ok(self && random && !spar__paper_cell(setting, "None") && !spar__paper_find(paper, "none"), "cells by label");
    (void)spar__cell_summary(self, self->regret, &a);
    (void)spar__cell_curve(self, self->n_checkpoints - 1, &b);
    ok(a.n == 6 && a.mean == b.mean && a.mean > 0, "the curve ends at the regret");
    spar__compare(self->regret, random->regret, self->runs, &gap);
    ok(gap.n == 6 && gap.mean < 0, "paired with those of the other");
    ok(setting->n_marks == 2, "marks beyond the last round are left out");
    size_t right = 0, grown = 0, own = 0;
    const double *first = self->probe;
    for (size_t run = 0; run < self->runs; run++) { /* of each mark: the round, plays of the best */
        const double *seen = self->probe + run * self->n_marks * self->width;
        right += seen[0] == (double)marks[0] && seen[2] == (double)marks[1];
        grown += seen[3] > seen[1];
        own += seen[3] != first[3];
    }
    ok(right == 6 && grown == 6, "the probe looks at the marked rounds of every run");
    ok(own > 0, "which are not alike");
    const spar__cell *count = spar__paper_cell(spar__paper_find(paper, "b/custom"), "Self");
    (void)spar__cell_summary(count, count->regret, &a);
    ok(a.n == 5 && a.mean == 102 && count->curve[0] == 1, "a custom run has its own costs");
}

static void damage(const char *path)
{
    spar__buf file = {0};
    if (!spar__file_read(path, 0, &file, NULL)) {
        file.text[file.length / 2] ^= 1;
        (void)spar__file_write(path, file.text, file.length, NULL);
    }
    spar__buf_free(&file);
}

static void shorten(const char *path)
{
    spar__buf file = {0};
    if (!spar__file_read(path, 0, &file, NULL))
        (void)spar__file_write(path, file.text, file.length / 3, NULL);
    spar__buf_free(&file);
}

static bool stop_half(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    return done < total / 3;
}

static void check_resume(void)
{
    spar__paper_options options = {.cells = workspace_folder(), .seed = 3, .threads = 2};
    spar__paper *first = play(&options, SPAR_OK), *again;
    char *wanted = table(first), *got;
    check_numbers(first);
    ok(first->found == 0 && workspace_each(options.cells, NULL) == 1, "one file of cells");

    again = play(&options, SPAR_OK);
    ok(again->found == 3, "all are found again");
    same_text(got = table(again), wanted, "with the same numbers");
    check_numbers(again);
    spar__free(got);
    spar__paper_free(again);

    (void)workspace_each(options.cells, damage);
    again = play(&options, SPAR_OK);
    ok(again->found == 2 && again->ignored == 1, "a damaged cell is none");
    same_text(got = table(again), wanted, "and is computed anew");
    spar__free(got);
    spar__paper_free(again);

    (void)workspace_each(options.cells, shorten);
    again = play(&options, SPAR_OK);
    ok(again->found < 3 && !again->ignored, "neither is half of one");
    same_text(got = table(again), wanted, "which is computed anew, too");
    spar__free(got);
    spar__paper_free(again);

    options.seed = 4;
    again = play(&options, SPAR_OK);
    got = table(again);
    ok(again->found == 0 && strcmp(got, wanted), "another seed is another question");
    spar__free(got);
    spar__paper_free(again);
    options.seed = 3;
    options.swap_from = "ind_self_sparring";
    options.swap_to = "random";
    again = play(&options, SPAR_OK);
    const spar__paper_setting *setting = spar__paper_find(again, "a/duel");
    ok(again->found == 2, "a swap asks for what another cell has already"); /* random, twice */
    same_text(spar__paper_cell(setting, "Self")->spec.policy, "random", "which keep their label");
    ok(!memcmp(setting->cell[0].regret, setting->cell[1].regret, 6 * sizeof(double)), "and play the other policy");
    spar__paper_free(again);
    workspace_clear(options.cells);

    options = (spar__paper_options){.cells = workspace_folder(), .seed = 3, .threads = 1, .progress = stop_half};
    again = play(&options, SPAR_OK);
    ok(again->interrupted && again->n_done < again->n_cells, "it can be stopped");
    spar__paper_free(again);
    options.progress = NULL;
    again = play(&options, SPAR_OK);
    same_text(got = table(again), wanted, "and goes on to the same numbers, with another number of threads");
    spar__free(got);
    spar__paper_free(again);
    workspace_clear(options.cells);
    spar__free(wanted);
    spar__paper_free(first);
}

int main(void)
{
    check_resume();
    spar__paper_options options = {.cells = workspace_folder(), .quick = true, .seed = 1};
    spar__paper *paper = play(&options, SPAR_OK);
    ok(paper->setting[0]->rounds == 200 && paper->setting[0]->runs == 3 && paper->setting[1]->rounds == 100,
       "quick is less");
    spar__paper_free(paper);

    spar_error err = {0};
    spar__paper_setting bad = alone;
    bad.custom = fails;
    bad.quick_runs = 5;
    paper = workspace_paper(&options);
    ok(!spar__paper_add(paper, &bad, &err) && spar__paper_run(paper, &err) == SPAR_INVALID, "a custom run may fail");
    same_text(err.text, "b/custom: no", "and says why");
    spar__paper_free(paper);

    paper = workspace_paper(&options);
    bad = duel;
    bad.env = "utility(set=nothing)";
    ok(!spar__paper_add(paper, &bad, &err) && spar__paper_run(paper, &err) != SPAR_OK, "a bad environment is an error");
    spar__paper_free(paper);
    workspace_clear(options.cells);
    return done();
}
