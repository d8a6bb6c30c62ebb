/* The state: a magic word, the identity of the work, the tally, and a checksum over all of it. */
#include "cli/rank.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "cli/outdir.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char name[] = "rank.state";
static const uint64_t magic = 0x316b6e7272617073; /* "sparrnk1" in little-endian bytes: change it with the format */

/* All that the tally depends on. */
typedef struct identity {
    char *click, *method;
    uint64_t draws, seed, data;
} identity;

/* Of the queries as they are compared: grades, rankers, top and the order of ties are in it. */
static uint64_t hash_queries(const spar__queries *queries)
{
    spar__hash hash = spar__hash_start();
    size_t rankers = spar__queries_rankers(queries);
    for (size_t i = 0; i < spar__queries_count(queries); i++) {
        spar__query q = spar__queries_get(queries, i);
        const uint64_t head[] = {q.id, q.docs, q.depth, rankers};
        spar__hash_add(&hash, head, sizeof head);
        spar__hash_add(&hash, q.grade, q.docs);
        spar__hash_add(&hash, q.first, rankers * q.depth * sizeof *q.first);
    }
    return spar__hash_end(&hash);
}

static identity identify(const spar__rank_work *work)
{
    return (identity){work->click_spec, work->method, work->draws, work->seed, work->data};
}

static void archive_head(spar__archive *ar, identity *id)
{
    uint64_t word = magic;
    spar__archive_u64(ar, &word);
    spar__archive_check(ar, word == magic);
    spar__archive_text(ar, &id->click);
    spar__archive_text(ar, &id->method);
    spar__archive_check(ar, id->click && id->method);
    spar__archive_u64(ar, &id->draws);
    spar__archive_u64(ar, &id->seed);
    spar__archive_u64(ar, &id->data);
}

spar_status spar__rank_state_save(const spar__rank_work *work, const char *dir, spar_error *err)
{
    spar__archive ar = {.loading = false};
    identity id = identify(work);
    archive_head(&ar, &id);
    spar__tally_archive(work->tally, &ar);
    uint64_t sum = ar.failed ? 0 : spar__hash_of(ar.out.text, ar.out.length);
    spar__archive_u64(&ar, &sum);
    spar_status status = ar.failed ? spar__fail_memory(err) : spar__outdir_write(dir, name, &ar.out, err);
    spar__buf_free(&ar.out);
    return status;
}

/* What has changed; an empty reason says that nothing has. */
static void compare(const identity *then, const identity *now, char *reason, size_t size)
{
    if (strcmp(then->click, now->click) != 0)
        (void)snprintf(reason, size, "it was made with click %.80s, not %.80s", then->click, now->click);
    else if (strcmp(then->method, now->method) != 0)
        (void)snprintf(reason, size, "it was made with method %.80s, not %.80s", then->method, now->method);
    else if (then->draws != now->draws)
        (void)snprintf(reason, size, "it was made with %" PRIu64 " draws, not %" PRIu64 " (0 is exact)", then->draws,
                       now->draws);
    else if (then->seed != now->seed)
        (void)snprintf(reason, size, "it was made with seed %" PRIu64 ", not %" PRIu64, then->seed, now->seed);
    else if (then->data != now->data)
        (void)snprintf(reason, size, "it was made of other data, rankers or top");
}

/* Takes what was saved as the tally, or says why not. */
static spar_status take(spar__rank_work *work, const spar__buf *text, char *reason, size_t size, spar_error *err)
{
    size_t body = text->length > 8 ? text->length - 8 : 0;
    spar__archive ar = {.loading = true, .in = (const unsigned char *)text->text, .left = body};
    spar__archive tail = {.loading = true, .in = ar.in + body, .left = text->length - body};
    identity then = {0}, now = identify(work);
    spar__tally *tally = NULL;
    uint64_t sum;
    spar_status status = spar__tally_new(work->tally->rankers, &tally) ? spar__fail_memory(err) : SPAR_OK;
    spar__archive_u64(&tail, &sum);
    spar__archive_check(&ar, !tail.failed && sum == spar__hash_of(text->text, body));
    archive_head(&ar, &then);
    if (!ar.failed)
        compare(&then, &now, reason, size);
    if (!status && !ar.failed && !reason[0]) {
        spar__tally_archive(tally, &ar);
        spar__archive_check(&ar, ar.left == 0 && tally->queries <= spar__queries_count(work->queries));
    }
    if (ar.no_memory)
        status = spar__fail_memory(err);
    else if (ar.failed)
        (void)snprintf(reason, size, "it is damaged");
    if (!status && !reason[0]) {
        spar__tally_free(work->tally);
        work->tally = tally;
        tally = NULL;
    }
    spar__tally_free(tally);
    spar__free(then.click);
    spar__free(then.method);
    return status;
}

spar_status spar__rank_state_load(spar__rank_work *work, const char *dir, spar_error *err)
{
    spar__buf path = {0}, text = {0};
    struct stat info;
    char reason[256] = "";
    work->data = hash_queries(work->queries);
    spar_status status = spar__outdir_path(dir, name, &path, err);
    if (status || stat(path.text, &info) != 0) {
        spar__buf_free(&path);
        return status;
    }
    status = spar__file_read(path.text, 0, &text, err);
    if (!status)
        status = take(work, &text, reason, sizeof reason, err);
    if (!status && reason[0])
        (void)fprintf(stderr, "spar: note: %s: begun anew: %s\n", path.text, reason);
    else if (!status)
        (void)fprintf(stderr, "spar: note: %s: goes on after %" PRIu64 " of %zu queries\n", path.text,
                      work->tally->queries, spar__queries_count(work->queries));
    spar__buf_free(&path);
    spar__buf_free(&text);
    return status;
}

void spar__rank_state_remove(const char *dir)
{
    spar__buf path = {0};
    if (!spar__outdir_path(dir, name, &path, NULL))
        (void)remove(path.text);
    spar__buf_free(&path);
}
