#include "desk.h"

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
    desk_clear(sub);
    desk_clear(data);
    desk_clear(cells);
    return done();
}
