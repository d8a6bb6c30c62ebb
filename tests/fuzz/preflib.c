/* Any bytes as a file of PrefLib. */
#include "text/votes.h"

#include "votes_sound.h"

void fuzz_preflib(const uint8_t *data, size_t size)
{
    spar__votes votes;
    spar_error err = {0};
    votes_sound(spar__preflib_parse((const char *)data, size, "f", &votes, &err), &votes, &err);
}
