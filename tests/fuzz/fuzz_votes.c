/* Any bytes: every reader of votes refuses them with a sentence, or gives votes that are sound. */
#include "text/preflib.h"
#include "text/votes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int good)
{
    if (!good)
        abort();
}

static void check_vote(const spar__votes *votes, const spar__vote *vote)
{
    require(vote->m >= 2 || votes->options.n == 1);
    require(vote->first + vote->m <= votes->slots && vote->line > 0 && vote->times > 0);
    require(vote->voter <= votes->voters.n && vote->item <= votes->items.n);
    for (size_t i = 0; i < vote->m; i++) {
        const spar__vote_slot *slot = &votes->slot[vote->first + i];
        require(slot->option < votes->options.n && slot->place < vote->m);
        require(strlen(spar__names_at(&votes->options, slot->option)) > 0);
    }
}

static void check(spar_status status, spar__votes *votes, const spar_error *err)
{
    require(status ? !votes->vote && !votes->slot && strncmp(err->text, "f:", 2) == 0 : 1);
    for (size_t i = 0; i < votes->n; i++)
        check_vote(votes, &votes->vote[i]);
    spar__votes_free(votes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    spar__votes votes;
    spar_error err = {0};
    size_t line;
    spar__votes_columns columns = {.a = "a", .b = "b", .winner = "w", .voter = "v", .item = "i"};
    (void)spar__votes_guess(text, size, &line);
    check(spar__votes_parse_csv(text, size, "f", NULL, &votes, &err), &votes, &err);
    check(spar__votes_parse_csv(text, size, "f", &columns, &votes, &err), &votes, &err);
    check(spar__votes_parse_json(text, size, "f", NULL, &votes, &err), &votes, &err);
    check(spar__votes_parse_json(text, size, "f", &columns, &votes, &err), &votes, &err);
    check(spar__votes_parse_lines(text, size, "f", &votes, &err), &votes, &err);
    check(spar__preflib_parse(text, size, "f", &votes, &err), &votes, &err);
    return 0;
}
