#include "workspace.h"

#include "base/file.h"
#include "paper/paper.h"

#include <sys/stat.h>

static const spar__paper_setting rankers = {.m = 4,
                                            .rounds = 100,
                                            .runs = 2,
                                            .quick_runs = 1,
                                            .policy = spar__multi_policies,
                                            .n_policies = SPAR__MULTI_POLICIES};

static void put(const char *folder, const char *name, const char *text)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)spar__file_write(path, text, strlen(text), NULL);
}

static spar__paper *plan(const char *cells, const char *data, spar_status wanted, const char *what)
{
    spar__paper_options options = {.cells = cells, .data = data, .seed = 1};
    spar__paper *paper = workspace_paper(&options);
    spar_error err = {0};
    if (!ok(spar__paper_add_rankers(paper, &rankers, &err) == wanted, "%s", what))
        printf("# %s\n", err.text);
    return paper;
}

/* The one file in a folder is this, and gives that setting; NULL: none. */
static void is_known(const char *cells, const char *name, const char *text, const char *setting, const char *what)
{
    const char *data = workspace_folder();
    put(data, name, text);
    spar__paper *paper = plan(cells, data, setting ? SPAR_OK : SPAR_INVALID, what);
    if (setting && paper->n_settings)
        same_text(paper->setting[0]->name, setting, "and what it is");
    spar__paper_free(paper);
    workspace_clear(data);
}

static void check_forms(const char *cells)
{
    static char digits[4096];
    memset(digits, '1', sizeof digits - 1);
    is_known(cells, "a", "# made up\n\n2 qid:10 1:0.5\n", "rankers/letor", "a comment before LETOR lines");
    is_known(cells, "a",
             "\xEF\xBB\xBF"
             "0.5 0.7\n0.3 0.5\n",
             "rankers/matrix", "a byte order mark before a matrix");
    is_known(cells, "a", "f1 f2\n0.5 0.7\n0.3 0.5\n", "rankers/matrix", "a matrix below names");
    is_known(cells, "a", "left hand,right hand\n0.5,0.7\n0.3,0.5\n", "rankers/matrix", "with commas");
    is_known(cells, "a", "a title\n1\n2\n", NULL, "numbers below words");
    is_known(cells, "a", digits, "rankers/matrix", "a long line of digits");
    is_known(cells, "a:b", "2 qid:10 1:0.5\n", NULL, "a colon, which stands between LETOR files");
    is_known(cells, "a\"b", "0.5 0.7\n0.3 0.5\n", NULL, "a quote, which ends a path");
    const char *data = workspace_folder();
    put(data, "errors.txt", "0 0.1\n0.1 0\n");
    put(data, "matrix-\xFF\n.txt", "0.5 0.7\n0.3 0.5\n");
    spar__paper *paper = plan(cells, data, SPAR_OK, "two matrices");
    same_text(paper->setting[0]->title, "matrix-??.txt, Bernoulli draws",
              "the one called so, in letters that are text");
    spar__paper_free(paper);
    workspace_clear(data);
}

static void check_generated(const char *cells)
{
    spar__paper *paper = plan(cells, NULL, SPAR_OK, "generated data");
    char *before = spar__strdup(paper->setting[0]->cell[0].key);
    spar__paper_free(paper);
    put(cells, "generated.txt", "2 qid:10 1:0.5\n");
    paper = plan(cells, NULL, SPAR_OK, "that are damaged");
    same_text(paper->setting[0]->cell[0].key, before, "are made again");
    spar__paper_free(paper);
    spar__free(before);
}

int main(void)
{
    const char *cells = workspace_folder(), *data = workspace_folder();
    spar__paper *paper = plan(cells, NULL, SPAR_OK, "without data");
    ok(paper->n_settings == 1 && !strcmp(paper->setting[0]->name, "rankers/generated"), "rankers are generated");
    ok(strstr(paper->setting[0]->title, "generated") != NULL, "and the title says so");
    spar_error err = {0};
    ok(!spar__paper_run(paper, &err) && spar__paper_find(paper, "rankers/generated"), "they play: %s", err.text);
    spar__paper_free(paper);

    spar__paper_free(plan(cells, data, SPAR_INVALID, "an empty directory is an error"));
    spar__paper_free(plan(cells, "/no/such/place", SPAR_IO, "so is a missing one"));

    char sub[200];
    (void)snprintf(sub, sizeof sub, "%s/sub", data);
    (void)mkdir(sub, 0777);
    put(data, "README", "words\n");
    put(data, "prefs.txt", "0.5 0.7\n0.3 0.5\n");
    paper = plan(cells, data, SPAR_OK, "a matrix");
    ok(paper->n_settings == 1 && !strcmp(paper->setting[0]->name, "rankers/matrix"), "is found by its rows");
    char *before = spar__strdup(paper->setting[0]->cell[0].key);
    spar__paper_free(paper);

    put(data, "prefs.txt", "0.5 0.8\n0.2 0.5\n");
    put(sub, "a.txt", "2 qid:10 1:0.5 2:1\n");
    put(sub, "train.txt", "1 qid:10 1:0.5 2:1\n");
    paper = plan(cells, data, SPAR_OK, "both");
    ok(paper->n_settings == 2 && !strcmp(paper->setting[0]->name, "rankers/letor"),
       "LETOR files are found one level down");
    ok(strstr(paper->setting[0]->env, "/sub/train.txt") && !strstr(paper->setting[0]->shown, "/sub/"),
       "the training file, shown without its place");
    ok(strcmp(paper->setting[1]->cell[0].key, before), "other content, another setting");
    spar__paper_free(paper);
    spar__free(before);

    paper = plan(cells, sub, SPAR_OK, "LETOR only");
    ok(paper->n_settings == 1, "is one setting");
    spar__paper_free(paper);
    check_forms(cells);
    check_generated(cells);
    workspace_clear(sub);
    workspace_clear(data);
    workspace_clear(cells);
    return done();
}
