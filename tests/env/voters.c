#include "env/lab.h"

#include "base/file.h"
#include "env/data.h"

#include <unistd.h>

static char folder[] = "votersXXXXXX";

static const char *in_folder(const char *name)
{
    static char out[300];
    (void)snprintf(out, sizeof out, "%s/%s", folder, name);
    return out;
}

static const char *spec_of(const char *name)
{
    static char out[400];
    (void)snprintf(out, sizeof out, "voters(file=%s/%s)", folder, name);
    return out;
}

static void write_file(const char *name, const char *text)
{
    if (spar__file_write(in_folder(name), text, strlen(text), NULL)) {
        printf("Bail out! cannot write %s\n", name);
        exit(1);
    }
}

#define HEAD "# NUMBER ALTERNATIVES: 4\n# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: b\n# ALTERNATIVE NAME 3: c\n"

/* The arm that is called so. */
static size_t named(const lab *l, const char *name)
{
    size_t i = 0;
    while (i < l->world->n && strcmp(l->world->arms->name[i], name) != 0)
        i++;
    return i;
}

/* 10 people: 6 a b c (4 left out), 3 {b c} a 4, 1 only 4. */
static void check_matrix(void)
{
    lab l = lab_open(spec_of("small.toi"), NULL);
    size_t a = named(&l, "a"), b = named(&l, "b"), c = named(&l, "c"), d = named(&l, "4");
    ok(l.world->n == 4 && a < 4 && b < 4 && c < 4 && d < 4, "alternatives have their names, or numbers");
    near(spar_world_prefer(l.world, 1, a, b), 6. / 9, 1e-15, "who ranks neither a nor b says nothing of them");
    near(spar_world_prefer(l.world, 1, b, c), (6 + 1.5) / 9, 1e-15, "a tie is half");
    near(spar_world_prefer(l.world, 1, a, d), 9. / 10, 1e-15, "ranked before unranked");
    near(spar_world_gap(l.world, 1, a), 0, 0, "a is the best");
    ok(spar_world_prefer(l.world, 1, a, b) == 1 - spar_world_prefer(l.world, 1, b, a), "P + P^T is 1");
    lab_close(&l);
}

/* One person a round: what is shown is ordered as on one of the ballots, as often as it was given. */
static void check_ranking(void)
{
    lab l = lab_open(spec_of("small.toi"), NULL);
    size_t show[4] = {named(&l, "a"), named(&l, "b"), named(&l, "c"), named(&l, "4")};
    double count[4] = {0}, p[4] = {0.6, 0.3, 0.1, 0};
    for (uint64_t t = 1; t <= 20000; t++) {
        (void)lab_ask(&l, t, 4, show);
        spar_outcome ab = lab_answer(&l, 0, 1), bc = lab_answer(&l, 1, 2), ad = lab_answer(&l, 0, 3),
                     ac = lab_answer(&l, 0, 2);
        bool first = ab == SPAR_WIN && bc == SPAR_WIN && ac == SPAR_WIN && ad == SPAR_WIN;
        bool second = ab == SPAR_LOSS && bc == SPAR_TIE && ac == SPAR_LOSS && ad == SPAR_WIN;
        bool third = ab == SPAR_MISSING && bc == SPAR_MISSING && ac == SPAR_MISSING && ad == SPAR_LOSS;
        count[first ? 0 : second ? 1 : third ? 2 : 3]++;
    }
    ok(fits(4, count, p), "one ballot a round, by how many gave it");
    ok(spar_feedback_kind_of(l.feedback) == SPAR_FEEDBACK_RANKING, "as a ranking");
    size_t twice[3] = {show[0], show[0], show[1]};
    (void)lab_ask(&l, 1, 3, twice);
    ok(lab_answer(&l, 0, 1) == SPAR_TIE || lab_answer(&l, 0, 1) == SPAR_MISSING, "an arm does not beat itself");
    lab_close(&l);
}

static void check_winner(void)
{
    lab l = lab_open(spec_of("small.toi"), "winner(rule=voter)");
    size_t show[3] = {named(&l, "b"), named(&l, "c"), named(&l, "b")};
    double count[4] = {0},
           p[4] = {0.3 + 0.3 / 3, 0.1, 0.3 + 0.3 / 3, 0.1}; /* b twice: half each; {b c}: one slot of 3 */
    for (uint64_t t = 1; t <= 20000; t++) {
        (void)lab_ask(&l, t, 3, show);
        size_t winner = 3;
        for (size_t j = 0; j < 3; j++)
            if (lab_answer(&l, j, (j + 1) % 3) == SPAR_WIN && lab_answer(&l, j, (j + 2) % 3) == SPAR_WIN)
                winner = j;
        count[winner]++;
        if (winner == 3 && !spar_feedback_empty(l.feedback))
            count[3] += 20000;
    }
    ok(fits(4, count, p), "the first of the ballot wins; who ranks none of them gives no answer");
    lab_close(&l);
}

/* Independent people for each pair. */
static void check_pairs(void)
{
    lab l = lab_open(spec_of("small.toi"), "all_pairs");
    size_t show[2] = {named(&l, "b"), named(&l, "c")};
    double count[3] = {0}, p[3] = {0, 3. / 9, 6. / 9};
    for (uint64_t t = 1; t <= 20000; t++) {
        (void)lab_ask(&l, t, 2, show);
        count[lab_answer(&l, 0, 1) - SPAR_LOSS]++;
    }
    ok(fits(3, count, p), "a pair is asked of those who order it");
    lab_close(&l);
}

static void check_refusals(void)
{
    static const struct {
        const char *name, *text, *says;
    } cases[] = {
        {"empty", "", "is no PrefLib file"},
        {"rows.csv", "model_a,model_b,winner\nx,y,model_a\n", "votes(file=...) takes votes on pairs"},
        {"head", HEAD, "has no ballots"},
        {"one", "# NUMBER ALTERNATIVES: 1\n3: 1\n", "has 1 alternatives; 2 are needed"},
        {"range", HEAD "3: 1,5\n", "range:5:"},
        {"twice", HEAD "3: 1,2\n2: 1,1\n", "twice:6:"},
        {"people", HEAD "x: 1,2\n", "people:5:"},
        {"brace", HEAD "3: 1,{2,3\n", "brace:5:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(cases[i].name, cases[i].text);
        const char *why = lab_refusal(spec_of(cases[i].name), NULL);
        ok(strstr(why, cases[i].says) && strstr(why, cases[i].name), "%s: %s", cases[i].name, why);
        (void)unlink(in_folder(cases[i].name));
    }
    ok(strstr(lab_refusal(spec_of("absent"), NULL), "absent"), "a file that is not there");
    write_file("cycle", HEAD "1: 1,2,3,4\n1: 2,3,1,4\n1: 3,1,2,4\n");
    lab l = lab_open(spec_of("cycle"), NULL);
    const char *said = spar__env_cycle(l.env);
    ok(said && strstr(said, "no arm beats all others") && spar_world_best(l.world, 1) == SPAR_NO_ARM, "a cycle: %s",
       said ? said : "");
    lab_close(&l);
    (void)unlink(in_folder("cycle"));
    ok(strstr(lab_refusal("voters", NULL), "needs file="), "no file");
    ok(strstr(lab_refusal(spec_of("small.toi"), "winner(rule=luce)"), "needs utilities"), "people have no utilities");
}

/* The real one: its shares of pairs, counted by hand elsewhere. */
static void check_sushi(void)
{
    const char *data = getenv("SPAR_DATA");
    char spec[500];
    if (!data) {
        skip("SPAR_DATA is not set");
        return;
    }
    (void)snprintf(spec, sizeof spec, "voters(file=%s/preflib/sushi.soc)", data);
    lab l = lab_open(spec, "winner(rule=voter)");
    size_t egg = named(&l, "tamago (egg)"), eel = named(&l, "anago (sea eel)");
    ok(l.world->n == 10 && egg == spar_world_best(l.world, 1), "sushi: number 7 is first");
    near(spar_world_prefer(l.world, 1, egg, eel), 0.743, 0.0005, "and beats number 2 by this share");
    lab_close(&l);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    write_file("small.toi", "# DATA TYPE: toi\n" HEAD "6: 1,2,3\n3: {2,3},1,4\n1: 4\n");
    check_matrix();
    check_ranking();
    check_winner();
    check_pairs();
    check_refusals();
    check_sushi();
    (void)unlink(in_folder("small.toi"));
    (void)rmdir(folder);
    return done();
}
