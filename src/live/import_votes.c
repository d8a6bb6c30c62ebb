/* import_votes.c - votes in the forms of `spar decide` (text/votes.h): duels, lines, PrefLib orders. */
#include "live/import_rows.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "live/source.h"

#include <string.h>

static const uint64_t MOST_ROWS = 100000000; /* of all people in a PrefLib file */

typedef struct votes_read {
    const spar__votes *votes;
    const char *path;
    spar__key_table seen;
    spar__buf row, source;
    spar_answer *answer;
    size_t *shown, *level; /* of one vote */
    uint64_t *said;        /* of each id: a hash of what its row says, */
    size_t *line;          /* and the first line with it */
} votes_read;

/* What the vote says, as bytes: two votes that say the same have the same. */
static void describe(votes_read *r, const spar__vote *vote)
{
    const spar__votes *votes = r->votes;
    unsigned char head[13] = {(unsigned char)vote->kind};
    spar__put_u32(head + 1, vote->m);
    spar__put_u32(head + 5, vote->left_out);
    spar__put_u32(head + 9, (vote->voter ? 1 : 0) | (vote->item ? 2 : 0));
    spar__buf_clear(&r->row);
    spar__buf_add(&r->row, "vote", 5);
    spar__buf_add(&r->row, (const char *)head, sizeof head);
    for (size_t i = 0; i < vote->m; i++) {
        const spar__vote_slot *slot = &votes->slot[vote->first + i];
        unsigned char place[4];
        spar__put_u32(place, slot->place);
        spar__buf_adds(&r->row, spar__names_at(&votes->options, slot->option));
        spar__buf_add(&r->row, "", 1);
        spar__buf_add(&r->row, (const char *)place, sizeof place);
    }
    if (vote->voter)
        spar__buf_adds(&r->row, spar__names_at(&votes->voters, vote->voter - 1));
    spar__buf_add(&r->row, "", 1);
    if (vote->item)
        spar__buf_adds(&r->row, spar__names_at(&votes->items, vote->item - 1));
}

static bool all_level(const spar__votes *votes, const spar__vote *vote)
{
    for (size_t i = 1; i < vote->m; i++)
        if (votes->slot[vote->first + i].place != votes->slot[vote->first].place)
            return false;
    return true;
}

/* Two options, one better: the winner. More: a ranking, of which those that were left out are no part; its options
 * stand in the order of their places. */
static spar_status order(votes_read *r, const spar__vote *vote)
{
    const spar__vote_slot *slot = r->votes->slot + vote->first;
    size_t n = vote->m - vote->left_out;
    if (vote->m == 2) {
        spar_answer_set_winner(r->answer, slot[0].place < slot[1].place ? 0 : 1);
        return SPAR_OK;
    }
    for (size_t i = 0; i < n; i++) {
        r->shown[i] = i;
        r->level[i] = slot[i].place;
    }
    return spar_answer_set_ranking(r->answer, n, r->shown, r->level, NULL);
}

static spar_status make_answer(votes_read *r, const spar__vote *vote)
{
    spar_answer_set_skip(r->answer);
    if (vote->kind == SPAR__VOTE_BAD)
        spar_answer_set_bad(r->answer);
    else if (vote->kind == SPAR__VOTE_ORDER && all_level(r->votes, vote))
        spar_answer_set_tie(r->answer);
    else if (vote->kind == SPAR__VOTE_ORDER)
        return order(r, vote);
    return SPAR_OK;
}

/* Two rows of one id must say the same. */
static spar_status check_id(votes_read *r, const spar__vote *vote, spar_error *err)
{
    uint64_t said = spar__hash_of(r->row.text, r->row.length);
    uint64_t *first = &r->said[vote->id - 1];
    if (!r->line[vote->id - 1]) {
        *first = said;
        r->line[vote->id - 1] = vote->line;
    }
    return *first == said
               ? SPAR_OK
               : spar__fail(err, SPAR_PARSE,
                            "%s:%zu: the row has the id '%.60s' of line %zu, but says something else; expected "
                            "an id of its own for each row; --columns id=NAME names another column, id=- none",
                            r->path, vote->line, spar__names_at(&r->votes->ids, vote->id - 1), r->line[vote->id - 1]);
}

/* The row of a vote, but for its key. */
static spar_status make_row(votes_read *r, const spar__vote *vote, spar__import_row *row, spar_error *err)
{
    const spar__votes *votes = r->votes;
    spar__row_source source = {.item = vote->item ? spar__names_at(&votes->items, vote->item - 1) : NULL};
    if (vote->m < 2)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: the vote is about one option, expected two or more", r->path,
                          vote->line);
    for (size_t i = 0; i < vote->m; i++)
        r->shown[i] = votes->slot[vote->first + i].option;
    if (vote->m == 2 && r->shown[0] == r->shown[1])
        return spar__fail(err, SPAR_PARSE, "%s:%zu: '%.80s' is compared with itself, expected two options", r->path,
                          vote->line, spar__names_at(&votes->options, r->shown[0]));
    describe(r, vote);
    spar__buf_clear(&r->source);
    spar__source_print(&source, &r->source);
    if (make_answer(r, vote) || r->row.failed || r->source.failed)
        return spar__fail_memory(err);
    for (size_t i = 0; i < vote->m; i++)
        r->shown[i] = votes->slot[vote->first + i].option;
    *row = (spar__import_row){.m = vote->m, .shown = r->shown, .answer = r->answer, .line = vote->line};
    row->voter = vote->voter ? spar__names_at(&votes->voters, vote->voter - 1) : NULL;
    row->source = r->source.length ? r->source.text : NULL;
    return SPAR_OK;
}

static spar_status read_vote(votes_read *r, const spar__vote *vote, spar__import_row_fn fn, void *context,
                             spar_error *err)
{
    spar__import_row row;
    spar_status status = make_row(r, vote, &row, err);
    if (!status && vote->id) {
        spar__import_id_key(spar__names_at(&r->votes->ids, vote->id - 1), row.key);
        status = check_id(r, vote, err);
    }
    for (uint64_t t = 0; t < vote->times && !status; t++) {
        if (!vote->id && spar__import_row_key(&r->seen, &r->row, row.key))
            return spar__fail_memory(err);
        status = fn(context, &row, err);
    }
    return status;
}

/* The same names under the same numbers. */
static spar_status copy_names(const spar__names *from, spar__names *to)
{
    for (size_t i = 0, number; i < from->n; i++) {
        const char *name = spar__names_at(from, i);
        if (spar__names_get(to, name, strlen(name), &number))
            return SPAR_NOMEM;
    }
    return SPAR_OK;
}

static spar_status start(votes_read *r, spar__names *names, spar_error *err)
{
    const spar__votes *votes = r->votes;
    size_t most = 2;
    uint64_t rows = 0;
    for (size_t i = 0; i < votes->n; i++) {
        most = votes->vote[i].m > most ? votes->vote[i].m : most;
        rows += votes->vote[i].times;
        if (rows > MOST_ROWS)
            return spar__fail(err, SPAR_UNSUPPORTED, "%s:%zu: more than 100 million votes", r->path,
                              votes->vote[i].line);
    }
    r->shown = spar__alloc(most, sizeof *r->shown);
    r->level = spar__alloc(most, sizeof *r->level);
    r->said = spar__alloc(votes->ids.n, sizeof *r->said);
    r->line = spar__alloc(votes->ids.n, sizeof *r->line);
    bool good = r->shown && r->level && r->said && r->line && !copy_names(&votes->options, names) &&
                !spar_answer_new(&r->answer);
    return good ? SPAR_OK : spar__fail_memory(err);
}

static spar_status each(const void *context, spar__names *names, spar__import_row_fn fn, void *fn_context,
                        spar_error *err)
{
    const spar__import_ballots *ballots = context;
    votes_read r = {.votes = ballots->votes, .path = ballots->path};
    spar_status status = start(&r, names, err);
    for (size_t i = 0; i < r.votes->n && !status; i++)
        status = read_vote(&r, &r.votes->vote[i], fn, fn_context, err);
    spar__key_table_fini(&r.seen);
    spar__buf_free(&r.row);
    spar__buf_free(&r.source);
    spar_answer_free(r.answer);
    spar__free(r.shown);
    spar__free(r.level);
    spar__free(r.said);
    spar__free(r.line);
    return status;
}

spar__import_reader spar__import_votes(const spar__import_ballots *ballots)
{
    return (spar__import_reader){ballots->path, each, ballots};
}
