/* votes.h - votes that people gave elsewhere, from text to plain arrays.
 *
 * Forms:
 *   rows      CSV with a header, or JSON objects (one a line, or a list of them): who was on either side, who won
 *                 model_a,model_b,winner,judge
 *                 cat,dog,model_a,ann
 *                 dog,eel,tie,bob
 *             winner: model_a, model_b, tie, tie (bothbad), skip or nothing (a skip), or the winner's own name
 *   lines     'A > B', 'A = B', 'A > B = C > D'; lines that start with '#' are comments
 *   PrefLib   soc, soi, toc, toi (spar__preflib_parse)
 *   counts    a matrix of win counts: recognised here, read by env/data.h
 *
 * Errors name the line and say what was expected, with an example. */
#ifndef SPAR_TEXT_VOTES_H
#define SPAR_TEXT_VOTES_H

#include "text/names.h"

enum { SPAR__VOTE_SLOTS = 2000 }; /* options in one vote */

typedef struct spar__vote_slot {
    uint32_t option; /* number in options */
    uint32_t place;  /* 0 is the first place; equal places are a tie */
} spar__vote_slot;

typedef enum spar__vote_kind {
    SPAR__VOTE_ORDER,
    SPAR__VOTE_BAD, /* all options are bad; the places say nothing */
    SPAR__VOTE_SKIP /* no answer; the places say nothing */
} spar__vote_kind;

typedef struct spar__vote {
    size_t first; /* its slots are slot[first] to slot[first + m - 1] */
    uint32_t m;
    spar__vote_kind kind;
    uint32_t voter, item; /* 1 + number in voters, items; 0 for unknown */
    uint32_t id;          /* 1 + number in ids; 0: the row has none */
    uint32_t left_out;    /* of its slots the last: not ranked, and in the last place together */
    uint64_t times;       /* that many people gave this same vote */
    size_t line;          /* of the file, from 1 */
} spar__vote;

typedef struct spar__votes { /* all zero: empty */
    spar__names options, voters, items, ids;
    spar__vote *vote;
    size_t n, room;
    spar__vote_slot *slot;
    size_t slots, slot_room;
    bool unordered;    /* the file does not have the votes in the order they were given */
    bool one_each;     /* every vote is of another person */
    uint64_t unranked; /* people who left out options, which then have the last place together */
} spar__votes;

void spar__votes_free(spar__votes *votes);

/* For readers: a new vote, then its slots one by one. */
spar_status spar__votes_begin(spar__votes *votes, spar__vote_kind kind, size_t line);
spar_status spar__votes_add(spar__votes *votes, size_t option, size_t place);

typedef enum spar__votes_form {
    SPAR__VOTES_EMPTY,   /* blank lines and comments only */
    SPAR__VOTES_UNKNOWN, /* none of these */
    SPAR__VOTES_CSV,
    SPAR__VOTES_JSON,
    SPAR__VOTES_LINES,
    SPAR__VOTES_COUNTS,
    SPAR__VOTES_PREFLIB
} spar__votes_form;

/* What the first lines look like; *line is the first that holds something. */
spar__votes_form spar__votes_guess(const char *text, size_t length, size_t *line);

/* What rows call their columns, each NULL for its default: model_a, model_b, winner; voter: judge if there is such a
 * column; item: none; id, of the row: id if there is such a column. A column that is named must be there; "" is none.
 */
typedef struct spar__votes_columns {
    const char *a, *b, *winner, *voter, *item, *id;
} spar__votes_columns;

/* Each reads the whole of text[length]; path is only for errors, columns may be NULL. Nothing needs freeing after a
 * failure. */
spar_status spar__votes_parse_csv(const char *text, size_t length, const char *path, const spar__votes_columns *columns,
                                  spar__votes *out, spar_error *err);
spar_status spar__votes_parse_json(const char *text, size_t length, const char *path,
                                   const spar__votes_columns *columns, spar__votes *out, spar_error *err);
spar_status spar__votes_parse_lines(const char *text, size_t length, const char *path, spar__votes *out,
                                    spar_error *err);

/* Orders from PrefLib (preflib.org, the format of 2022): soc, soi, toc, toi.
 *
 *     # DATA TYPE: toi
 *     # NUMBER ALTERNATIVES: 3
 *     # ALTERNATIVE NAME 1: cat
 *     ...
 *     41: 2,{1,3}             41 people have 2 first, then 1 and 3 together
 *
 * Options are in the order of their numbers, and named by them where they have no name. Those that a voter left out
 * (soi, toi) have the last place together. The file has the orders by how often they came, not by when. */

/* The whole of text[length]; path is only for errors. Nothing needs freeing after a failure. */
spar_status spar__preflib_parse(const char *text, size_t length, const char *path, spar__votes *out, spar_error *err);

#endif
