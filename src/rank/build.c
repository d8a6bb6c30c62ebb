/* Batches of queries are parsed and ranked by several workers and written in order, so that the result is the same for
 * any number of them. Memory: the text of one batch, its results, and one query per worker. */
#include "rank/build.h"

#include "base/alloc.h"
#include "base/pool.h"

#include <string.h>

/* Memory that a worker uses for query after query. */
typedef struct build_worker {
    spar__letor_rows rows;
    spar__ranking ranking;
} build_worker;

/* The result for one query: grades and lists, copied from the worker. */
typedef struct query_result {
    spar__record record;
    unsigned char *bytes;
    size_t capacity;
    spar_error err;
} query_result;

typedef struct builder {
    const spar__rankers *rankers;
    const spar__cache_key *key;
    size_t workers;
    build_worker *worker;
    const spar__chunk *chunk;
    query_result *result;
    size_t results;
} builder;

/* Lists, ties, then grades: in the order of their alignment. */
static spar_status keep(query_result *out, const spar__letor_rows *rows, const spar__ranking *ranking)
{
    size_t lists = ranking->lists * ranking->depth * sizeof *ranking->list;
    size_t tied = ranking->depth * sizeof *ranking->tied, need = lists + tied + rows->docs;
    if (need > out->capacity) {
        unsigned char *bytes = spar__alloc(need + need / 4, 1);
        if (!bytes)
            return spar__fail_memory(&out->err);
        spar__free(out->bytes);
        out->bytes = bytes;
        out->capacity = need + need / 4;
    }
    memcpy(out->bytes, ranking->list, lists);
    memcpy(out->bytes + lists, ranking->tied, tied);
    memcpy(out->bytes + lists + tied, rows->grade, rows->docs);
    out->record = (spar__record){.id = rows->id,
                                 .docs = rows->docs,
                                 .depth = ranking->depth,
                                 .lists = ranking->lists,
                                 .grade = out->bytes + lists + tied,
                                 .tied = (const uint16_t *)(const void *)(out->bytes + lists),
                                 .list = (const uint16_t *)(const void *)out->bytes};
    return SPAR_OK;
}

static void work(void *context, size_t index, size_t number)
{
    builder *b = context;
    build_worker *t = &b->worker[number];
    const spar__chunk *chunk = &b->chunk[index];
    query_result *out = &b->result[index];
    out->err = (spar_error){0};
    if (spar__letor_parse(chunk->text, chunk->length, chunk->file, chunk->line, &t->rows, &out->err))
        return;
    if (t->rows.docs == 0)
        (void)spar__fail(&out->err, SPAR_PARSE, "%s: no documents in it", chunk->file);
    else if (spar__rankers_rank(b->rankers, &t->rows, b->key->seed, (size_t)b->key->top, &t->ranking))
        (void)spar__fail_memory(&out->err);
    else
        (void)keep(out, &t->rows, &t->ranking);
}

static spar_status run_batch(builder *b, const spar__stream_batch *batch, spar__spool *spool, spar_error *err)
{
    if (batch->n > b->results) {
        query_result *results = spar__realloc(b->result, b->results, batch->n, sizeof *results);
        if (!results)
            return spar__fail_memory(err);
        b->result = results;
        b->results = batch->n;
    }
    b->chunk = batch->chunk;
    spar__pool_run(b->workers, batch->n, work, b);
    for (size_t i = 0; i < batch->n; i++) {
        const query_result *r = &b->result[i];
        if (r->err.status)
            return spar__fail(err, r->err.status, "%s", r->err.text);
        spar_status status = spar__spool_add(spool, &r->record, err);
        if (status)
            return status;
    }
    return SPAR_OK;
}

spar_status spar__build(spar__stream *stream, const spar__rankers *rankers, const spar__cache_key *key, size_t threads,
                        spar__spool *spool, spar_error *err)
{
    builder b = {.rankers = rankers, .key = key, .workers = spar__pool_workers(threads, SIZE_MAX)};
    spar__stream_batch batch;
    spar_status status;
    b.worker = spar__alloc(b.workers, sizeof *b.worker);
    if (!b.worker)
        return spar__fail_memory(err);
    while (!(status = spar__stream_next(stream, &batch, err)) && batch.n > 0)
        if ((status = run_batch(&b, &batch, spool, err)))
            break;
    if (!status && spool->rankers == 0)
        status = spar__fail(err, SPAR_PARSE, "%s: no features in it", spar__stream_sources(stream)->path);
    for (size_t i = 0; i < b.workers; i++) {
        spar__letor_rows_free(&b.worker[i].rows);
        spar__ranking_free(&b.worker[i].ranking);
    }
    for (size_t i = 0; i < b.results; i++)
        spar__free(b.result[i].bytes);
    spar__free(b.result);
    spar__free(b.worker);
    return status;
}
