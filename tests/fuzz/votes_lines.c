/* Any bytes as votes in lines, 'A > B = C'. */
#include "votes_sound.h"

void fuzz_votes_lines(const uint8_t *data, size_t size)
{
    spar__votes votes;
    spar_error err = {0};
    votes_sound(spar__votes_parse_lines((const char *)data, size, "f", &votes, &err), &votes, &err);
}
