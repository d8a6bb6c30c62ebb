#include "env/lab.h"

#include "base/file.h"

#include <unistd.h>

static char folder[] = "votesXXXXXX";

static const char *in_folder(const char *name)
{
    static char out[300];
    (void)snprintf(out, sizeof out, "%s/%s", folder, name);
    return out;
}

static const char *spec_of(const char *name, const char *more)
{
    static char out[400];
    (void)snprintf(out, sizeof out, "votes(file=%s/%s%s)", folder, name, more);
    return out;
}

static void write_file(const char *name, const char *text)
{
    if (spar__file_write(in_folder(name), text, strlen(text), NULL)) {
        printf("Bail out! cannot write %s\n", name);
        exit(1);
    }
}

static size_t named(const lab *l, const char *name)
{
    size_t i = 0;
    while (i < l->world->n && strcmp(l->world->arms->name[i], name) != 0)
        i++;
    return i;
}

static const char THREE[] =
    "left,right,won\nx,y,left\nx,y,left\ny,x,left\nx,y,tie\nx,z,left\ny,z,right\ny,z,left\ny,z,left\n";
#define COLUMNS ",a=left,b=right,winner=won"

static void check_votes(void)
{
    write_file("three", THREE);
    lab l = lab_open(spec_of("three", COLUMNS), "all_pairs");
    size_t x = named(&l, "x"), y = named(&l, "y"), z = named(&l, "z"), show[3] = {x, y, z};
    near(spar_world_prefer(l.world, 1, x, y), 2.5 / 4, 1e-15, "P of x over y");
    near(spar_world_prefer(l.world, 1, y, z), 2. / 3, 1e-15, "P of y over z");
    double xy[3] = {0}, xz[3] = {0}, p_xy[3] = {0.25, 0.25, 0.5}, p_xz[3] = {0, 0, 1};
    for (uint64_t t = 1; t <= 20000; t++) {
        (void)lab_ask(&l, t, 3, show);
        xy[lab_answer(&l, 0, 1) - SPAR_LOSS]++;
        xz[lab_answer(&l, 0, 2) - SPAR_LOSS]++;
    }
    ok(fits(3, xy, p_xy) && fits(3, xz, p_xz), "a duel is one of the pair's votes");
    ok(spar_world_best(l.world, 1) == x, "x is the best");
    ok(strstr(lab_refusal(spec_of("three", COLUMNS), "ranking"), "needs utilities or ballots"),
       "votes order no screens");
    lab_close(&l);
    (void)unlink(in_folder("three"));
}

/* a b c know each other, and b c d; in the first set a beats all others, in the second none does. e has one vote. */
static void check_complete(void)
{
    write_file("graph", "model_a,model_b,winner\na,b,model_a\na,c,model_a\nb,c,model_a\nb,d,model_b\nc,d,model_a\n"
                        "c,d,model_a\nc,d,model_a\na,e,model_b\n");
    ok(strstr(lab_refusal(spec_of("graph", ""), NULL), "4 of the 10 pairs of its 5 options have no vote; complete=1"),
       "%s", lab_refusal(spec_of("graph", ""), NULL));
    lab l = lab_open(spec_of("graph", ",complete=1"), "all_pairs");
    ok(l.world->n == 3 && named(&l, "a") < 3 && named(&l, "b") < 3 && named(&l, "c") < 3,
       "of two sets of three the one with a winner");
    lab_close(&l);
    write_file("graph", "model_a,model_b,winner\na,b,model_a\na,c,model_a\nb,c,model_a\nd,e,model_a\nd,f,model_a\n"
                        "e,f,model_a\ne,f,model_b\na,d,skip\n");
    l = lab_open(spec_of("graph", ",complete=1"), "all_pairs");
    ok(l.world->n == 3 && named(&l, "d") < 3, "of two with a winner the one with more votes");
    lab_close(&l);
    (void)unlink(in_folder("graph"));
}

static void check_refusals(void)
{
    static const struct {
        const char *name, *text, *more, *says;
    } cases[] = {
        {"empty", "", "", "2 are needed"},
        {"head", "model_a,model_b,winner\n", "", "2 are needed"},
        {"columns", "x,y,z\np,q,p\n", "", "columns:1:"},
        {"who", "model_a,model_b,winner\nx,y,w\n", "", "who:2:"},
        {"skips", "model_a,model_b,winner\nx,y,skip\n", ",complete=1", "no pair of its options has a vote"},
        {"counts", "0,3\n1,0\n", "", "did you mean 'matrix(file="},
        {"orders", "# DATA TYPE: soc\n# NUMBER ALTERNATIVES: 2\n3: 1,2\n", "", "did you mean 'voters(file="},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(cases[i].name, cases[i].text);
        const char *why = lab_refusal(spec_of(cases[i].name, cases[i].more), NULL);
        ok(strstr(why, cases[i].says) && strstr(why, cases[i].name), "%s: %s", cases[i].name, why);
        (void)unlink(in_folder(cases[i].name));
    }
    ok(strstr(lab_refusal("votes", NULL), "needs file="), "no file");
    write_file("ties", "model_a,model_b,winner\nx,y,tie\n");
    lab l = lab_open(spec_of("ties", ""), NULL);
    const char *said = spar__env_cycle(l.env);
    ok(said && strstr(said, "no arm beats all others") && spar_world_best(l.world, 1) == SPAR_NO_ARM, "a tie: %s",
       said ? said : "");
    lab_close(&l);
    (void)unlink(in_folder("ties"));
}

static void check_models(void)
{
    const char *data = getenv("SPAR_DATA");
    char spec[500];
    if (!data) {
        skip("SPAR_DATA is not set");
        return;
    }
    (void)snprintf(spec, sizeof spec, "votes(file=%s/votes/llmfao.csv,a=left,b=right,complete=1)", data);
    lab l = lab_open(spec, "all_pairs");
    ok(l.world->n == 15 && spar_world_best(l.world, 1) == named(&l, "GPT 3.5 Turbo (16k)"),
       "15 of 59 models have votes on every pair, and one beats all others");
    lab_close(&l);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    check_votes();
    check_complete();
    check_refusals();
    check_models();
    (void)rmdir(folder);
    return done();
}
