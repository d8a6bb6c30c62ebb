#include "prefer/prefer.h"

#include "matrix.h"
#include "tap.h"

enum { MOST = 8 };

/* Sets of arms as bits; the slow obvious versions of everything. */

static unsigned bits(size_t count, const size_t *arm)
{
    unsigned set = 0;
    for (size_t a = 0; a < count; a++)
        set |= 1u << arm[a];
    return set;
}

static bool ascending(size_t count, const size_t *arm)
{
    for (size_t a = 1; a < count; a++)
        if (arm[a - 1] >= arm[a])
            return false;
    return true;
}

static bool dominates(size_t n, const double *p, unsigned set)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if ((set >> i & 1) && !(set >> j & 1) && !(p[i * n + j] > 0.5))
                return false;
    return true;
}

static unsigned slow_top_cycle(size_t n, const double *p)
{
    unsigned best = (1u << n) - 1;
    for (unsigned set = 1; set < 1u << n; set++)
        if (dominates(n, p, set) && __builtin_popcount(set) < __builtin_popcount(best))
            best = set;
    return best;
}

static unsigned slow_condorcet(size_t n, const double *p)
{
    for (size_t i = 0; i < n; i++)
        if (dominates(n, p, 1u << i))
            return 1u << i;
    return 0;
}

static unsigned slow_copeland(size_t n, const double *p, size_t *score)
{
    unsigned set = 0;
    for (*score = n; !set; --*score) {
        for (size_t i = 0; i < n; i++) {
            size_t won = 0;
            for (size_t j = 0; j < n; j++)
                won += p[i * n + j] > 0.5;
            set |= (unsigned)(won == *score) << i;
        }
        if (set)
            break;
    }
    return set;
}

static unsigned slow_borda(size_t n, const double *p)
{
    unsigned set = 0;
    for (size_t i = 0; i < n; i++) {
        bool best = true;
        for (size_t k = 0; k < n; k++) {
            double ahead = 0; /* of k, in the sums of the rows, where the diagonals cancel */
            for (size_t j = 0; j < n; j++)
                ahead += p[k * n + j] - p[i * n + j];
            best = best && ahead <= 1e-11;
        }
        set |= (unsigned)best << i;
    }
    return set;
}

static bool slow_order(size_t n, const double *p, const size_t *order)
{
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++)
            if (!(p[order[a] * n + order[b]] > 0.5))
                return false;
    return true;
}

/* An order exists when every set of arms has one that beats the rest of it. */
static bool has_order(size_t n, const double *p)
{
    for (unsigned set = 1; set < 1u << n; set++) {
        bool has_best = false;
        for (size_t i = 0; i < n; i++) {
            bool best = set >> i & 1;
            for (size_t j = 0; j < n; j++)
                best = best && (i == j || !(set >> j & 1) || p[i * n + j] > 0.5);
            has_best = has_best || best;
        }
        if (!has_best)
            return false;
    }
    return true;
}

static bool agrees(size_t n, const double *p)
{
    size_t arm[MOST], count, winner = 99, score, slow_score;
    double mean;
    unsigned condorcet = slow_condorcet(n, p);
    if (spar__condorcet(n, p, &winner) != (condorcet != 0) || (condorcet ? 1u << winner != condorcet : winner != 99))
        return false;
    count = spar__top_cycle(n, p, arm);
    if (!ascending(count, arm) || bits(count, arm) != slow_top_cycle(n, p))
        return false;
    count = spar__copeland(n, p, arm, &score);
    if (!ascending(count, arm) || bits(count, arm) != slow_copeland(n, p, &slow_score) || score != slow_score)
        return false;
    count = spar__borda(n, p, arm, &mean);
    if (!ascending(count, arm) || bits(count, arm) != slow_borda(n, p))
        return false;
    arm[0] = 99;
    return spar__total_order(n, p, arm) ? has_order(n, p) && slow_order(n, p, arm) : !has_order(n, p) && arm[0] == 99;
}

static void against_brute_force(void)
{
    double p[MOST * MOST];
    size_t orders = 0, order[MOST];
    for (size_t levels = 0; levels <= 4; levels++) {
        bool good = true;
        for (int trial = 0; trial < 3000; trial++) {
            size_t n = 1 + matrix_below(MOST);
            matrix_random(n, p, levels);
            good = good && agrees(n, p);
            orders += n > 2 && spar__total_order(n, p, order);
        }
        ok(good, "all answers are those of brute force, %zu levels", levels);
    }
    ok(orders > 100, "some of these matrices had an order");
}

static void renamed(void)
{
    double p[MOST * MOST], q[MOST * MOST];
    size_t name[MOST], arm[MOST], other[MOST], score, winner, renamed_winner;
    bool good = true;
    for (int trial = 0; trial < 3000; trial++) {
        size_t n = 1 + matrix_below(MOST), count, again;
        matrix_random(n, p, (size_t)trial % 4);
        matrix_shuffle(n, name);
        matrix_rename(n, p, name, q);
        if (spar__condorcet(n, p, &winner))
            good = good && spar__condorcet(n, q, &renamed_winner) && renamed_winner == name[winner];
        count = spar__top_cycle(n, p, arm);
        again = spar__top_cycle(n, q, other);
        for (size_t a = 0; a < count; a++)
            arm[a] = name[arm[a]];
        good = good && bits(count, arm) == bits(again, other);
        count = spar__copeland(n, p, arm, &score);
        again = spar__copeland(n, q, other, &score);
        for (size_t a = 0; a < count; a++)
            arm[a] = name[arm[a]];
        good = good && bits(count, arm) == bits(again, other);
    }
    ok(good, "arms renamed, answers renamed");
}

static void by_hand(void)
{
    const double one[] = {0.5};
    const double cycle[] = {0.5, 1, 0, 0, /**/ 0, 0.5, 1, 0, /**/ 1, 0, 0.5, 0.5, /**/ 1, 1, 0.5, 0.5};
    const double chase[] = {0.5, 0.9, 0.2, 0.6, /**/ 0.1, 0.5, 0.7, 0.6, /**/ 0.8, 0.3, 0.5, 0.6, /**/
                            0.4, 0.4, 0.4, 0.5};
    const double tie[] = {0.5, 0.5, 0.9, /**/ 0.5, 0.5, 0.6, /**/ 0.1, 0.4, 0.5};
    size_t arm[4], score, winner = 99;
    double mean;
    ok(!spar__condorcet(0, one, &winner) && spar__top_cycle(0, one, arm) == 0, "no arms, no winner");
    ok(spar__condorcet(1, one, &winner) && winner == 0, "a single arm beats all others");
    ok(spar__condorcet(1, one, NULL), "the winner need not be asked for");
    ok(spar__top_cycle(4, cycle, arm) == 4, "a tie draws the other arm into the top cycle");
    ok(spar__top_cycle(4, chase, arm) == 3 && arm[0] == 0 && arm[1] == 1 && arm[2] == 2, "three chase each other");
    ok(!spar__condorcet(4, chase, NULL), "and none of them beats all");
    ok(spar__copeland(4, chase, arm, &score) == 3 && score == 2, "each wins twice");
    ok(spar__borda(4, chase, arm, &mean) == 2 && arm[0] == 0 && arm[1] == 2, "two have the highest mean");
    near(mean, 1.7 / 3, 1e-15, "which is that of the row without its diagonal");
    ok(!spar__condorcet(3, tie, NULL) && spar__top_cycle(3, tie, arm) == 2, "a tie is no win");
    ok(!spar__total_order(3, tie, arm), "nor does it make an order");
}

int main(void)
{
    by_hand();
    against_brute_force();
    renamed();
    return done();
}
