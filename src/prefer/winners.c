/* winners.c - the arms that win a preference matrix, in the senses that need only counting. */
#include "prefer/prefer.h"

static bool beats(size_t n, const double *p, size_t i, size_t j)
{
    return p[i * n + j] > 0.5;
}

static size_t wins(size_t n, const double *p, size_t i)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++)
        count += j != i && beats(n, p, i, j);
    return count;
}

bool spar__condorcet(size_t n, const double *p, size_t *winner)
{
    if (n == 0)
        return false;
    /* An arm that the candidate does not beat takes its place, so only the last candidate can beat all. */
    size_t candidate = 0;
    for (size_t j = 1; j < n; j++)
        if (!beats(n, p, candidate, j))
            candidate = j;
    if (wins(n, p, candidate) != n - 1)
        return false;
    if (winner)
        *winner = candidate;
    return true;
}

static void sort_ascending(size_t count, size_t *arm)
{
    for (size_t a = 1; a < count; a++) {
        size_t moving = arm[a], b = a;
        for (; b > 0 && arm[b - 1] > moving; b--)
            arm[b] = arm[b - 1];
        arm[b] = moving;
    }
}

static void swap(size_t *arm, size_t a, size_t b)
{
    size_t kept = arm[a];
    arm[a] = arm[b];
    arm[b] = kept;
}

size_t spar__top_cycle(size_t n, const double *p, size_t *members)
{
    if (n == 0)
        return 0;
    /* A member beats all n - size arms outside, an outsider fewer: an arm with most wins is inside. From it the set
     * grows by every arm that some member does not beat. Members come first in the array, the others after them. */
    size_t first = 0, most = 0, size = 1;
    for (size_t i = 0; i < n; i++) {
        size_t count = wins(n, p, i);
        if (count > most) {
            most = count;
            first = i;
        }
        members[i] = i;
    }
    swap(members, 0, first);
    for (size_t done = 0; done < size; done++)
        for (size_t a = size; a < n; a++)
            if (!beats(n, p, members[done], members[a]))
                swap(members, a, size++);
    sort_ascending(size, members);
    return size;
}

size_t spar__copeland(size_t n, const double *p, size_t *members, size_t *score)
{
    size_t size = 0;
    *score = 0;
    for (size_t i = 0; i < n; i++) {
        size_t count = wins(n, p, i);
        if (count > *score) {
            *score = count;
            size = 0;
        }
        if (count == *score)
            members[size++] = i;
    }
    return size;
}

static double mean_against_others(size_t n, const double *p, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        if (j != i)
            sum += p[i * n + j];
    return n > 1 ? sum / (double)(n - 1) : 0.5;
}

size_t spar__borda(size_t n, const double *p, size_t *members, double *score)
{
    const double rounding = 1e-12;
    size_t size = 0;
    *score = 0;
    for (size_t i = 0; i < n; i++) {
        double mean = mean_against_others(n, p, i);
        if (mean > *score)
            *score = mean;
    }
    for (size_t i = 0; i < n; i++)
        if (mean_against_others(n, p, i) >= *score - rounding)
            members[size++] = i;
    return size;
}

bool spar__total_order(size_t n, const double *p, size_t *order)
{
    /* Of all matrices those of a strict order, with win counts 0, 1, .. n-1, have the largest sum of squared counts: a
     * tie wastes a win, and a cycle evens the counts out. */
    size_t squares = 0;
    for (size_t i = 0; i < n; i++) {
        size_t count = wins(n, p, i);
        squares += count * count;
    }
    if (n == 0 || squares != (n - 1) * n * (2 * n - 1) / 6)
        return false;
    for (size_t i = 0; i < n; i++)
        order[n - 1 - wins(n, p, i)] = i;
    return true;
}
