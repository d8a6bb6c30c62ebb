/* Memory that runs out at any moment is an error like others: said as such, nothing lost but the work, nothing leaked.
 */
#include "workspace.h"

#include "paper/paper.h"

static const spar__paper_policy policies[] = {{"Self", "ind_self_sparring"}, {"Random", "random"}};

static spar_status custom(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                          double *curve, spar_error *err)
{
    (void)spec, (void)err;
    for (size_t i = 0; i < n; i++)
        curve[i] = (double)(checkpoint[i] + run);
    return SPAR_OK;
}

static spar_status look(const spar_snapshot *snapshot, double *out)
{
    *out = (double)snapshot->t;
    return SPAR_OK;
}

static const spar__cell_probe probe = {"round", 1, look};
static const uint64_t marks[] = {10};
static const spar__paper_setting duel = {.name = "multi/linear-1good",
                                         .title = "duel",
                                         .env = "utility(set=1good,link=linear)",
                                         .feedback = "all_pairs",
                                         .m = 2,
                                         .rounds = 20,
                                         .runs = 2,
                                         .policy = policies,
                                         .n_policies = 2,
                                         .probe = &probe,
                                         .mark = marks,
                                         .n_marks = 1};
static const spar__paper_setting alone = {.name = "b/custom",
                                          .title = "custom",
                                          .env = "-",
                                          .m = 1,
                                          .rounds = 20,
                                          .runs = 2,
                                          .policy = policies,
                                          .n_policies = 1,
                                          .custom = custom,
                                          .custom_name = "count"};

/* Length of all that is written. */
static spar_status report(const spar__paper *paper, size_t *length, spar_error *err)
{
    spar__buf csv = {0}, json = {0}, html = {0};
    spar__paper_csv(paper, &csv);
    spar__paper_curves_csv(paper, &csv);
    spar__paper_json(paper, &json);
    spar_status status = spar__paper_html(paper, "spar paper", &html, err);
    if (!status && (csv.failed || json.failed))
        status = spar__fail_memory(err);
    *length = csv.length + json.length + html.length;
    spar__buf_free(&csv);
    spar__buf_free(&json);
    spar__buf_free(&html);
    return status;
}

/* The figure that shows the duel, and no claims: those that need no setting would take long, again and again. */
static void play_multi(spar__paper *paper)
{
    for (size_t i = 0; i < spar__n_paper_figures; i++)
        if (!strcmp(spar__paper_figures[i].name, "multi"))
            paper->figure[0] = &spar__paper_figures[i];
    paper->n_claims = 0;
}

/* A figure that shows the first of two settings of the test's own. */
static spar_status work(const spar__paper_options *options, size_t *length, spar_error *err)
{
    spar__paper *paper = NULL;
    spar_status status = spar__paper_new(options, &paper, err);
    if (!status)
        play_multi(paper);
    if (!status)
        status = spar__paper_add(paper, &duel, err);
    if (!status)
        status = spar__paper_add(paper, &alone, err);
    if (!status)
        status = spar__paper_run(paper, err);
    if (!status)
        status = report(paper, length, err);
    spar__paper_free(paper);
    return status;
}

/* Each call has its turn to fail, until there are no more. */
static void starve(const spar__paper_options *options, bool anew, size_t whole, const char *what)
{
    size_t k = 1, wrong = 0, length = 0;
    for (bool more = true; more; k++) {
        spar_error err = {0};
        if (anew)
            (void)workspace_each(options->cells, workspace_remove);
        spar__alloc_fail_at(k);
        spar_status status = work(options, &length, &err);
        more = spar__alloc_count() >= k;
        spar__alloc_fail_at(0);
        bool fine = status == SPAR_OK ? length == whole : status == SPAR_NOMEM && err.status == SPAR_NOMEM && *err.text;
        if (!fine && !wrong++)
            printf("# call %zu: %d, %s\n", k, (int)status, err.text);
    }
    ok(wrong == 0 && k > 100, "%s: each of %zu calls for memory may fail", what, k - 1);
}

int main(void)
{
    spar__paper_options options = {.cells = workspace_folder(), .figure = "linearity", .seed = 1, .threads = 1};
    spar_error err = {0};
    size_t whole = 0;
    ok(work(&options, &whole, &err) == SPAR_OK, "works: %s", err.text);
    starve(&options, false, whole, "with cells on disk");
    starve(&options, true, whole, "without");
    workspace_clear(options.cells);
    return done();
}
