#include "env/lab.h"

#include "env/letor.h"
#include "rank/comparison.h"

#define DATA "rankers(data=$/data,cache=$/cache,threads=1,subset=0,matrix=$/flat,tie=half"

enum { RANKERS = 6, DUELS = 12000 };

/* Of a duel: won, lost, neither. */
static void count_duels(lab *l, size_t i, size_t j, uint64_t first, double *count)
{
    memset(count, 0, 3 * sizeof *count);
    for (uint64_t t = first; t < first + DUELS; t++) {
        (void)lab_ask(l, t, 2, (size_t[]){i, j});
        spar_outcome a = lab_answer(l, 0, 1);
        count[a == SPAR_WIN ? 0 : a == SPAR_LOSS ? 1 : 2]++;
    }
}

/* Frequencies in rounds of two follow the exact law of interleaving. */
static void check_exact(const char *click)
{
    char spec[300];
    (void)snprintf(spec, sizeof spec, DATA ",click=\"%s\")", click);
    lab l = lab_open(in_folder(spec), "multileave");
    const spar__queries *queries = l.world->lists->queries;
    spar__exact *exact = NULL;
    size_t n = l.world->n, bad = 0, pairs = 0, queries_n = spar__queries_count(queries);
    (void)spar__exact_new(l.world->lists->click, 10, &exact);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++, pairs++) {
            double p[3] = {0}, count[3];
            for (size_t q = 0; q < queries_n; q++) {
                spar__query query = spar__queries_get(queries, q);
                spar__exact_query(exact, query.grade, query.depth);
                spar__exact_first(exact, query.first + l.world->ranker[i] * query.depth);
                spar__duel_odds o = spar__exact_second(exact, query.first + l.world->ranker[j] * query.depth);
                p[0] += o.win / (double)queries_n;
                p[1] += o.loss / (double)queries_n;
                p[2] += o.tie / (double)queries_n;
            }
            count_duels(&l, i, j, 1 + pairs * DUELS, count);
            bad += !fits(3, count, p);
        }
    ok(n == RANKERS && !bad, "%s: %zu pairs, a ranker with itself among them, win as they should", click, pairs);
    spar__exact_free(exact);
    lab_close(&l);
}

/* The same for mixes that have no exact law, against their own draws. */
static void check_drawn(const char *mix)
{
    char spec[300];
    (void)snprintf(spec, sizeof spec,
                   "rankers(data=$/few,cache=none,threads=1,subset=0,matrix=$/three,tie=half,top=5,mix=%s)", mix);
    lab l = lab_open(in_folder(spec), "multileave");
    const spar__queries *queries = l.world->lists->queries;
    size_t queries_n = spar__queries_count(queries), arms[2] = {0, 1};
    spar__trials *trials = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, 5, 0, 0);
    (void)spar__trials_new(&l.world->lists->mixer, l.world->lists->click, NULL, &trials);
    double mean = 0, variance = 0, points = 0, square = 0, ties = 0;
    enum { ROUNDS = 6000 };
    for (size_t q = 0; q < queries_n; q++) {
        spar__query query = spar__queries_get(queries, q);
        uint64_t list[2][10];
        spar__trial_mean x;
        for (size_t k = 0; k < 2; k++)
            for (size_t r = 0; r < query.depth; r++)
                list[k][r] = query.first[l.world->ranker[arms[k]] * query.depth + r];
        (void)spar__trials_duel(trials, query.grade, query.depth, list[0], list[1], ROUNDS, &rng, &x);
        mean += x.p / (double)queries_n;
        variance += x.variance / (double)(queries_n * queries_n);
    }
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 2, arms);
        double x = (double)(lab_answer(&l, 0, 1) - SPAR_LOSS) / 2;
        x = lab_answer(&l, 0, 1) == SPAR_MISSING ? 0.5 : x;
        points += x;
        ties += lab_answer(&l, 0, 1) == SPAR_TIE;
        square += x * x;
    }
    points /= ROUNDS;
    variance += (square / ROUNDS - points * points) / ROUNDS;
    near(points, mean, 5 * sqrt(variance), "%s: as in draws query by query", mix);
    ok(fabs(mean - 0.5) > 10 * sqrt(variance) && ties > 100, "%s: which is no coin, and has ties", mix);
    spar__trials_free(trials);
    lab_close(&l);
}

/* Four slots against the general mixer: three pairs' answers, which depend on each other. */
static void check_many(void)
{
    lab l = lab_open(in_folder(DATA ",click=navigational)"), "multileave");
    const spar__interleaving *lists = l.world->lists;
    enum { ROUNDS = 100000 };
    static double fast[64], slow[64];
    size_t arms[4] = {3, 1, 3, 0}, cells = 0, bad = 0;
    spar_mix *mix = NULL;
    spar_feedback *feedback = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, 6, 0, 0);
    (void)spar_mix_new(&mix);
    (void)spar_feedback_new(4, &feedback);
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 4, arms);
        fast[lab_answer(&l, 0, 1) + 4 * lab_answer(&l, 1, 2) + 16 * lab_answer(&l, 2, 3)]++;
        spar__query query =
            spar__queries_get(lists->queries, (size_t)spar_rng_below(&rng, spar__queries_count(lists->queries)));
        uint64_t doc[4][10];
        const uint64_t *list[4] = {doc[0], doc[1], doc[2], doc[3]};
        size_t length[4];
        uint8_t grade[10];
        bool clicked[10];
        for (size_t j = 0; j < 4; j++) {
            length[j] = query.depth;
            for (size_t r = 0; r < query.depth; r++)
                doc[j][r] = query.first[l.world->ranker[arms[j]] * query.depth + r];
        }
        (void)spar_mix_lists("team_draft", 4, list, length, query.depth, &rng, mix, NULL);
        for (size_t r = 0; r < mix->shown; r++)
            grade[r] = query.grade[mix->doc[r]];
        spar__click_draw(lists->click, mix->shown, grade, &rng, clicked);
        (void)spar_mix_feedback(mix, clicked, true, feedback);
        slow[spar_feedback_get(feedback, 0, 1) + 4 * spar_feedback_get(feedback, 1, 2) +
             16 * spar_feedback_get(feedback, 2, 3)]++;
    }
    for (size_t c = 0; c < 64; c++) {
        cells += slow[c] > 50;
        bad += fabs(fast[c] - slow[c]) > 5 * sqrt(fast[c] + slow[c] + 1);
    }
    ok(cells > 25 && !bad, "four slots: %zu answers have the law of the general mixer", cells);
    spar_feedback_free(feedback);
    spar_mix_free(mix);
    lab_close(&l);
}

/* Two queries that tell themselves apart: of two good documents (always a tie), and of one (one slot adds nothing). */
static void check_query(void)
{
    lab l =
        lab_open(in_folder("rankers(data=$/two,cache=none,threads=1,subset=0,matrix=$/three,tie=half)"), "multileave");
    size_t first = 0, differ = 0, odd = 0;
    enum { ROUNDS = 10000 };
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 2, (size_t[]){0, 1});
        spar_outcome a = lab_answer(&l, 0, 1);
        odd += a != SPAR_TIE && a != SPAR_MISSING;
        first += a == SPAR_TIE;
        (void)lab_ask(&l, t, 2, (size_t[]){2, 2});
        differ += lab_answer(&l, 0, 1) != a;
        size_t answered = 0;
        (void)lab_ask(&l, t, 3, (size_t[]){1, 2, 0});
        for (size_t k = 1; k < 3; k++)
            for (size_t j = 0; j < k; j++)
                answered += lab_answer(&l, j, k) != SPAR_MISSING;
        differ += answered != (a == SPAR_TIE);
    }
    ok(!odd && !differ, "a round has the same query whatever is shown, and how many");
    near((double)first / ROUNDS, 0.5, 5 * 0.5 / sqrt(ROUNDS), "all queries alike");
    lab_close(&l);
}

/* More slots than places: some are not seen, each as often. */
static void check_crowd(size_t m)
{
    lab l =
        lab_open(in_folder("rankers(data=$/good,cache=none,threads=1,subset=0,matrix=$/three,tie=half)"), "multileave");
    size_t arms[200] = {0}, wrong = 0;
    double seen[200] = {0}, even[200];
    for (size_t j = 0; j < m; j++)
        arms[j] = j % 3;
    enum { ROUNDS = 5000 };
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        size_t ties = 0, others = 0;
        (void)lab_ask(&l, t, m, arms);
        for (size_t k = 0; k < m; k++) {
            bool there = false;
            for (size_t j = 0; j < m; j++) {
                spar_outcome a = j == k ? SPAR_MISSING : lab_answer(&l, k, j);
                ties += a == SPAR_TIE;
                others += a == SPAR_WIN || a == SPAR_LOSS;
                there |= a != SPAR_MISSING;
            }
            seen[k] += there;
        }
        wrong += ties != 6 || others; /* three of them add a document each, all of which are clicked */
    }
    for (size_t j = 0; j < m; j++)
        even[j] = 1 / (double)m;
    ok(!wrong, "%zu slots, 3 places: one pair of three is answered, the others are missing", m);
    ok(fits(m, seen, even), "%zu slots: each has its share of the places", m);
    lab_close(&l);
}

static void check_ties(void)
{
    lab half = lab_open(in_folder(DATA ")"), "multileave");
    lab missing =
        lab_open(in_folder("rankers(data=$/data,cache=$/cache,threads=1,subset=0,matrix=$/flat)"), "multileave");
    size_t ties = 0, unseen = 0, wrong = 0, arms[3] = {0, 1, 2};
    for (uint64_t t = 1; t <= 2000; t++) {
        (void)lab_ask(&half, t, 3, arms);
        (void)lab_ask(&missing, t, 3, arms);
        for (size_t k = 1; k < 3; k++)
            for (size_t j = 0; j < k; j++) {
                spar_outcome a = lab_answer(&half, j, k), b = lab_answer(&missing, j, k);
                ties += a == SPAR_TIE;
                unseen += a == SPAR_MISSING;
                wrong += b != (a == SPAR_TIE ? SPAR_MISSING : a);
            }
    }
    ok(!wrong && ties > 500, "tie=missing: ties are missing, and all else as with tie=half");
    ok(unseen > 0 && unseen < ties, "a slot that added nothing is no tie");
    (void)lab_ask(&half, 1, 1, arms);
    ok(spar_feedback_empty(half.feedback), "a slot alone has nobody to be compared with");
    lab_close(&half);
    lab_close(&missing);
}

static void check_refusals(void)
{
    same_text(lab_refusal("utility", "multileave"),
              "multileave: mixes the lists of rankers, and the arms of utility have none", "others refuse it");
    same_text(lab_refusal("rewards(mu=0.5:0.2)", "multileave"),
              "multileave: slots of rewards have rewards and are not compared", "rewards too");
    ok(strstr(lab_refusal(in_folder(DATA ")"), "ranking"), "ranking: needs utilities"), "rankers have no utilities");
    lab l = lab_open(in_folder(DATA ")"), "multileave"), other = lab_open("utility", NULL);
    size_t arms[100] = {0};
    (void)lab_ask(&other, 1, 2, arms);
    ok(spar_user_answer(l.user, other.world, 1, other.round, other.feedback) == SPAR_UNSUPPORTED,
       "nor answers in another world");
    (void)lab_ask(&l, 1, 100, arms);
    spar__alloc_fail_at(1);
    spar_status status = lab_ask(&l, 1, 100, arms);
    spar__alloc_fail_at(0);
    ok(status == SPAR_NOMEM, "many slots need memory");
    ok(lab_ask(&l, 1, 100, arms) == SPAR_OK, "and then are answered");
    lab_close(&l);
    lab_close(&other);
}

static void write_flat(const char *name, size_t n)
{
    spar__buf text = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            spar__buf_printf(&text, "%s%s", i == j ? "0.5" : i < j ? "0.6" : "0.4", j + 1 < n ? " " : "\n");
    letor_write(name, text.text);
    spar__buf_free(&text);
}

int main(void)
{
    letor_open();
    letor_generate("$/data", 40, 12, RANKERS, 11);
    letor_write("$/few", "2 qid:1 1:9 2:1 3:1\n0 qid:1 1:3 2:5 3:2\n0 qid:1 1:2 2:4 3:3\n1 qid:1 1:4 2:2 3:4\n"
                         "1 qid:2 1:9 2:1 3:1\n0 qid:2 1:8 2:5 3:2\n0 qid:2 1:2 2:4 3:3\n");
    letor_write("$/two", "2 qid:1 1:1 2:2 3:3\n2 qid:1 1:3 2:2 3:1\n2 qid:2 1:1 2:2 3:3\n");
    letor_write("$/good", "2 qid:1 1:1 2:2 3:3\n2 qid:1 1:3 2:2 3:1\n2 qid:1 1:1 2:2 3:1\n");
    write_flat("$/flat", RANKERS);
    write_flat("$/three", 3);
    check_exact("perfect");
    check_exact("navigational");
    check_exact("informational");
    check_exact("position(eta=1)");
    check_drawn("probabilistic");
    check_drawn("optimised");
    check_many();
    check_query();
    check_crowd(5);
    check_crowd(100);
    check_ties();
    check_refusals();
    lab_starve(in_folder(DATA ",mix=probabilistic)"), "multileave");
    lab_starve(in_folder(DATA ",mix=optimised)"), "multileave");
    letor_close();
    return done();
}
