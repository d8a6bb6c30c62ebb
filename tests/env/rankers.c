#include "env/lab.h"

#include "env/letor.h"
#include "prefer/prefer.h"
#include "rank/comparison.h"

#define DATA "rankers(data=$/data,cache=$/cache,threads=1"

/* Three features, each of which ranks the good document of a query first, second and third, in turns: a circle. */
static const char circle[] = "2 qid:1 1:3 2:2 3:1\n0 qid:1 1:2 2:3 3:3\n0 qid:1 1:1 2:1 3:2\n"
                             "2 qid:2 1:1 2:3 3:2\n0 qid:2 1:3 2:2 3:3\n0 qid:2 1:2 2:1 3:1\n"
                             "2 qid:3 1:2 2:1 3:3\n0 qid:3 1:3 2:3 3:2\n0 qid:3 1:1 2:2 3:1\n";

static void check_preferences(void)
{
    lab l = lab_open(in_folder(DATA ",subset=4,click=navigational)"), "multileave");
    const spar__queries *queries = l.world->lists->queries;
    size_t n = l.world->n, count = spar__queries_count(queries);
    spar__exact *exact = NULL;
    double worst = 0;
    bool names = true, gaps = true;
    (void)spar__exact_new(l.world->lists->click, 10, &exact);
    for (size_t i = 0; i < n; i++) {
        names &= strcmp(l.world->arms->name[i], spar__queries_name(queries, l.world->ranker[i])) == 0;
        gaps &= spar_world_gap(l.world, 1, i) == spar_world_prefer(l.world, 1, spar_world_best(l.world, 1), i) - 0.5;
        for (size_t j = 0; j < n; j++) {
            double mean = 0;
            for (size_t q = 0; q < count; q++) {
                spar__query query = spar__queries_get(queries, q);
                spar__exact_query(exact, query.grade, query.depth);
                spar__exact_first(exact, query.first + l.world->ranker[i] * query.depth);
                mean += spar__duel_odds_p(spar__exact_second(exact, query.first + l.world->ranker[j] * query.depth));
            }
            worst = fmax(worst, fabs(mean / (double)count - spar_world_prefer(l.world, 1, i, j)));
        }
    }
    ok(n == 4 && worst < 1e-11, "preferences of the subset are those of its rankers (off by %.1e)", worst);
    ok(names && gaps, "arms have the rankers' names, and gaps to the best");
    ok(!l.world->tie_is_half && !spar_env_plain(l.env) && !spar_world_utilities(l.world), "no utilities");
    spar__exact_free(exact);
    lab_close(&l);
}

/* The matrix of all rankers, in a file. */
static void write_matrix(const char *name, const spar_world *all)
{
    spar__buf text = {0};
    double *row = calloc(all->n * all->n, sizeof *row);
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < all->n; j++)
            row[all->ranker[i] * all->n + all->ranker[j]] = spar_world_prefer(all, 1, i, j);
    for (size_t i = 0; i < all->n; i++)
        spar__buf_printf(&text, "%sf%zu", i ? " " : "", i + 1);
    for (size_t i = 0; i < all->n * all->n; i++)
        spar__buf_printf(&text, "%s%.17g", i % all->n ? " " : "\n", row[i]);
    spar__buf_adds(&text, "\n");
    letor_write(name, text.text);
    spar__buf_free(&text);
    free(row);
}

static void check_subsets(void)
{
    lab all = lab_open(in_folder(DATA ",subset=0)"), "multileave");
    ok(all.world->n == 8 && spar_world_redrawn(all.world) == 0, "subset=0: all rankers");
    write_matrix("$/matrix", all.world);
    lab by_click = lab_open(in_folder(DATA ",subset=5)"), NULL),
        by_file = lab_open(in_folder("rankers(data=$/data,cache=$/cache,threads=1,subset=5,click=informational,"
                                     "matrix=$/matrix)"),
                           NULL),
        plain = lab_open(in_folder("matrix(file=$/matrix,subset=5)"), NULL);
    size_t differ = 0, kinds = 0, last = 0;
    for (uint64_t run = 0; run < 200; run++) {
        spar_world *w[3] = {NULL};
        const lab *l[3] = {&by_click, &by_file, &plain};
        size_t set = 0;
        for (size_t k = 0; k < 3; k++)
            (void)spar_world_new(l[k]->env, 5, run, &w[k], NULL);
        for (size_t i = 0; i < 5; i++) {
            set |= (size_t)1 << w[0]->ranker[i];
            for (size_t k = 1; k < 3; k++)
                differ += strcmp(w[0]->arms->name[i], w[k]->arms->name[i]) != 0 ||
                          fabs(spar_world_prefer(w[0], 1, 0, i) - spar_world_prefer(w[k], 1, 0, i)) > 1e-12;
        }
        kinds += set != last;
        last = set;
        for (size_t k = 0; k < 3; k++)
            spar_world_free(w[k]);
    }
    ok(differ == 0, "subsets follow from seed and run: those of matrix(file=,subset=)");
    ok(kinds > 150, "and change from run to run");
    ok(strstr(spar_env_note(by_file.env), "preferences from "), "the note says where the matrix is from: %s",
       spar_env_note(by_file.env));
    lab_close(&all);
    lab_close(&by_click);
    lab_close(&by_file);
    lab_close(&plain);
}

/* Preferences of 8 arms with circles: i beats the next three. */
static void check_rejection(void)
{
    spar__buf text = {0};
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++) {
            size_t d = (j + 8 - i) % 8;
            spar__buf_printf(&text, "%s%s", d == 0 || d == 4 ? "0.5" : d < 4 ? "0.7" : "0.3", j == 7 ? "\n" : " ");
        }
    letor_write("$/ring", text.text);
    spar__buf_free(&text);
    lab l = lab_open(in_folder(DATA ",subset=3,matrix=$/ring)"), NULL);
    /* C(3,2) companies for each of 8 winners, of C(8,3) = 56 subsets */
    ok(strstr(spar_env_note(l.env), "; 57.1 % of the subsets of 3 have no Condorcet winner"), "%s",
       spar_env_note(l.env));
    double sum = 0, share = 24. / 56, expected = (1 - share) / share;
    for (uint64_t run = 0; run < 4000; run++) {
        spar_world *w = NULL;
        (void)spar_world_new(l.env, 9, run, &w, NULL);
        sum += (double)spar_world_redrawn(w);
        spar_world_free(w);
    }
    near(sum / 4000, expected, 5 * sqrt(expected / share / 4000), "as often are subsets drawn again");
    lab_close(&l);
    const char *refusal = lab_refusal(in_folder(DATA ",subset=5,matrix=$/ring)"), NULL);
    ok(strstr(refusal, "no subset of 5 rankers has one that beats all others"), "%s", refusal);
    l = lab_open(in_folder(DATA ",subset=0,matrix=$/ring)"), NULL);
    const char *said = spar__env_cycle(l.env);
    ok(said && strstr(said, "the top cycle is the 8 arms f1, f2") && l.world->phase->best == SPAR_NO_ARM, "%s",
       said ? said : "");
    lab_close(&l);
}

static void check_note(void)
{
    lab l = lab_open(in_folder("rankers(data=$/data,cache=none,threads=1,subset=2)"), NULL);
    const char *note = spar_env_note(l.env);
    ok(strstr(note, "8 rankers, 40 queries, grades 0 to 4, preferences exact, standard errors up to 0.0"), "%s", note);
    lab_close(&l);
    l = lab_open(in_folder("rankers(data=$/data,cache=$/cache,threads=1,subset=2,top=3,mix=probabilistic,draws=20)"),
                 NULL);
    note = spar_env_note(l.env);
    ok(strstr(note, "$/cache: made again: it was made with top 10, not 3; " + 1) && strstr(note, "preferences drawn") &&
           strstr(note, "(of the draws: 0.0"),
       "%s", note);
    lab_close(&l);
    l = lab_open("utility", NULL);
    ok(!spar_env_note(l.env) && spar_world_redrawn(l.world) == 0, "others have nothing to say");
    lab_close(&l);
}

/* What suits an environment when no kind of feedback is named. */
static void check_feedback(void)
{
    lab named = lab_open(in_folder(DATA ",subset=4)"), "multileave"),
        not = lab_open(in_folder(DATA ",subset=4)"), NULL), pairs = lab_open(in_folder(DATA ",subset=4)"), "all_pairs");
    size_t same = 0, even = 0, arms[3] = {0, 1, 2};
    double wins = 0, p = spar_world_prefer(pairs.world, 1, 0, 1);
    for (uint64_t t = 1; t <= 2000; t++) {
        (void)lab_ask(&named, t, 3, arms);
        (void)lab_ask(&not, t, 3, arms);
        (void)lab_ask(&pairs, t, 3, arms);
        same += memcmp(named.feedback->outcome, not .feedback->outcome, 9) == 0;
        even += memcmp(named.feedback->outcome, pairs.feedback->outcome, 9) == 0;
        wins += lab_answer(&pairs, 0, 1) == SPAR_WIN;
    }
    ok(same == 2000 && even < 1000, "rankers are multileaved when nothing else is said");
    near(wins / 2000, p, 5 * sqrt(p * (1 - p) / 2000), "all_pairs draws from the matrix");
    same_text(spar__env_feedback("rankers(data=x)"), "multileave", "by the spec alone, too");
    same_text(spar__env_feedback(" rankers "), "multileave", "with blanks around it");
    same_text(spar__env_feedback("rankersx"), "all_pairs", "not by half a name");
    same_text(spar__env_feedback("utility(set=arith)"), "all_pairs", "others are all_pairs");
    lab_close(&named);
    lab_close(&not );
    lab_close(&pairs);
}

static void check_weights(void)
{
    letor_write("$/weights", "one 1:1\ntwo 1:1 2:0.5\nthree 3:-1\n");
    letor_write("$/names", "a\nb\nc\nd\ne\nf\ng\nh\n");
    lab l = lab_open(in_folder("rankers(data=$/data,cache=none,threads=1,subset=2,weights=$/weights)"), NULL);
    ok(strstr("one two three", l.world->arms->name[0]) && strstr("one two three", l.world->arms->name[1]),
       "weights= gives rankers");
    lab_close(&l);
    l = lab_open(in_folder("rankers(data=$/data:$/more,cache=none,threads=1,subset=2,names=$/names,tie=half)"), NULL);
    ok(strlen(l.world->arms->name[0]) == 1 && spar__queries_count(l.world->lists->queries) == 41 &&
           l.world->tie_is_half,
       "several files, names, tie=half");
    lab_close(&l);
}

static void check_features(void)
{
    lab l = lab_open(in_folder("rankers(data=$/data,cache=none,threads=1,subset=0,features=3)"), NULL);
    ok(l.world->n == 3 && strstr(spar_env_note(l.env), "3 rankers, 40 queries"), "features=3: the first three");
    lab_close(&l);
}

static void check_refusals(void)
{
    static const struct {
        const char *spec, *says;
    } bad[] = {
        {"rankers", "rankers: needs data="},
        {"rankers(data=$/none)", "$/none: cannot open: No such file"},
        {"rankers(data=$/data,top=0)", "top=0"},
        {"rankers(data=$/data,features=3,weights=$/weights)", "features= cannot be combined with weights="},
        {"rankers(data=$/wide,cache=none)", "$/wide has 1001 rankers, whose preferences take 0."},
        {"rankers(data=$/data,top=1001)", "1 to 1000"},
        {"rankers(data=$/empty,cache=none)", "$/empty"},
        {"rankers(data=$/grades,cache=none,subset=2)", "perfect: is for grades 0 to 4, and there is a grade 7"},
        {"rankers(data=$/data,cache=$/cache,click=lucky)", "unknown click model 'lucky'"},
        {"rankers(data=$/data,cache=$/cache,mix=blender)", "unknown way to mix lists 'blender'"},
        {"rankers(data=$/data,cache=$/cache,subset=9)", "rankers: subset=9, but $/data has 8 rankers; subset=0"},
        {"rankers(data=$/circle,cache=none,subset=3)", "no subset of 3 rankers has one that beats all others"},
        {"rankers(data=$/data,cache=$/cache,subset=2,matrix=$/three)", "$/three: has 3 rankers, but $/data has 8"},
        {"rankers(data=$/circle,cache=none,subset=2,matrix=$/named)", "ranker 2 is x, but f2 in the data"},
        {"rankers(data=$/data,cache=$/no/such)", "$/no/such"},
    };
    letor_write("$/empty", "");
    letor_write("$/wide", "1 qid:1 1:1 1001:1\n0 qid:1 2:1\n");
    letor_write("$/grades", "7 qid:1 1:3 2:1\n0 qid:1 1:1 2:2\n");
    letor_write("$/three", "0.5 0.6 0.7\n0.4 0.5 0.6\n0.3 0.4 0.5\n");
    letor_write("$/named", "f1 x f3\n0.5 0.6 0.7\n0.4 0.5 0.6\n0.3 0.4 0.5\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *refusal = lab_refusal(in_folder(bad[i].spec), NULL);
        if (!ok(strstr(refusal, in_folder(bad[i].says)), "%s", refusal))
            printf("# of %s, wanted %s\n", bad[i].spec, bad[i].says);
    }
    lab l = lab_open(in_folder("rankers(data=$/grades,cache=none,subset=1,"
                               "click=\"position(click=0:0:0:0:0:0:0:1)\")"),
                     NULL);
    ok(l.world->n == 1, "position(click=) takes any grades");
    lab_close(&l);
}

int main(void)
{
    letor_open();
    letor_generate("$/data", 40, 12, 8, 11);
    letor_write("$/more", "0 qid:999 1:1\n1 qid:999 2:1\n");
    letor_write("$/circle", circle);
    check_preferences();
    check_subsets();
    check_rejection();
    check_feedback();
    check_weights();
    check_features();
    check_refusals();
    lab_starve(in_folder(DATA ",subset=3)"), "multileave");
    lab_starve(in_folder(DATA ",subset=3,matrix=$/matrix,mix=probabilistic)"), "multileave");
    lab drawn = lab_open(in_folder(DATA ",subset=3,mix=optimised,draws=2)"), "multileave"); /* keeps the matrix */
    lab_close(&drawn);
    lab_starve(in_folder(DATA ",subset=3,mix=optimised,draws=2)"), "multileave");
    check_note();
    letor_close();
    return done();
}
