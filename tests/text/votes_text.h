/* votes_text.h - votes as text, to compare. */
#ifndef SPAR_TESTS_VOTES_TEXT_H
#define SPAR_TESTS_VOTES_TEXT_H

#include "base/alloc.h"
#include "tap.h"
#include "text/votes.h"

#include <inttypes.h>

enum { CSV, JSON, LINES, PREFLIB };

static spar_status parse(int form, const char *text, size_t length, const spar__votes_columns *columns,
                         spar__votes *votes, spar_error *err)
{
    switch (form) {
    case CSV:
        return spar__votes_parse_csv(text, length, "f", columns, votes, err);
    case JSON:
        return spar__votes_parse_json(text, length, "f", columns, votes, err);
    case LINES:
        return spar__votes_parse_lines(text, length, "f", votes, err);
    default:
        return spar__preflib_parse(text, length, "f", votes, err);
    }
}

static void print_vote(const spar__votes *votes, const spar__vote *vote, spar__buf *out)
{
    static const char *const kind[] = {"", "bad ", "skip "};
    spar__buf_printf(out, "%zu:", vote->line);
    if (vote->times != 1)
        spar__buf_printf(out, "%" PRIu64 "x", vote->times);
    spar__buf_adds(out, kind[vote->kind]);
    for (size_t i = 0; i < vote->m; i++) {
        const spar__vote_slot *slot = &votes->slot[vote->first + i];
        spar__buf_printf(out, "%s%s%u", i ? "," : "", spar__names_at(&votes->options, slot->option), slot->place);
    }
    if (vote->voter)
        spar__buf_printf(out, "@%s", spar__names_at(&votes->voters, vote->voter - 1));
    if (vote->item)
        spar__buf_printf(out, "#%s", spar__names_at(&votes->items, vote->item - 1));
    spar__buf_adds(out, ";");
}

/* "line:name and place,name and place@voter#item;" for each vote, or the error. */
static const char *read_votes(int form, const char *text, size_t length, const spar__votes_columns *columns)
{
    static char all[2048];
    spar__votes votes;
    spar__buf out = {0};
    spar_error err = {0};
    spar_status status = parse(form, text, length, columns, &votes, &err);
    for (size_t i = 0; i < votes.n; i++)
        print_vote(&votes, &votes.vote[i], &out);
    (void)snprintf(all, sizeof all, "%s", status ? err.text : out.text ? out.text : "");
    spar__buf_free(&out);
    spar__votes_free(&votes);
    return all;
}

#define READ(form, text) read_votes((form), (text), sizeof(text) - 1, NULL)

/* Every allocation fails once. */
static void test_memory(int form, const char *text)
{
    for (size_t k = 1;; k++) {
        spar__votes votes;
        spar_error err = {0};
        spar__alloc_fail_at(k);
        spar_status status = parse(form, text, strlen(text), NULL, &votes, &err);
        spar__alloc_fail_at(0);
        if (status == SPAR_OK) {
            ok(k > 5 && votes.n > 0, "each of %zu failed allocations is an error", k - 1);
            spar__votes_free(&votes);
            return;
        }
        if (status != SPAR_NOMEM || err.status != SPAR_NOMEM || votes.n || votes.slot || votes.options.n)
            ok(false, "allocation %zu fails without a clean error", k);
    }
}

#endif
