/* ranker.c - rankers: single features or weighted sums, named in files; and the documents of a query sorted by each of
 * them. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"
#include "rank/letor.h"
#include "sampler/rng.h"

#include <math.h>
#include <string.h>

/* --- from files --- */

static const size_t LARGEST_FILE = (size_t)1 << 28;

typedef struct ranker_reader {
    spar__rankers *rankers;
    spar__location place;
    spar_error *err;
    size_t name_capacity, weights, weight_capacity;
} ranker_reader;

/* With room for where its weights begin and end. */
static spar_status add_name(ranker_reader *r, const char *text, size_t length)
{
    spar__rankers *k = r->rankers;
    if (k->names == SPAR__FEATURE_MOST)
        return spar__location_fail(&r->place, text, r->err, "more than %d names", SPAR__FEATURE_MOST);
    if (k->names == r->name_capacity) {
        size_t capacity = r->name_capacity ? 2 * r->name_capacity : 64;
        char **names = spar__realloc(k->name, r->name_capacity, capacity, sizeof *names);
        if (names)
            k->name = names;
        size_t old = r->name_capacity ? r->name_capacity + 1 : 0;
        size_t *start = spar__realloc(k->start, old, capacity + 1, sizeof *start);
        if (start)
            k->start = start;
        if (!names || !start)
            return spar__fail_memory(r->err);
        r->name_capacity = capacity;
    }
    char *name = spar__alloc(length + 1, 1);
    if (!name)
        return spar__fail_memory(r->err);
    memcpy(name, text, length);
    k->name[k->names++] = name;
    return SPAR_OK;
}

static spar_status add_weight(ranker_reader *r, uint32_t feature, double weight)
{
    spar__rankers *k = r->rankers;
    if (r->weights == r->weight_capacity) {
        size_t capacity = r->weight_capacity ? 2 * r->weight_capacity : 256;
        uint32_t *features = spar__realloc(k->feature, r->weight_capacity, capacity, sizeof *features);
        if (features)
            k->feature = features;
        double *weights = spar__realloc(k->weight, r->weight_capacity, capacity, sizeof *weights);
        if (weights)
            k->weight = weights;
        if (!features || !weights)
            return spar__fail_memory(r->err);
        r->weight_capacity = capacity;
    }
    k->feature[r->weights] = feature;
    k->weight[r->weights++] = weight;
    return SPAR_OK;
}

/* One line of weights: a name, then pairs. */
static spar_status take_weights(ranker_reader *r, const char *at)
{
    spar__rankers *k = r->rankers;
    const char *name = at;
    uint32_t feature = 0;
    double weight = 0;
    while (*at && !spar__is_blank(*at) && !spar__line_ends(&r->place, at))
        at++;
    for (size_t i = 0; i < k->names; i++)
        if (strlen(k->name[i]) == (size_t)(at - name) && memcmp(k->name[i], name, (size_t)(at - name)) == 0)
            return spar__location_fail(&r->place, name, r->err, "the name %s is given twice", k->name[i]);
    spar_status status = add_name(r, name, (size_t)(at - name));
    if (status)
        return status;
    size_t first = k->start[k->names - 1] = r->weights;
    do {
        while (spar__is_blank(*at))
            at++;
        if (first < r->weights && (*at == '#' || spar__line_ends(&r->place, at)))
            break;
        const char *pair = at;
        if ((status = spar__letor_pair(&r->place, &at, &feature, &weight, r->err)))
            return status;
        for (size_t i = first; i < r->weights; i++)
            if (k->feature[i] == feature)
                return spar__location_fail(&r->place, pair, r->err, "feature %u is given twice", (unsigned)feature);
    } while (!(status = add_weight(r, feature, weight)));
    k->start[k->names] = r->weights;
    return status;
}

/* One line of names: all of it, without the blanks around. */
static spar_status take_name(ranker_reader *r, const char *at)
{
    const char *end = at;
    while (!spar__line_ends(&r->place, end))
        if (*end++ == '\0')
            return spar__location_expected(&r->place, end - 1, r->err, "a name");
    while (spar__is_blank(end[-1]))
        end--;
    return add_name(r, at, (size_t)(end - at));
}

typedef spar_status line_taker(ranker_reader *r, const char *at);

static spar_status read_lines(const char *path, line_taker *take, spar__rankers *out, spar_error *err)
{
    spar__buf text = {0};
    spar_status status = spar__file_read(path, LARGEST_FILE, &text, err);
    const char *shown = strcmp(path, "-") == 0 ? "standard input" : path;
    ranker_reader r = {.rankers = out, .place = {shown, 1, text.text, text.text + text.length}, .err = err};
    for (const char *at = text.text; !status && at < r.place.end; r.place.line++) {
        const char *end = memchr(at, '\n', (size_t)(r.place.end - at));
        r.place.start = at;
        while (spar__is_blank(*at))
            at++;
        if (*at != '#' && !spar__line_ends(&r.place, at))
            status = take(&r, at);
        at = end ? end + 1 : r.place.end;
    }
    if (!status && out->names == 0)
        status = spar__fail(err, SPAR_PARSE, "%s: nothing in it", shown);
    spar__buf_free(&text);
    return status;
}

spar_status spar__rankers_features(const char *names_path, size_t most, spar__rankers *out, spar_error *err)
{
    *out = (spar__rankers){.most = most, .hash = most};
    spar_status status = names_path ? read_lines(names_path, take_name, out, err) : SPAR_OK;
    if (status)
        spar__rankers_free(out);
    return status;
}

spar_status spar__rankers_weights(const char *path, spar__rankers *out, spar_error *err)
{
    *out = (spar__rankers){0};
    spar_status status = read_lines(path, take_weights, out, err);
    if (status) {
        spar__rankers_free(out);
        return status;
    }
    out->n = out->names;
    spar__hash hash = spar__hash_start();
    spar__hash_add(&hash, out->start, (out->n + 1) * sizeof *out->start);
    spar__hash_add(&hash, out->feature, out->start[out->n] * sizeof *out->feature);
    spar__hash_add(&hash, out->weight, out->start[out->n] * sizeof *out->weight);
    out->hash = spar__hash_end(&hash);
    return SPAR_OK;
}

void spar__rankers_free(spar__rankers *rankers)
{
    for (size_t i = 0; i < rankers->names; i++)
        spar__free(rankers->name[i]);
    spar__free(rankers->name);
    spar__free(rankers->start);
    spar__free(rankers->feature);
    spar__free(rankers->weight);
    *rankers = (spar__rankers){0};
}

/* The first documents of every ranker.
 *
 * Documents are scored in the order of ties, so that the first of equal scores is the one to keep: a list of the best
 * so far takes in only what is greater. The order is random, whatever the file's was, so that of n documents about
 * depth (1 + log(n / depth)) enter the list: the cost is that of looking at each score once. */

enum { PURPOSE_TIES = 0x726b74 }; /* apart from the streams of simulated users, whose seeds may be the same */

struct ranking_cell {
    double value;
    uint32_t place;
};

/* Room for count objects; the old contents are lost. NULL when out of memory. */
static void *fit(void *array, size_t *capacity, size_t count, size_t size)
{
    if (array && count <= *capacity)
        return array;
    size_t wanted = count < 2 * *capacity ? 2 * *capacity : count;
    spar__free(array);
    array = spar__alloc(wanted, size);
    *capacity = array ? wanted : 0;
    return array;
}

static void select_best(spar__ranking *w, size_t docs, uint16_t *list)
{
    size_t depth = w->depth, held = 0;
    for (size_t i = 0; i < docs; i++) {
        double score = w->score[i];
        if (held == depth && !(score > w->best[depth - 1]))
            continue;
        size_t at = held < depth ? held++ : depth - 1;
        for (; at > 0 && w->best[at - 1] < score; at--) {
            w->best[at] = w->best[at - 1];
            list[at] = list[at - 1];
        }
        w->best[at] = score;
        list[at] = w->tied[i];
    }
}

static void rank_feature(spar__ranking *w, const spar__letor_rows *rows, uint32_t feature, uint16_t *list)
{
    if (w->column[feature - 1] == w->column[feature]) {
        memcpy(list, w->tied, w->depth * sizeof *list);
        return;
    }
    memset(w->score, 0, rows->docs * sizeof *w->score);
    for (size_t c = w->column[feature - 1]; c < w->column[feature]; c++)
        w->score[w->cell[c].place] = w->cell[c].value;
    select_best(w, rows->docs, list);
}

static void rank_sum(spar__ranking *w, const spar__letor_rows *rows, const spar__rankers *k, size_t r, uint16_t *list)
{
    memset(w->score, 0, rows->docs * sizeof *w->score);
    for (size_t i = k->start[r]; i < k->start[r + 1]; i++)
        if (k->feature[i] <= rows->features)
            for (size_t c = w->column[k->feature[i] - 1]; c < w->column[k->feature[i]]; c++)
                w->score[w->cell[c].place] += k->weight[i] * w->cell[c].value;
    for (size_t i = 0; i < rows->docs; i++)
        if (isnan(w->score[i])) /* of infinite sums with both signs */
            w->score[i] = -INFINITY;
    select_best(w, rows->docs, list);
}

spar_status spar__rankers_rank(const spar__rankers *rankers, const spar__letor_rows *rows, uint64_t seed, size_t top,
                               spar__ranking *out)
{
    spar__ranking *w = out;
    w->depth = top < rows->docs ? top : rows->docs;
    w->lists = rankers->n ? rankers->n : rows->features;
    if (rankers->most && w->lists > rankers->most)
        w->lists = rankers->most;
    size_t *room = w->capacity;
    w->tied = fit(w->tied, &room[0], rows->docs, sizeof *w->tied);
    w->place = fit(w->place, &room[1], rows->docs, sizeof *w->place);
    w->score = fit(w->score, &room[2], rows->docs, sizeof *w->score);
    w->column = fit(w->column, &room[3], rows->features + 1, sizeof *w->column);
    w->cell = fit(w->cell, &room[4], rows->entries, sizeof *w->cell);
    w->best = fit(w->best, &room[5], w->depth, sizeof *w->best);
    w->list = fit(w->list, &room[6], w->lists * w->depth, sizeof *w->list);
    if (!w->tied || !w->place || !w->score || !w->column || !w->cell || !w->best || !w->list)
        return SPAR_NOMEM;
    spar__luck luck = spar__luck_make(seed, 0, PURPOSE_TIES);
    for (size_t i = 0; i < rows->docs; i++) {
        size_t j = (size_t)(spar__luck_uniform(luck, rows->id, 0, (uint32_t)i) * (double)(i + 1));
        w->tied[i] = w->tied[j];
        w->tied[j] = (uint16_t)i;
    }
    for (size_t i = 0; i < rows->docs; i++)
        w->place[w->tied[i]] = (uint16_t)i;
    /* Sorts the entries by feature. */
    memset(w->column, 0, (rows->features + 1) * sizeof *w->column);
    for (size_t i = 0; i < rows->entries; i++)
        w->column[rows->entry[i].feature]++;
    size_t sum = 0;
    for (size_t f = 0; f <= rows->features; f++) {
        size_t count = w->column[f];
        w->column[f] = sum;
        sum += count;
    }
    /* Each start, used as a cursor, ends up as the start of the next feature. */
    for (size_t i = 0; i < rows->entries; i++) {
        const spar__letor_entry *e = &rows->entry[i];
        w->cell[w->column[e->feature]++] = (struct ranking_cell){e->value, w->place[e->doc]};
    }
    for (size_t r = 0; r < w->lists; r++) {
        if (rankers->n)
            rank_sum(w, rows, rankers, r, w->list + r * w->depth);
        else
            rank_feature(w, rows, (uint32_t)r + 1, w->list + r * w->depth);
    }
    return SPAR_OK;
}

void spar__ranking_free(spar__ranking *w)
{
    spar__free(w->list);
    spar__free(w->tied);
    spar__free(w->place);
    spar__free(w->column);
    spar__free(w->score);
    spar__free(w->best);
    spar__free(w->cell);
    *w = (spar__ranking){0};
}
