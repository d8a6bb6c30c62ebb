#include "desk.h"

#include "base/file.h"
#include "paper/roles.h"

#include <sys/stat.h>

static const spar__setup setup = {
    .m = 4, .rounds = 100, .runs = 2, .quick_runs = 1, .role = spar__multi_roles, .n_roles = SPAR__MULTI_ROLES};

static void put(const char *folder, const char *name, const char *text)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)spar__file_write(path, text, strlen(text), NULL);
}

static spar__paper *stage(const char *cells, const char *data, spar_status wanted, const char *what)
{
    spar__paper_wish wish = {.cells = cells, .data = data, .seed = 1};
    spar__paper *paper = desk_paper(&wish);
    spar_error err = {0};
    if (!ok(spar__paper_stage_rankers(paper, &setup, &err) == wanted, "%s", what))
        printf("# %s\n", err.text);
    return paper;
}

/* The one file in a folder is this, and gives that scene; NULL: none. */
static void is_known(const char *cells, const char *name, const char *text, const char *scene, const char *what)
{
    const char *data = desk_folder();
    put(data, name, text);
    spar__paper *paper = stage(cells, data, scene ? SPAR_OK : SPAR_INVALID, what);
    if (scene && paper->n_scenes)
        same_text(paper->scene[0]->name, scene, "and what it is");
    spar__paper_free(paper);
    desk_clear(data);
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
    const char *data = desk_folder();
    put(data, "errors.txt", "0 0.1\n0.1 0\n");
    put(data, "matrix-\xFF\n.txt", "0.5 0.7\n0.3 0.5\n");
    spar__paper *paper = stage(cells, data, SPAR_OK, "two matrices");
    same_text(paper->scene[0]->title, "matrix-??.txt, Bernoulli draws", "the one called so, in letters that are text");
    spar__paper_free(paper);
    desk_clear(data);
}

static void check_generated(const char *cells)
{
    spar__paper *paper = stage(cells, NULL, SPAR_OK, "generated data");
    char *before = spar__strdup(paper->scene[0]->cell[0].setting);
    spar__paper_free(paper);
    put(cells, "generated.txt", "2 qid:10 1:0.5\n");
    paper = stage(cells, NULL, SPAR_OK, "that are damaged");
    same_text(paper->scene[0]->cell[0].setting, before, "are made again");
    spar__paper_free(paper);
    spar__free(before);
}

int main(void)
{
    const char *cells = desk_folder(), *data = desk_folder();
    spar__paper *paper = stage(cells, NULL, SPAR_OK, "without data");
    ok(paper->n_scenes == 1 && !strcmp(paper->scene[0]->name, "rankers/generated"), "rankers are generated");
    ok(strstr(paper->scene[0]->title, "generated") != NULL, "and the title says so");
    spar_error err = {0};
    ok(!spar__paper_run(paper, &err) && spar__paper_scene(paper, "rankers/generated"), "they play: %s", err.text);
    spar__paper_free(paper);

    spar__paper_free(stage(cells, data, SPAR_INVALID, "an empty directory is an error"));
    spar__paper_free(stage(cells, "/no/such/place", SPAR_IO, "so is a missing one"));

    char sub[200];
    (void)snprintf(sub, sizeof sub, "%s/sub", data);
    (void)mkdir(sub, 0777);
    put(data, "README", "words\n");
    put(data, "prefs.txt", "0.5 0.7\n0.3 0.5\n");
    paper = stage(cells, data, SPAR_OK, "a matrix");
    ok(paper->n_scenes == 1 && !strcmp(paper->scene[0]->name, "rankers/matrix"), "is found by its rows");
    char *before = spar__strdup(paper->scene[0]->cell[0].setting);
    spar__paper_free(paper);

    put(data, "prefs.txt", "0.5 0.8\n0.2 0.5\n");
    put(sub, "a.txt", "2 qid:10 1:0.5 2:1\n");
    put(sub, "train.txt", "1 qid:10 1:0.5 2:1\n");
    paper = stage(cells, data, SPAR_OK, "both");
    ok(paper->n_scenes == 2 && !strcmp(paper->scene[0]->name, "rankers/letor"), "LETOR files are found one level down");
    ok(strstr(paper->scene[0]->env, "/sub/train.txt") && !strstr(paper->scene[0]->shown, "/sub/"),
       "the training file, shown without its place");
    ok(strcmp(paper->scene[1]->cell[0].setting, before), "other content, another setting");
    spar__paper_free(paper);
    spar__free(before);

    paper = stage(cells, sub, SPAR_OK, "LETOR only");
    ok(paper->n_scenes == 1, "is one scene");
    spar__paper_free(paper);
    check_forms(cells);
    check_generated(cells);
    desk_clear(sub);
    desk_clear(data);
    desk_clear(cells);
    return done();
}
