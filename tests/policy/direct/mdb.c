#include "duel_setup.h"

enum { K = 5 };

static bool shows(const duel_setup *s, size_t arm)
{
    for (size_t j = 0; j < s->round->m; j++)
        if (s->round->arm[j] == arm)
            return true;
    return false;
}

static void first_question(void)
{
    enum { DRAWS = 20000 };
    duel_setup s = duel_setup_new("mdb", K, 0, 1);
    double count[K * K] = {0}, p[K * K];
    bool all = true;
    for (int t = 0; t < DRAWS; t++) {
        ask(&s);
        all &= s.round->m == K;
        for (size_t j = 0; j < s.round->m; j++)
            all &= shows(&s, j);
        count[s.round->arm[0] * K + s.round->arm[K - 1]]++;
    }
    ok(all, "at first all arms are shown");
    double seen[K * K];
    size_t cells = 0;
    for (size_t i = 0; i < K * K; i++)
        if (i / K != i % K) {
            seen[cells] = count[i];
            p[cells++] = 1.0 / (K * (K - 1));
        }
    ok(fabs(chi_square(DRAWS, cells, seen, p)) < 5, "in random order");
    duel_setup_free(&s);
}

/* The rule as it is written, with roots and quotients. */
static size_t arms_within(const double w[K][K], double width, bool *in)
{
    size_t size = 0;
    for (size_t i = 0; i < K; i++) {
        in[i] = true;
        for (size_t j = 0; j < K; j++) {
            double n = w[i][j] + w[j][i];
            if (j != i && n > 0 && w[i][j] / n + sqrt(width / n) < 0.5)
                in[i] = false;
        }
        size += in[i];
    }
    return size;
}

typedef struct cases {
    size_t alone, all_again, part, all, lone_wide;
    bool right;
} cases;

static void check_set(duel_setup *s, const double w[K][K], double alpha, double beta, cases *seen)
{
    bool e[K], f[K];
    double log_t = log((double)s->policy->learned + 1);
    size_t n_e = arms_within(w, alpha * log_t, e), n_f = arms_within(w, alpha * beta * log_t, f);
    ask(s);
    for (size_t i = 0; i < K; i++)
        seen->right &= shows(s, i) == (n_e == 1 ? e[i] : n_f == 0 || f[i]);
    seen->right &= s->round->m == (n_e == 1 ? 1 : n_f == 0 ? K : n_f);
    seen->alone += n_e == 1;
    seen->all_again += n_e != 1 && n_f == 0;
    seen->part += n_e != 1 && n_f > 1 && n_f < K;
    seen->all += n_f == K;
    seen->lone_wide += n_e == 0 && n_f == 1;
}

/* A round of m random arms, perhaps one twice: each pair duels by the matrix p, some tie, some are not answered. */
static void teach(duel_setup *s, size_t m, const double p[K][K], double w[K][K])
{
    size_t arm[K];
    for (size_t i = 0; i < K; i++)
        arm[i] = i;
    spar_rng_shuffle(&s->luck, arm, K);
    if (m > 2 && m < K && spar_rng_below(&s->luck, 4) == 0)
        arm[0] = arm[1];
    (void)spar_feedback_reset(s->feedback, m);
    s->round->m = m;
    memcpy(s->round->arm, arm, m * sizeof *arm);
    for (size_t x = 0; x < m; x++)
        for (size_t y = x + 1; y < m; y++) {
            size_t i = arm[x], j = arm[y];
            double u = spar_rng_uniform(&s->luck), v = spar_rng_uniform(&s->luck);
            if (v < 0.1)
                continue;
            spar_outcome answer = v < 0.2 ? SPAR_TIE : u < (i < j ? p[i][j] : 1 - p[j][i]) ? SPAR_WIN : SPAR_LOSS;
            (void)spar_feedback_set(s->feedback, x, y, answer);
            if (i == j)
                continue;
            w[i][j] += answer == SPAR_WIN ? 1 : answer == SPAR_TIE ? 0.5 : 0;
            w[j][i] += answer == SPAR_LOSS ? 1 : answer == SPAR_TIE ? 0.5 : 0;
        }
    if (spar_policy_learn(s->policy, s->round, s->feedback, NULL))
        abort();
}

/* Random preferences, cycles and all; the set is looked at all the time. */
static void sets(const char *spec, double alpha, double beta)
{
    cases seen = {.right = true};
    for (uint64_t run = 0; run < 400; run++) {
        duel_setup s = duel_setup_new(spec, K, 0, 50 + run);
        double w[K][K] = {{0}}, p[K][K];
        for (size_t i = 0; i < K * K; i++)
            p[i / K][i % K] = 0.2 + 0.6 * spar_rng_uniform(&s.luck);
        for (int t = 0; t < 100; t++) {
            check_set(&s, (const double(*)[K])w, alpha, beta, &seen);
            teach(&s, run < 300 ? K : 1 + (size_t)spar_rng_below(&s.luck, K), (const double(*)[K])p, w);
        }
        duel_setup_free(&s);
    }
    ok(seen.right, "%s: the set is E alone, or F, or all", spec);
    ok(seen.alone > 100 && seen.all_again > 10 && seen.part > 100 && seen.all > 100,
       "%s: all cases came up: %zu alone, %zu F empty, %zu part, %zu all, %zu F alone", spec, seen.alone,
       seen.all_again, seen.part, seen.all, seen.lone_wide);
}

/* Two arms and certain wins: after n duels the loser trails by (n/2)^2 / n = n/4 and is back when log t / 2 >= n/4. */
static void alone_and_back(void)
{
    duel_setup s = duel_setup_new("mdb", 2, 0, 2);
    static const double p[4] = {0.5, 1, 0, 0.5};
    double duels = 0;
    bool right = true;
    for (int t = 1; t <= 5000; t++) {
        bool both = 0.5 * log(t) >= duels / 4;
        play(&s, p, 0);
        right &= s.round->m == (both ? 2 : 1) && (both || s.round->arm[0] == 0);
        duels += both;
    }
    ok(right && duels == 18, "time passes while one arm is shown alone: %g duels in 5000 rounds", duels);
    ok(spar_policy_rounds(s.policy) == 5000, "those rounds count");
    duel_setup_free(&s);
}

static void all_pairs_teach(void)
{
    duel_setup s = duel_setup_new("mdb", K, 0, 3);
    double p[K * K];
    for (size_t i = 0; i < K * K; i++)
        p[i] = i / K == i % K ? 0.5 : i / K < i % K;
    play(&s, p, 0);
    bool right = true;
    for (size_t i = 0; i < K; i++)
        right &= score_of(&s, i) == (double)(K - 1 - i);
    ok(right, "one round of five arms teaches ten pairs");
    duel_setup_free(&s);
}

static void caps(void)
{
    enum { DRAWS = 20000 };
    duel_setup s = duel_setup_new("mdb(cap=3)", K, 0, 4);
    double count[K] = {0};
    bool three = true, even = true;
    for (int t = 0; t < DRAWS; t++) {
        ask(&s);
        three &= s.round->m == 3;
        for (size_t j = 0; j < s.round->m; j++)
            count[s.round->arm[j]]++;
    }
    for (size_t i = 0; i < K; i++)
        even &= fabs(deviation(DRAWS, count[i], 0.6)) < 5;
    ok(three && even, "cap=3 shows a random three of five");
    duel_setup_free(&s);
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_error err = {0};
    if (spar_arms_new(K, 0, NULL, NULL, &arms))
        abort();
    ok(spar_policy_new("mdb(cap=1)", arms, 2, 0, &s.rng, &policy, &err) == SPAR_INVALID && !policy, "cap=1: %s",
       err.text);
    spar_arms_free(arms);
}

int main(void)
{
    first_question();
    sets("mdb", 0.5, 1.5);
    sets("mdb(alpha=0.3,beta=2)", 0.3, 2);
    alone_and_back();
    all_pairs_teach();
    caps();
    survives_hard_worlds("mdb");
    survives_hard_worlds("mdb(cap=2)");
    return done();
}
