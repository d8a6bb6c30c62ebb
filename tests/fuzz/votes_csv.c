/* Any bytes as votes in rows of CSV, with the usual columns and with others. */
#include "votes_sound.h"

void fuzz_votes_csv(const uint8_t *data, size_t size)
{
    const spar__votes_columns columns = {.a = "a", .b = "b", .winner = "w", .voter = "v", .item = "i"};
    spar__votes votes;
    spar_error err = {0};
    votes_sound(spar__votes_parse_csv((const char *)data, size, "f", NULL, &votes, &err), &votes, &err);
    err = (spar_error){0};
    votes_sound(spar__votes_parse_csv((const char *)data, size, "f", &columns, &votes, &err), &votes, &err);
}
