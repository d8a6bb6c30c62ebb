#include "env/lab.h"

#include "base/buf.h"
#include "base/file.h"
#include "prefer/prefer.h"

#include <unistd.h>

static char folder[] = "matrixXXXXXX";

/* The text with every $ replaced by the folder. */
static const char *in_folder(const char *text)
{
    static char out[600];
    size_t used = 0;
    for (; *text && used + sizeof folder < sizeof out; text++)
        used +=
            (size_t)snprintf(out + used, sizeof out - used, *text == '$' ? "%s" : "%.1s", *text == '$' ? folder : text);
    return out;
}

static void write_file(const char *name, const char *text)
{
    if (spar__file_write(in_folder(name), text, strlen(text), NULL)) {
        printf("Bail out! can not write %s\n", name);
        exit(1);
    }
}

/* n arms of which none beats any other. */
static void write_ties(const char *name, size_t n)
{
    spar__buf text = {0};
    for (size_t i = 0; i < n * n; i++)
        spar__buf_adds(&text, i % n == n - 1 ? "0.5\n" : "0.5,");
    write_file(name, text.text);
    spar__buf_free(&text);
}

static void check_plain(void)
{
    lab l = lab_open(in_folder("matrix(file=$/abc)"), "all_pairs");
    static const double p[3][3] = {{0.5, 0.7, 0.6}, {0.3, 0.5, 0.8}, {0.4, 0.2, 0.5}};
    ok(!spar_env_plain(l.env) && !spar_world_utilities(l.world), "a matrix has no utilities");
    double worst = 0, place[3][3] = {{0}}, third[3] = {1. / 3, 1. / 3, 1. / 3};
    bool best = true, gaps = true, exact = true;
    for (uint64_t run = 0; run < 3000; run++) {
        spar_world *w;
        (void)spar_world_new(l.env, 5, run, &w, NULL);
        double table[9];
        spar__world_matrix(w, 1, table);
        for (size_t i = 0; i < 3; i++) {
            size_t a = (size_t)(w->arms->name[i][0] - 'a');
            place[a][i]++;
            best = best && (a == 0) == (spar_world_best(w, 1) == i);
            gaps = gaps && fabs(spar_world_gap(w, 1, i) - (p[0][a] - 0.5)) < 1e-15;
            for (size_t j = 0; j < 3; j++) {
                size_t b = (size_t)(w->arms->name[j][0] - 'a');
                worst = fmax(worst, fabs(spar_world_prefer(w, 1, i, j) - p[a][b]));
                exact = exact && table[i * 3 + j] == spar_world_prefer(w, 1, i, j) &&
                        spar_world_prefer(w, 1, i, j) == 1 - spar_world_prefer(w, 1, j, i);
            }
        }
        spar_world_free(w);
    }
    ok(worst < 1e-15 && exact, "preferences travel with the names, P + P^T exactly 1");
    ok(best, "a is the best in every run");
    ok(gaps, "gaps are P(best beats arm) - 1/2");
    for (size_t a = 0; a < 3; a++)
        ok(fits(3, place[a], third), "%c gets every label alike", (char)('a' + a));
    lab_close(&l);
}

static void check_counts(void)
{
    lab l = lab_open(in_folder("matrix(file=$/counts,counts=1)"), "all_pairs");
    size_t best = spar_world_best(l.world, 1);
    near(spar_world_prefer(l.world, 1, best, 1 - best), 0.75, 0, "3 wins of 4");
    lab_close(&l);
    l = lab_open(in_folder("matrix(file=$/abc,ties=2)"), "all_pairs");
    ok(l.world->ties == 2, "ties=2");
    lab_close(&l);
}

static void check_switching(void)
{
    lab l = lab_open(in_folder("matrix(files=$/abc:$/cba,every=10)"), "all_pairs");
    bool good = true, same = true;
    for (uint64_t t = 1; t <= 100; t++) {
        char best = l.world->arms->name[spar_world_best(l.world, t)][0];
        bool first = (t - 1) / 10 % 2 == 0;
        good = good && best == (first ? 'a' : 'c') && spar_world_gap(l.world, t, spar_world_best(l.world, t)) == 0;
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++)
                same =
                    same && spar_world_prefer(l.world, t, i, j) == spar_world_prefer(l.world, (t - 1) % 20 + 1, i, j);
    }
    ok(good, "a is best for 10 rounds, then c for 10, then a");
    ok(same, "preferences have a period of 20 rounds");
    size_t arms[2], wins[2] = {0};
    for (size_t i = 0; i < 3; i++)
        if (l.world->arms->name[i][0] != 'b')
            arms[l.world->arms->name[i][0] == 'c'] = i;
    for (uint64_t t = 1; t <= 20000; t++) {
        (void)lab_ask(&l, t, 2, arms);
        wins[(t - 1) / 10 % 2] += lab_answer(&l, 0, 1) == SPAR_WIN;
    }
    near((double)wins[0] / 10000, 0.6, 0.025, "duels follow the first file in its rounds");
    near((double)wins[1] / 10000, 0.1, 0.016, "and the second in its own");
    lab_close(&l);
}

static void check_subset(void)
{
    lab l = lab_open(in_folder("matrix(file=$/mixed,subset=3)"), "all_pairs");
    size_t seen[6] = {0}, different = 0;
    bool winners = true, repeat = true, apart = true;
    for (uint64_t run = 0; run < 2000; run++) {
        spar_world *w, *again;
        (void)spar_world_new(l.env, 5, run, &w, NULL);
        (void)spar_world_new(l.env, 5, run, &again, NULL);
        size_t best = 99, set = 0;
        winners = winners && w->n == 3 && spar__condorcet(3, w->phase[0].p, &best) && best == spar_world_best(w, 1);
        for (size_t i = 0; i < 3; i++) {
            set |= (size_t)1 << (w->arms->name[i][0] - 'a');
            repeat = repeat && w->arms->name[i][0] == again->arms->name[i][0];
            seen[w->arms->name[i][0] - 'a']++;
            apart = apart && spar_world_gap(w, 1, i) >= 0;
        }
        different += set != 7;
        winners = winners && set != 7; /* a, b, c are a cycle */
        spar_world_free(w);
        spar_world_free(again);
    }
    ok(winners, "subsets have Condorcet winners, and the cycle is never drawn");
    ok(repeat, "a subset is a function of seed and run");
    ok(apart && different == 2000, "the best arm costs least");
    /* 4 triples of {a,b,c,d}: all but {a,b,c} */
    double count[4] = {(double)seen[0], (double)seen[1], (double)seen[2], (double)seen[3]};
    near(count[3] / 2000, 1, 0, "d is in all of them");
    near(count[0] / 2000, 2. / 3, 0.053, "a in two of three");
    near(count[1] / 2000, 2. / 3, 0.053, "b in two of three");
    lab_close(&l);
    l = lab_open(in_folder("matrix(files=$/mixed:$/mixed2,every=5,subset=3)"), "all_pairs");
    ok(spar__condorcet(3, l.world->phase[0].p, NULL) && spar__condorcet(3, l.world->phase[1].p, NULL),
       "with several files, a winner in each");
    lab_close(&l);
}

static void check_refusals(void)
{
    static const char *const cases[][3] = {
        {"matrix", NULL, "matrix: needs either file= or files="},
        {"matrix(file=a,files=b:c)", NULL, "matrix: needs either file= or files="},
        {"matrix(file=a,every=3)", NULL, "matrix: files= and every= go together"},
        {"matrix(files=a:b)", NULL, "matrix: files= and every= go together"},
        {"matrix(file=$/cycle,subset=3)", NULL,
         "$/cycle: none of 100000 random subsets of 3 arms has one that beats all others"},
        {"matrix(file=$/abc,subset=9)", NULL, "matrix: subset=9, but $/abc has 3 arms"},
        {"matrix(files=$/abc:$/counts,every=9,tol=0.5)", NULL,
         "$/counts:1: 3 is outside [0,1]; win counts need counts=1"},
        {"matrix(files=$/abc:$/two,every=9)", NULL, "$/two: has 2 arms, but the first of the files has 3"},
        {"matrix(files=$/abc:$/xyz,every=9)", NULL, "$/xyz: arm 0 is x, but a in the first of the files"},
        {"matrix(file=$/abc)", "ranking", "ranking: needs utilities or ballots, and matrix has none"},
        {"matrix(file=$/abc)", "winner(rule=luce)", "winner(rule=luce): needs utilities, and matrix has none"},
        {"matrix(file=$/abc)", "confusable",
         "confusable: needs arms with features, and this matrix has none (utility has with x= or features=utility)"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        same_text(lab_refusal(in_folder(cases[c][0]), cases[c][1]), in_folder(cases[c][2]), "refused: %s", cases[c][0]);
}

/* Without an arm that beats all others there is a world, but no best arm. */
static void check_cycles(void)
{
    static const char *const cases[][2] = {
        {"matrix(file=$/mixed)", "$/mixed: no arm beats all others (the top cycle is the 3 arms a, b, c)"},
        {"matrix(file=$/cycle)",
         "$/cycle: no arm beats all others (the top cycle is the 3 arms 0, 1, 2, counted from 0)"},
        {"matrix(files=$/abc:$/cycle,every=9)",
         "$/cycle: no arm beats all others (the top cycle is the 3 arms 0, 1, 2, counted from 0)"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        lab l = lab_open(in_folder(cases[c][0]), NULL);
        const char *said = spar__env_cycle(l.env);
        same_text(said ? said : "", in_folder(cases[c][1]), "%s", cases[c][0]);
        uint64_t t = l.world->every ? 10 : 1;
        ok(spar_world_best(l.world, t) == SPAR_NO_ARM && isnan(spar_world_gap(l.world, t, 0)), "has no best arm");
        ok(t == 1 || (spar_world_best(l.world, 1) < 3 && !isnan(spar_world_gap(l.world, 1, 0))), "where none is");
        ok(spar_world_redrawn(l.world) == 0, "and nothing was drawn again");
        lab_close(&l);
    }
    lab l = lab_open(in_folder("matrix(file=$/ties)"), NULL);
    const char *many = spar__env_cycle(l.env);
    ok(many && strstr(many, "the top cycle is the 200 arms 0, 1, 2, ") && strstr(many, ", ..., counted from 0)"),
       "a long cycle is cut");
    lab_close(&l);
    l = lab_open(in_folder("matrix(file=$/abc)"), NULL);
    ok(!spar__env_cycle(l.env), "nothing is said of a winner");
    lab_close(&l);
    l = lab_open(in_folder("matrix(file=$/cycle,subset=2)"), NULL);
    ok(l.world->n == 2, "a matrix without a winner may have subsets with one");
    lab_close(&l);
}

static void check_real(void)
{
    const char *data = getenv("SPAR_DATA");
    char text[4200];
    (void)snprintf(text, sizeof text, "matrix(file=\"%s/mslr/MSLR-Perfect.txt\",subset=16)", data ? data : "");
    spar_env *env = NULL;
    if (!data || spar_env_new(text, &env, NULL)) {
        skip("no mslr/MSLR-Perfect.txt in SPAR_DATA");
        return;
    }
    bool winners = true;
    for (uint64_t run = 0; run < 200; run++) {
        spar_world *w = NULL;
        winners = winners && spar_world_new(env, 1, run, &w, NULL) == SPAR_OK && w->n == 16 &&
                  spar__condorcet(16, w->phase[0].p, NULL);
        spar_world_free(w);
    }
    ok(winners, "200 subsets of 16 real rankers have Condorcet winners");
    spar_env_free(env);
}

static void clean(void)
{
    static const char *const names[] = {"$/abc",   "$/cba",   "$/xyz",    "$/two", "$/counts",
                                        "$/cycle", "$/mixed", "$/mixed2", "$/ties"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(in_folder(names[i]));
    (void)rmdir(folder);
}

int main(void)
{
    if (!mkdtemp(folder)) {
        printf("Bail out! no folder for files\n");
        return 1;
    }
    write_file("$/abc", "a b c\n0.5 0.7 0.6\n0.3 0.5 0.8\n0.4 0.2 0.5\n");
    write_file("$/cba", "0.5 0.4 0.1\n0.6 0.5 0.3\n0.9 0.7 0.5\n");
    write_file("$/xyz", "x y z\n0.5 0.7 0.6\n0.3 0.5 0.8\n0.4 0.2 0.5\n");
    write_file("$/two", "0.5 0.7\n0.3 0.5\n");
    write_file("$/counts", "0 3\n1 0\n");
    write_file("$/cycle", "0.5 0.7 0.2\n0.3 0.5 0.8\n0.8 0.2 0.5\n");
    write_file("$/mixed", "a,b,c,d\n0.5,0.7,0.2,0.9\n0.3,0.5,0.8,0.9\n0.8,0.2,0.5,0.9\n0.1,0.1,0.1,0.5\n");
    write_file("$/mixed2", "0.5,0.2,0.7,0.9\n0.8,0.5,0.3,0.9\n0.3,0.7,0.5,0.9\n0.1,0.1,0.1,0.5\n");
    write_ties("$/ties", 200);
    check_plain();
    check_counts();
    check_switching();
    check_subset();
    check_refusals();
    check_cycles();
    check_real();
    lab_starve(in_folder("matrix(files=$/mixed:$/mixed2,every=5,subset=2)"), "all_pairs");
    size_t k = 1;
    for (bool whole = false; !whole; k++) { /* the refusal of a cycle, too */
        lab l;
        spar__alloc_fail_at(k);
        (void)lab_try(&l, in_folder("matrix(file=$/mixed)"), NULL, NULL);
        whole = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        lab_close(&l);
    }
    ok(k > 10, "a refusal may run out of memory as well");
    clean();
    return done();
}
