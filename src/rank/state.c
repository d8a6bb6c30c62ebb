/* The file of a comparison is a frame with one section: how it was made, and the tally. */
#include "rank/comparison.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/archive.h"
#include "base/hash.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static const spar__frame_kind kind = {
    .name = "comparison of rankers", .tag = "rcmp", .version = 1, .section = {{"body", 0}}};

/* All that the tally depends on. */
typedef struct state_identity {
    char *click, *mix;
    uint64_t draws, seed, data;
} state_identity;

/* Of the queries as they are compared: grades, rankers, top and the order of ties are in it. */
uint64_t spar__state_hash(const spar__queries *queries)
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

/* Saving only reads: see archive.h. */
static state_identity identify(const spar__comparison_options *o, uint64_t data)
{
    return (state_identity){(char *)(uintptr_t)o->click, (char *)(uintptr_t)o->mix, o->how.draws, o->how.seed, data};
}

static void archive_head(spar__archive *ar, state_identity *id)
{
    spar__archive_text(ar, &id->click);
    spar__archive_text(ar, &id->mix);
    spar__archive_check(ar, id->click && id->mix);
    spar__archive_u64(ar, &id->draws);
    spar__archive_u64(ar, &id->seed);
    spar__archive_u64(ar, &id->data);
}

spar_status spar__state_save(const spar__comparison_options *o, uint64_t data, spar__tally *tally, spar_error *err)
{
    spar__archive ar = {.loading = false};
    state_identity id = identify(o, data);
    spar__buf text = {0};
    spar__frame_writer w;
    archive_head(&ar, &id);
    spar__tally_archive(tally, &ar);
    if (!ar.failed) {
        spar__frame_begin(&w, &kind, &text, NULL);
        spar__frame_section(&w, 0, ar.out.length);
        spar__frame_add(&w, ar.out.text, ar.out.length);
        spar__frame_end(&w);
    }
    spar_status status =
        ar.failed || text.failed ? spar__fail_memory(err) : spar__file_write(o->file, text.text, text.length, err);
    spar__buf_free(&ar.out);
    spar__buf_free(&text);
    return status;
}

/* Fails if something has changed, with what it was. */
static spar_status compare(const state_identity *then, const state_identity *now, spar_error *why)
{
    if (strcmp(then->click, now->click) != 0)
        return spar__fail(why, SPAR_INVALID, "it was made with click %.80s, not %.80s", then->click, now->click);
    if (strcmp(then->mix, now->mix) != 0)
        return spar__fail(why, SPAR_INVALID, "it was made with mix %.80s, not %.80s", then->mix, now->mix);
    if (then->draws != now->draws)
        return spar__fail(why, SPAR_INVALID, "it was made with %" PRIu64 " draws, not %" PRIu64 " (0 is exact)",
                          then->draws, now->draws);
    if (then->seed != now->seed)
        return spar__fail(why, SPAR_INVALID, "it was made with seed %" PRIu64 ", not %" PRIu64, then->seed, now->seed);
    if (then->data != now->data)
        return spar__fail(why, SPAR_INVALID, "it was made from other data, rankers or top");
    return SPAR_OK;
}

static spar_status take(const spar__comparison_options *o, uint64_t data, const spar__buf *text, spar__tally *tally,
                        spar_error *why)
{
    spar__frame frame;
    spar_status status = spar__frame_read(&kind, text->text ? text->text : "", text->length, &frame, why);
    if (status)
        return status;
    spar__archive ar = {.loading = true, .in = frame.section[0].bytes, .left = frame.section[0].length};
    state_identity then = {0}, now = identify(o, data);
    archive_head(&ar, &then);
    if (!ar.failed)
        status = compare(&then, &now, why);
    if (!ar.failed && !status) {
        spar__tally_archive(tally, &ar);
        spar__archive_check(&ar, ar.left == 0 && tally->queries <= spar__queries_count(o->how.of->queries));
    }
    if (ar.failed)
        status = ar.no_memory ? spar__fail_memory(why) : spar__fail(why, SPAR_CORRUPT, "it is damaged");
    spar__free(then.click);
    spar__free(then.mix);
    return status;
}

spar_status spar__state_load(const spar__comparison_options *o, uint64_t data, spar__tally *tally, spar_error *err)
{
    spar__buf text = {0};
    spar_error why = {0};
    size_t count = spar__queries_count(o->how.of->queries);
    if (access(o->file, F_OK) != 0)
        return SPAR_OK;
    spar_status status = spar__file_read(o->file, 0, &text, &why);
    if (!status)
        status = take(o, data, &text, tally, &why);
    spar__buf_free(&text);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (status) {
        spar__tally_clear(tally);
        spar__comparison_note(o, "%s: started over: %s", o->file, why.text);
    } else if (tally->queries < count) {
        spar__comparison_note(o, "%s: continues after %" PRIu64 " of %zu queries", o->file, tally->queries, count);
    }
    return SPAR_OK;
}
