/* Some claims on real runs, and with random play in place of the policy they are about. */
#include "judged.h"

#include "paper/paper.h"

#include <math.h>

/* Short runs of the policies that claims are about, as they are or swapped. */
static spar__paper *short_run(const char *from, const char *cells)
{
    static const spar__paper_policy vanilla[] = {
        {"IndSelfSparring", "ind_self_sparring(eta=3.5)"}, {"RMED1", "rmed1"}, {"Sparring-UCB1", "sparring/ucb1"}};
    spar__paper_options options = {
        .quick = true, .cells = cells, .seed = 1, .threads = 1, .swap_from = from, .swap_to = "random"};
    spar__paper_setting wanted[] = {
        {.name = "multi/linear-arith", .env = "utility(set=arith,link=linear)", .m = 4, .quick_rounds = 5000},
        {.name = "kernel-multi/forrester", .env = "function(name=forrester,points=30)", .m = 4, .quick_rounds = 100},
        {.name = "grid/linear-1good", .env = "utility(set=1good,link=linear)", .m = 2, .quick_rounds = 5000},
    };
    const spar__paper_policy *const policies[] = {spar__multi_policies, spar__kernel_policies, vanilla};
    static const size_t n_policies[] = {3, 2, 3};
    spar__paper *paper = workspace_paper(&options);
    spar_error err = {0};
    bool good = true;
    for (size_t i = 0; i < 3; i++) {
        wanted[i].title = wanted[i].name;
        wanted[i].quick_runs = 8;
        wanted[i].policy = policies[i];
        wanted[i].n_policies = n_policies[i];
        good = good && !spar__paper_add(paper, &wanted[i], &err);
    }
    ok(good && !spar__paper_run(paper, &err), "short runs, %s swapped: %s", from ? from : "no policy", err.text);
    return paper;
}

/* The probe of the long runs in a short one: it sums over all arms, and gives NaN for a policy without a belief. */
static void check_probe(void)
{
    static const spar__paper_policy policies[] = {{"Self", "ind_self_sparring"}, {"Random", "random"}};
    static const uint64_t marks[] = {10, 2000};
    spar__paper_options options = {.cells = workspace_folder(), .seed = 1, .threads = 1};
    spar__paper *lender = workspace_paper(&options), *paper = workspace_paper(&options);
    (void)spar__paper_need(lender, claim_of("lemma-2")->needs, NULL);
    spar__paper_setting wanted = {.name = "probe",
                                  .title = "probe",
                                  .env = "utility(set=1good,link=linear)",
                                  .m = 2,
                                  .rounds = 2000,
                                  .runs = 2,
                                  .policy = policies,
                                  .n_policies = 2,
                                  .probe = lender->setting[0]->probe,
                                  .mark = marks,
                                  .n_marks = 2};
    spar_error err = {0};
    ok(!spar__paper_add(paper, &wanted, &err) && !spar__paper_run(paper, &err), "played: %s", err.text);
    const spar__paper_setting *setting = spar__paper_find(paper, "probe");
    const double *self = spar__paper_cell(setting, "Self")->probe, *random = spar__paper_cell(setting, "Random")->probe;
    ok(self[2] == 20 && self[6] == 4000 && random[6] == 4000, "two plays a round");
    ok(self[4] > 0 && self[4] < random[4] && self[5] > random[5], "least and most are told apart");
    ok(self[3] > self[7] && self[7] > 0 && self[7] < 0.5, "belief comes nearer, %.3f to %.3f", self[3], self[7]);
    ok(isnan(random[3]) && isnan(random[7]), "random play has no belief");
    spar__paper_free(paper);
    spar__paper_free(lender);
    workspace_clear(options.cells);
}

static void check_swap(void)
{
    const char *cells = workspace_folder();
    spar__paper *paper = short_run(NULL, cells);
    judged(paper, "beats-multi", SPAR__HOLDS, "IndSelfSparring plays");
    judged(paper, "beats-kernel-multi", SPAR__HOLDS, "KernelSelfSparring plays");
    judged(paper, "competitive", SPAR__HOLDS, "IndSelfSparring plays");
    spar__paper_free(paper);
    paper = short_run("ind_self_sparring", cells);
    judged(paper, "beats-multi", SPAR__DOES_NOT_HOLD, "random plays in its place");
    judged(paper, "beats-kernel-multi", SPAR__HOLDS, "KernelSelfSparring still plays");
    judged(paper, "competitive", SPAR__DOES_NOT_HOLD, "random plays in its place");
    spar__paper_free(paper);
    paper = short_run("kernel_self_sparring", cells);
    judged(paper, "beats-multi", SPAR__HOLDS, "IndSelfSparring still plays");
    judged(paper, "beats-kernel-multi", SPAR__DOES_NOT_HOLD, "random plays in its place");
    spar__paper_free(paper);
    workspace_clear(cells);
}

int main(void)
{
    check_probe();
    check_swap();
    return done();
}
