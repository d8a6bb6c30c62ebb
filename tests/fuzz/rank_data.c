/* Any bytes as learning-to-rank data, read through a window of a few bytes, query by query, into a cache: refused with
 * a place, or the cache has every query once, and reads back. The first byte is the window. */
#include "fuzz.h"
#include "rank/queries.h"

static void check_cache(spar__stream *stream, const spar__cache_key *key, spar__spool *spool)
{
    static FILE *file;
    spar__cache cache;
    spar_error err = {0};
    spar_status status = spar__cache_write(fuzz_stream(&file), key, spar__stream_sources(stream), 1, spool, &err);
    fuzz_refused(status, &err, NULL);
    if (status)
        return;
    require(!spar__cache_map(fileno(file), &cache, &err) && cache.queries == spool->n);
    for (size_t q = 0; q < cache.queries; q++)
        require(spar__cache_id(&cache, q) == spool->query[q].id && spar__cache_docs(&cache, q) == spool->query[q].docs);
    spar__cache_free(&cache);
}

void fuzz_rank_data(const uint8_t *data, size_t size)
{
    static FILE *file;
    fuzz_input in = {data, size};
    size_t window = 16 + fuzz_byte(&in);
    const char *path = fuzz_file(in.at, in.left);
    const spar__cache_key key = {.top = 3, .seed = 1, .rankers = 8};
    spar__rankers rankers;
    spar__stream *stream = NULL;
    spar_error err = {0};
    spar__spool spool = {.file = fuzz_stream(&file), .name = "spool"};
    require(!spar__rankers_features(NULL, 8, &rankers, &err) && !spar__stream_new(&path, 1, NULL, NULL, &stream, &err));
    spar__stream_window(stream, window);
    spar_status status = spar__build(stream, &rankers, &key, 1, &spool, &err);
    fuzz_refused(status, &err, path);
    if (!status)
        check_cache(stream, &key, &spool);
    spar__stream_free(stream);
    spar__rankers_free(&rankers);
    spar__spool_free(&spool);
}
