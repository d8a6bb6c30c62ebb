/* Any bytes as votes in every form, on their way into an experiment: rows that are sound, or a sentence. */
#include "fuzz.h"

#include "live/exchange/exchange.h"
#include "text/votes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 2000 }; /* rows that are looked at: a file of a few bytes may stand for millions */

typedef struct counted_rows {
    const spar__names *names;
    size_t rows;
} counted_rows;

static spar_status take(void *context, const spar__import_row *row, spar_error *err)
{
    static spar_feedback *feedback;
    counted_rows *seen = context;
    if (!feedback)
        require(!spar_feedback_new(2, &feedback));
    require(row->m >= 2 && row->line > 0);
    for (size_t i = 0; i < row->m; i++)
        require(row->shown[i] < seen->names->n);
    require(row->m > 100 || !spar_answer_feedback(row->answer, row->m, feedback, NULL));
    err->text[0] = 'f';
    err->text[1] = ':';
    return ++seen->rows < MOST ? SPAR_OK : SPAR_INTERRUPTED;
}

static void check(spar_status status, spar__votes *votes)
{
    spar__import_ballots ballots = {votes, "f"};
    spar__import_reader reader = spar__import_votes(&ballots);
    spar__names names = {0};
    counted_rows seen = {&names, 0};
    spar_error err = {0};
    if (!status && reader.each(reader.context, &names, take, &seen, &err))
        require(strncmp(err.text, "f:", 2) == 0);
    spar__names_free(&names);
    spar__votes_free(votes);
}

void fuzz_import_votes(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    spar__votes votes;
    check(spar__votes_parse_csv(text, size, "f", NULL, &votes, NULL), &votes);
    check(spar__votes_parse_json(text, size, "f", NULL, &votes, NULL), &votes);
    check(spar__votes_parse_lines(text, size, "f", &votes, NULL), &votes);
    check(spar__preflib_parse(text, size, "f", &votes, NULL), &votes);
}
