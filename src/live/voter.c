/* voter.c - voters: a random number in the log, a name beside it. */
#include "live/live.h"

#include "base/hash.h"
#include "live/prose.h"
#include "store/digest.h"

#include <string.h>

static bool is_named(const char *name)
{
    return name && *name;
}

/* A name stays that of its voter until it is dropped, which refresh notices; a database is asked once. */
static spar_status find(spar_experiment *experiment, const char *name, uint64_t *voter, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    *voter = 0;
    spar_status status = is_named(name) ? spar__prose_check(&spar__prose_voter, name, err) : SPAR_OK;
    if (status || !is_named(name))
        return status;
    spar__sha256(name, strlen(name), hash);
    uint64_t high = spar__get_u64(hash), low = spar__get_u64(hash + 8);
    spar__live_name *known = &experiment->voter[high % SPAR__LIVE_VOTERS];
    if (known->voter && known->high == high && known->low == low) {
        *voter = known->voter;
        return SPAR_OK;
    }
    status = spar__store_voter(experiment->store, experiment->id, name, strlen(name), voter, err);
    if (!status && *voter)
        *known = (spar__live_name){high, low, *voter};
    return status;
}

spar_status spar__live_voter(spar_experiment *experiment, const char *name, uint64_t *voter, spar__store_text *text,
                             size_t *n_texts, spar_error *err)
{
    spar_status status = find(experiment, name, voter, err);
    if (status || *voter || !is_named(name))
        return status;
    while (!status && !*voter)
        status = spar__random_bytes(voter, sizeof *voter, err);
    if (!status)
        status = spar__live_text(SPAR__TEXT_VOTER, *voter, 1, name, strlen(name), text, NULL, err);
    *n_texts += !status;
    return status;
}

spar_status spar__live_known_voter(spar_experiment *experiment, const char *name, uint64_t *voter, spar_error *err)
{
    spar_status status = find(experiment, name, voter, err);
    if (!status && is_named(name) && !*voter)
        status = spar__fail(err, SPAR_UNKNOWN, "there is no voter '%s'", name);
    return status;
}
