/* clique.c - the largest set of options in which every pair has an answer.
 *
 * All largest cliques of the graph of answered pairs by Bron and Kerbosch's method with a pivot, leaving branches that
 * cannot reach the largest size found so far. Bron, Kerbosch 1973; Tomita, Tanaka, Takahashi 2006. The time can grow
 * exponentially with the number of options, so steps are counted. */
#include "base/alloc.h"
#include "env/recorded.h"

#include <string.h>

typedef struct clique_search {
    size_t n, words;
    const double *won, *ties;
    uint64_t *linked;     /* n sets: the options with which one has answers */
    uint64_t *open, *had; /* a set for each depth: what may be added, and what was tried before */
    size_t *chosen;       /* n */
    size_t steps;
    size_t size; /* of the best so far, which is in best[] */
    bool winner;
    double answers;
    size_t *best;
} clique_search;

static bool has_member(const uint64_t *set, size_t i)
{
    return set[i / 64] >> i % 64 & 1;
}

static void put_member(uint64_t *set, size_t i, bool in)
{
    uint64_t bit = UINT64_C(1) << i % 64;
    set[i / 64] = in ? set[i / 64] | bit : set[i / 64] & ~bit;
}

static size_t count_common(size_t words, const uint64_t *a, const uint64_t *b)
{
    size_t count = 0;
    for (size_t w = 0; w < words; w++)
        for (uint64_t rest = a[w] & b[w]; rest; rest &= rest - 1)
            count++;
    return count;
}

static bool beats(const clique_search *s, size_t a, size_t b)
{
    return s->won[a * s->n + b] > s->won[b * s->n + a];
}

static bool has_winner(const clique_search *s, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        size_t beaten = 0;
        for (size_t j = 0; j < size; j++)
            beaten += beats(s, s->chosen[i], s->chosen[j]);
        if (beaten + 1 == size)
            return true;
    }
    return false;
}

static double count_answers(const clique_search *s, size_t size)
{
    double sum = 0;
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            sum += s->won[s->chosen[i] * s->n + s->chosen[j]] + s->ties[s->chosen[i] * s->n + s->chosen[j]] / 2;
    return sum;
}

static void offer(clique_search *s, size_t size)
{
    bool winner = has_winner(s, size);
    double answers = count_answers(s, size);
    if (size < s->size || (size == s->size && (winner < s->winner || (winner == s->winner && answers <= s->answers))))
        return;
    s->size = size;
    s->winner = winner;
    s->answers = answers;
    memcpy(s->best, s->chosen, size * sizeof *s->best);
}

/* The option of either set that is linked with most of `open`; n when both are empty. */
static size_t pivot_of(const clique_search *s, const uint64_t *open, const uint64_t *had)
{
    size_t pivot = s->n, most = 0;
    for (size_t i = 0; i < s->n; i++)
        if (has_member(open, i) || has_member(had, i)) {
            size_t count = count_common(s->words, open, s->linked + i * s->words);
            if (pivot == s->n || count > most) {
                pivot = i;
                most = count;
            }
        }
    return pivot;
}

/* chosen[0 .. depth-1] is a clique; false when the steps are used up. */
static bool extend(clique_search *s, size_t depth)
{
    size_t words = s->words;
    uint64_t *open = s->open + depth * words, *had = s->had + depth * words;
    size_t left = count_common(words, open, open), pivot = pivot_of(s, open, had);
    if (!s->steps--)
        return false;
    if (pivot == s->n)
        offer(s, depth);
    if (left == 0 || depth + left < s->size)
        return true;
    for (size_t i = 0; i < s->n; i++) {
        const uint64_t *linked = s->linked + i * words;
        if (!has_member(open, i) || has_member(s->linked + pivot * words, i))
            continue;
        for (size_t w = 0; w < words; w++) {
            open[words + w] = open[w] & linked[w];
            had[words + w] = had[w] & linked[w];
        }
        s->chosen[depth] = i;
        if (!extend(s, depth + 1))
            return false;
        put_member(open, i, false);
        put_member(had, i, true);
    }
    return true;
}

static void link_all(clique_search *s)
{
    for (size_t i = 0; i < s->n; i++) {
        put_member(s->open, i, true);
        for (size_t j = 0; j < s->n; j++) {
            size_t at = i * s->n + j, back = j * s->n + i;
            if (i != j && s->won[at] + s->won[back] + s->ties[at] > 0)
                put_member(s->linked + i * s->words, j, true);
        }
    }
}

size_t spar__largest_complete(size_t n, const double *won, const double *ties, size_t most, size_t *member,
                              spar_status *status)
{
    size_t words = (n + 63) / 64;
    clique_search s = {.n = n, .words = words, .won = won, .ties = ties, .steps = most, .best = member};
    s.linked = spar__alloc(n, words * sizeof *s.linked);
    s.open = spar__alloc(n + 1, words * sizeof *s.open);
    s.had = spar__alloc(n + 1, words * sizeof *s.had);
    s.chosen = spar__alloc(n, sizeof *s.chosen);
    *status = s.linked && s.open && s.had && s.chosen ? SPAR_OK : SPAR_NOMEM;
    if (!*status) {
        link_all(&s);
        if (!extend(&s, 0))
            *status = SPAR_UNSUPPORTED;
    }
    spar__free(s.linked);
    spar__free(s.open);
    spar__free(s.had);
    spar__free(s.chosen);
    return *status ? 0 : s.size;
}
