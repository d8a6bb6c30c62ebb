/* screen_token.c - see screen_token.h. */
#include "service/screen_token.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "text/escape.h"

#include <string.h>

enum { FIXED = SPAR__SCREEN_TOKEN_BYTES - SPAR_HASH_SIZE };

static void write_fixed(const spar__screen_token *token, unsigned char out[FIXED])
{
    spar__put_u64(out, token->screen);
    spar__put_u32(out + 8, token->revision);
    spar__put_u64(out + 12, (uint64_t)token->expires);
}

/* The options by place, four bytes each; a new array. */
static unsigned char *places(const spar_screen *screen, size_t *length)
{
    size_t m = spar_screen_slots(screen);
    unsigned char *out = spar__alloc(m, 4);
    for (size_t i = 0; out && i < m; i++)
        spar__put_u32(out + 4 * i, (uint32_t)spar_screen_arm(screen, i));
    *length = 4 * m;
    return out;
}

enum { PARTS = 4 };
static void make_parts(spar__part *part, const char *experiment, const unsigned char *fixed, const unsigned char *shown,
                       size_t shown_length, const char *voter)
{
    part[0] = (spar__part){experiment, strlen(experiment)};
    part[1] = (spar__part){fixed, FIXED};
    part[2] = (spar__part){shown, shown_length};
    part[3] = (spar__part){voter, strlen(voter)};
}

spar_status spar__screen_token_write(const spar__keyring *keys, const char *experiment, const spar_screen *screen,
                                     const char *voter, char text[SPAR__SCREEN_TOKEN_LENGTH + 1])
{
    spar__screen_token token = {spar_screen_number(screen),
                                spar_screen_revision(screen),
                                spar_screen_time(screen) / 1000000 + SPAR__SCREEN_SECONDS,
                                {0}};
    unsigned char record[SPAR__SCREEN_TOKEN_BYTES];
    spar__part part[PARTS];
    size_t length = 0;
    unsigned char *shown = places(screen, &length);
    if (!shown)
        return SPAR_NOMEM;
    write_fixed(&token, record);
    make_parts(part, experiment, record, shown, length, voter);
    spar_status status = spar__sign(keys, "screen", PARTS, part, record + FIXED);
    if (!status)
        spar__hex_write(record, sizeof record, text);
    spar__free(shown);
    return status;
}

bool spar__screen_token_read(const char *text, spar__screen_token *token)
{
    unsigned char record[SPAR__SCREEN_TOKEN_BYTES];
    if (!spar__hex_read(text, record, sizeof record))
        return false;
    token->screen = spar__get_u64(record);
    token->revision = spar__get_u32(record + 8);
    token->expires = (int64_t)spar__get_u64(record + 12);
    memcpy(token->signature, record + FIXED, SPAR_HASH_SIZE);
    return true;
}

bool spar__screen_token_check(const spar__keyring *keys, const char *experiment, const spar_screen *screen,
                              const char *voter, int64_t now, const spar__screen_token *token)
{
    unsigned char record[FIXED];
    spar__part part[PARTS];
    size_t length = 0;
    unsigned char *shown = places(screen, &length);
    if (!shown)
        return false;
    write_fixed(token, record);
    make_parts(part, experiment, record, shown, length, voter);
    bool good = spar__signed(keys, "screen", PARTS, part, now, token->signature);
    spar__free(shown);
    return good;
}
