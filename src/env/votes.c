/* votes - recorded votes on pairs: a duel is one of the votes that the pair got, drawn with replacement. Rows with two
 * sides and a winner (CSV, JSON), or lines 'A > B'. Skips, and votes that both are bad, are left out. P(i beats j) is
 * the share of i's wins, a tie half. */
#include "text/votes.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "env/data.h"

#include <string.h>

/* --- what people answered once --- */

spar_status spar__pair_record_make(size_t n, const double *won, const double *ties, const spar__names *names,
                                   const size_t *option, spar__pair_record *out)
{
    *out = (spar__pair_record){.matrix = {.n = n}};
    out->matrix.p = spar__alloc(n, n * sizeof *out->matrix.p);
    out->matrix.names = spar__alloc(n, sizeof *out->matrix.names);
    out->tie = spar__alloc(n, n * sizeof *out->tie);
    if (!out->matrix.p || !out->matrix.names || !out->tie)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++) {
        out->matrix.names[i] = spar__strdup(spar__names_at(names, option ? option[i] : i));
        if (!out->matrix.names[i])
            return SPAR_NOMEM;
        out->matrix.p[i * n + i] = 0.5;
        for (size_t j = 0; j < i; j++) {
            size_t total = names->n, a = option ? option[i] : i, b = option ? option[j] : j;
            double w = won[a * total + b], l = won[b * total + a], t = ties[a * total + b], all = w + l + t;
            double p = all > 0 ? (w + t / 2) / all : 0.5;
            out->matrix.p[i * n + j] = p;
            out->matrix.p[j * n + i] = 1 - p;
            out->tie[i * n + j] = out->tie[j * n + i] = all > 0 ? t / all : -1;
        }
    }
    return SPAR_OK;
}

void spar__pair_record_free(spar__pair_record *record)
{
    spar__matrix_free(&record->matrix);
    spar__free(record->tie);
    spar__free(record->cycle);
    record->tie = NULL;
    record->cycle = NULL;
}

spar_status spar__pair_record_start(const spar__pair_record *record, uint64_t seed, uint64_t run, spar_world *world,
                                    spar_error *err)
{
    size_t n = record->matrix.n;
    size_t *order = world->recorded = spar__alloc(n, sizeof *order);
    if (!order)
        return SPAR_NOMEM;
    spar_status status = spar__subset_start(&record->matrix, 1, n, 0, seed, run, false, NULL, order, world, err);
    if (status)
        return status;
    double *tie = world->phase->tie = spar__alloc(n, n * sizeof *tie);
    for (size_t i = 0; tie && i < n; i++)
        for (size_t j = 0; j < n; j++)
            tie[i * n + j] = record->tie[order[i] * n + order[j]];
    return tie ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__recorded_read(const char *path, const spar__votes_columns *columns, spar__votes *out,
                                spar__votes_form *form, spar_error *err)
{
    spar__buf file = {0};
    size_t line = 0;
    *out = (spar__votes){0};
    spar_status status = spar__file_read(path, 0, &file, err);
    *form = status ? SPAR__VOTES_EMPTY : spar__votes_guess(file.text, file.length, &line);
    if (status)
        ;
    else if (*form == SPAR__VOTES_PREFLIB)
        status = spar__preflib_parse(file.text, file.length, path, out, err);
    else if (*form == SPAR__VOTES_CSV)
        status = spar__votes_parse_csv(file.text, file.length, path, columns, out, err);
    else if (*form == SPAR__VOTES_JSON)
        status = spar__votes_parse_json(file.text, file.length, path, columns, out, err);
    else if (*form == SPAR__VOTES_LINES)
        status = spar__votes_parse_lines(file.text, file.length, path, out, err);
    else if (*form == SPAR__VOTES_UNKNOWN)
        status = spar__fail(err, SPAR_PARSE, "%.200s:%zu: no votes in a known form, as in 'model_a,model_b,winner'",
                            path, line);
    spar__buf_free(&file);
    return status;
}

const uint32_t *spar__ballot_of(const struct spar__ballots *ballots, spar__luck luck, uint64_t t)
{
    uint64_t people = ballots->upto[ballots->count - 1];
    uint64_t person = (uint64_t)(spar__luck_uniform(luck, t, SPAR__LUCK_TASTE, 0) * (double)people);
    size_t low = 0, high = ballots->count - 1; /* the first ballot that goes up to more than `person` */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ballots->upto[middle] > person)
            high = middle;
        else
            low = middle + 1;
    }
    return ballots->place + low * ballots->n;
}

/* --- the largest set of options in which every pair has an answer ---
 *
 * All largest cliques of the graph of answered pairs by Bron and Kerbosch's method with a pivot, leaving branches that
 * cannot reach the largest size found so far. Bron, Kerbosch 1973; Tomita, Tanaka, Takahashi 2006. The time can grow
 * exponentially with the number of options, so steps are counted. */

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

static void offer(clique_search *s, size_t size)
{
    bool winner = false; /* one that beats all others */
    double answers = 0;
    for (size_t i = 0; i < size; i++) {
        size_t beaten = 0;
        for (size_t j = 0; j < size; j++) {
            size_t at = s->chosen[i] * s->n + s->chosen[j], back = s->chosen[j] * s->n + s->chosen[i];
            beaten += s->won[at] > s->won[back];
            answers += s->won[at] + s->ties[at] / 2;
        }
        winner = winner || beaten + 1 == size;
    }
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
    for (size_t i = 0; !*status && i < n; i++) {
        put_member(s.open, i, true);
        for (size_t j = 0; j < n; j++)
            if (i != j && won[i * n + j] + won[j * n + i] + ties[i * n + j] > 0)
                put_member(s.linked + i * words, j, true);
    }
    if (!*status && !extend(&s, 0))
        *status = SPAR_UNSUPPORTED;
    spar__free(s.linked);
    spar__free(s.open);
    spar__free(s.had);
    spar__free(s.chosen);
    return *status ? 0 : s.size;
}

/* --- the environment --- */

typedef struct votes {
    char *path;
    spar__pair_record pairs;
} votes;

enum { MOST_STEPS = 20000000, MOST_OPTIONS = 5000 };

static const spar_param params[] = {
    {"file", SPAR_PARAM_PATH, NULL, 0, 0, NULL, "CSV or JSON with two sides and a winner, or lines 'A > B'"},
    {"a", SPAR_PARAM_TEXT, NULL, 0, 0, NULL, "the column of one side; model_a unless given"},
    {"b", SPAR_PARAM_TEXT, NULL, 0, 0, NULL, "the column of the other side; model_b unless given"},
    {"winner", SPAR_PARAM_TEXT, NULL, 0, 0, NULL, "the column that says who won; winner unless given"},
    {"complete", SPAR_PARAM_INTEGER, "0", 0, 1, NULL, "1: only the largest set of options whose every pair has a vote"},
    {0},
};

static spar_status read_file(const char *path, const spar__values *values, spar__votes *out, spar_error *err)
{
    spar__votes_columns columns = {
        .a = spar__text(values, "a"), .b = spar__text(values, "b"), .winner = spar__text(values, "winner")};
    spar__votes_form form;
    spar_status status = spar__recorded_read(path, &columns, out, &form, err);
    if (!status && form == SPAR__VOTES_PREFLIB)
        return spar__fail(err, SPAR_INVALID,
                          "%.200s: has ballots, not votes on pairs; did you mean 'voters(file=%.200s)'?", path, path);
    if (!status && form == SPAR__VOTES_COUNTS)
        return spar__fail(err, SPAR_INVALID,
                          "%.200s: has counts, not votes; did you mean 'matrix(file=%.200s,counts=1)'?", path, path);
    if (!status && out->options.n < 2)
        return spar__fail(err, SPAR_UNSUPPORTED, "%.200s: has votes on %zu option%s; 2 are needed to compare", path,
                          out->options.n, spar__plural(out->options.n));
    if (!status && out->options.n > MOST_OPTIONS)
        return spar__fail(err, SPAR_UNSUPPORTED, "%.200s: has votes on %zu options, more than %d", path, out->options.n,
                          MOST_OPTIONS);
    return status;
}

static void count_votes(const spar__votes *file, double *won, double *ties)
{
    size_t n = file->options.n;
    for (size_t v = 0; v < file->n; v++) {
        const spar__vote *vote = &file->vote[v];
        const spar__vote_slot *slot = file->slot + vote->first;
        for (size_t k = 0; vote->kind == SPAR__VOTE_ORDER && k < vote->m; k++)
            for (size_t j = 0; j < vote->m; j++)
                if (slot[j].option == slot[k].option)
                    continue;
                else if (slot[j].place < slot[k].place)
                    won[slot[j].option * n + slot[k].option] += (double)vote->times;
                else if (slot[j].place == slot[k].place)
                    ties[slot[j].option * n + slot[k].option] += (double)vote->times;
    }
}

static spar_status check_complete(const char *path, spar__pair_record *pairs, spar_error *err)
{
    size_t n = pairs->matrix.n, unknown = 0;
    if (n < 2)
        return spar__fail(err, SPAR_UNSUPPORTED, "%.200s: no pair of its options has a vote", path);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            unknown += pairs->tie[i * n + j] < 0;
    if (unknown)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%.200s: %zu of the %zu pairs of its %zu options %s no vote; complete=1 takes the largest "
                          "set of options whose every pair has one",
                          path, unknown, n * (n - 1) / 2, n, unknown == 1 ? "has" : "have");
    return spar__cycle_text(path, &pairs->matrix, &pairs->cycle, err);
}

static spar_status fill_pairs(votes *self, const spar__votes *file, bool complete, spar_error *err)
{
    size_t n = file->options.n, kept = n;
    double *won = spar__alloc(n, n * sizeof *won), *ties = spar__alloc(n, n * sizeof *ties);
    size_t *option = complete ? spar__alloc(n, sizeof *option) : NULL;
    spar_status status = won && ties && (option || !complete) ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        count_votes(file, won, ties);
    if (!status && complete)
        kept = spar__largest_complete(n, won, ties, MOST_STEPS, option, &status);
    if (!status)
        status = spar__pair_record_make(kept, won, ties, &file->options, option, &self->pairs);
    if (status == SPAR_NOMEM)
        (void)spar__fail_memory(err);
    else if (status)
        (void)spar__fail(err, status,
                         "%.200s: the largest set of options whose every pair has a vote takes too long to find",
                         self->path);
    spar__free(won);
    spar__free(ties);
    spar__free(option);
    return status ? status : check_complete(self->path, &self->pairs, err);
}

static spar_status init(void *self, const spar__values *values, spar_error *err)
{
    votes *v = self;
    if (!spar__given(values, "file"))
        return spar__fail(err, SPAR_INVALID, "votes: needs file=, a file of votes on pairs");
    v->path = spar__strdup(spar__text(values, "file"));
    spar__votes file = {0};
    spar_status status = v->path ? read_file(v->path, values, &file, err) : spar__fail_memory(err);
    if (!status)
        status = fill_pairs(v, &file, spar__integer(values, "complete"), err);
    spar__votes_free(&file);
    return status;
}

static void fini(void *self)
{
    votes *v = self;
    spar__pair_record_free(&v->pairs);
    spar__free(v->path);
}

static spar_status start(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err)
{
    const votes *v = self;
    return spar__pair_record_start(&v->pairs, seed, run, world, err);
}

static const char *cycle(const void *self)
{
    return ((const votes *)self)->pairs.cycle;
}

const spar__env_class spar__env_votes = {
    .entry = {"votes", "recorded votes on pairs, drawn with replacement", NULL, params},
    .size = sizeof(votes),
    .init = init,
    .fini = fini,
    .start = start,
    .cycle = cycle,
};
