#include "env/ranker_matrix.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The file: what it is, what it was made from, the tally, and a hash of all before. */
#define MAGIC UINT64_C(0x31786d6b6e727073)
enum { LONGEST = 1 << 30 };

typedef struct key {
    uint64_t how;  /* clicks and mix */
    uint64_t data; /* grades and lists */
} key;

static spar__judged judged(const void *data, size_t i)
{
    spar__query q = spar__queries_get(data, i);
    return (spar__judged){q.docs, q.grade, q.depth, q.first};
}

static void add_text(spar__hash *hash, const char *text)
{
    spar__hash_add(hash, text, strlen(text) + 1);
}

/* How two rankers are compared: everything that a preference depends on besides the data. */
static uint64_t hash_how(const spar__ranker_matrix_options *o, bool exact)
{
    const spar__click *click = o->desk->click;
    const spar__mixer *mixer = &o->desk->mixer;
    uint64_t drawn[2] = {o->draws, o->seed}, sizes[2] = {click->grades, click->top};
    spar__hash hash = spar__hash_start();
    spar__hash_add(&hash, sizes, sizeof sizes);
    spar__hash_add(&hash, click->click, click->grades * sizeof *click->click);
    spar__hash_add(&hash, click->stop, click->grades * sizeof *click->stop);
    spar__hash_add(&hash, click->examine, click->top * sizeof *click->examine);
    add_text(&hash, mixer->cls->entry.name);
    spar__hash_add(&hash, mixer->self, sizeof mixer->self);
    if (!exact)
        spar__hash_add(&hash, drawn, sizeof drawn);
    return spar__hash_end(&hash);
}

static uint64_t hash_data(const spar__queries *queries)
{
    size_t n = spar__queries_count(queries), rankers = spar__queries_rankers(queries);
    spar__hash hash = spar__hash_start();
    for (size_t i = 0; i < n; i++) {
        spar__query q = spar__queries_get(queries, i);
        uint64_t sizes[2] = {q.docs, q.depth};
        spar__hash_add(&hash, sizes, sizeof sizes);
        spar__hash_add(&hash, q.grade, q.docs * sizeof *q.grade);
        spar__hash_add(&hash, q.first, rankers * q.depth * sizeof *q.first);
    }
    return spar__hash_end(&hash);
}

static void archive(spar__archive *ar, key made_from, spar__tally *tally)
{
    uint64_t head[3] = {MAGIC, made_from.how, made_from.data};
    for (size_t i = 0; i < 3; i++) {
        uint64_t value = head[i];
        spar__archive_u64(ar, &value);
        spar__archive_check(ar, value == head[i]);
    }
    spar__tally_archive(tally, ar);
}

/* Takes what the file holds, if it is whole and what is asked for. Only want of memory is a failure. */
static spar_status load(spar__ranker_matrix *out, key wanted, size_t queries, spar_error *err)
{
    spar__buf text = {0};
    uint64_t sum = 0;
    spar_status status = spar__file_read(out->file, LONGEST, &text, NULL);
    if (!status && text.length > sizeof sum) {
        size_t length = text.length - sizeof sum;
        memcpy(&sum, text.text + length, sizeof sum);
        spar__archive ar = {.loading = true, .in = (const unsigned char *)text.text, .left = length};
        if (spar__hash_of(text.text, length) == sum)
            archive(&ar, wanted, out->tally);
        else
            ar.failed = true;
        out->kept = !ar.failed && !ar.left && out->tally->queries == queries;
    }
    spar__buf_free(&text);
    return status == SPAR_NOMEM ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status save(const spar__ranker_matrix_options *o, spar__ranker_matrix *out, key made_from, spar_error *err)
{
    spar__archive ar = {0};
    archive(&ar, made_from, out->tally);
    uint64_t sum = ar.out.failed ? 0 : spar__hash_of(ar.out.text, ar.out.length);
    spar__buf_add(&ar.out, (const char *)&sum, sizeof sum);
    spar_status status =
        ar.out.failed ? spar__fail_memory(err) : spar__file_write(out->file, ar.out.text, ar.out.length, err);
    spar__buf_free(&ar.out);
    out->kept = !status;
    return status == SPAR_NOMEM || o->must_keep ? status : SPAR_OK;
}

/* A tally that did not load is no good to begin with. */
static spar_status compute(const spar__ranker_matrix_options *o, spar__ranker_matrix *out, spar_error *err)
{
    const spar__queries *queries = o->desk->queries;
    spar__judgments judgments = {spar__queries_rankers(queries), spar__queries_top(queries), queries, judged};
    spar__comparison how = {o->desk->click, out->exact ? NULL : &o->desk->mixer, o->draws, o->seed};
    spar__tally_free(out->tally);
    if (spar__tally_new(judgments.rankers, &out->tally))
        return spar__fail_memory(err);
    return spar__tally_add(out->tally, &judgments, &how, 0, spar__queries_count(queries), o->threads, err);
}

spar_status spar__ranker_matrix_make(const spar__ranker_matrix_options *o, spar__ranker_matrix *out, spar_error *err)
{
    const spar__queries *queries = o->desk->queries;
    *out = (spar__ranker_matrix){.exact = o->desk->mixer.cls == &spar__mix_team_draft};
    key wanted = {hash_how(o, out->exact), 0};
    spar_status status = SPAR_OK;
    if (spar__tally_new(spar__queries_rankers(queries), &out->tally))
        status = spar__fail_memory(err);
    if (!status && o->keep) {
        spar__buf name = {0};
        spar__buf_printf(&name, "%s-%08" PRIx32, o->keep, (uint32_t)wanted.how);
        out->file = name.text;
        wanted.data = hash_data(queries);
        status = name.failed ? spar__fail_memory(err) : load(out, wanted, spar__queries_count(queries), err);
    }
    if (!status && !out->kept) {
        status = compute(o, out, err);
        if (!status && out->file)
            status = save(o, out, wanted, err);
    }
    if (status)
        spar__ranker_matrix_free(out);
    return status;
}

void spar__ranker_matrix_free(spar__ranker_matrix *matrix)
{
    spar__tally_free(matrix->tally);
    spar__free(matrix->file);
    *matrix = (spar__ranker_matrix){0};
}
