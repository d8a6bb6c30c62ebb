/* invitations.c - see invitations.h. */
#include "service/invitations.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "store/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "invite/";
enum {
    RECORD_FIXED = 8 + 8 + 4 + 4 + SPAR_HASH_SIZE + 1,
    RECORD_MOST = RECORD_FIXED + SPAR__INVITATION_NAME + SPAR__INVITATION_LABEL
};

void spar__invitations_init(spar__invitations *invitations)
{
    *invitations = (spar__invitations){.n = 0};
    (void)pthread_mutex_init(&invitations->lock, NULL);
}

void spar__invitations_fini(spar__invitations *invitations)
{
    spar__free(invitations->invitation);
    (void)pthread_mutex_destroy(&invitations->lock);
}

/* --- records in the store: created, expires, most, used, hash, length of the name, name, label --- */

static size_t write_record(const spar__invitation *invitation, unsigned char out[RECORD_MOST])
{
    size_t name = strlen(invitation->experiment), label = strlen(invitation->label);
    spar__put_u64(out, (uint64_t)invitation->created);
    spar__put_u64(out + 8, (uint64_t)invitation->expires);
    spar__put_u32(out + 16, invitation->most);
    spar__put_u32(out + 20, invitation->used);
    memcpy(out + 24, invitation->hash, SPAR_HASH_SIZE);
    out[RECORD_FIXED - 1] = (unsigned char)name;
    memcpy(out + RECORD_FIXED, invitation->experiment, name);
    memcpy(out + RECORD_FIXED + name, invitation->label, label);
    return RECORD_FIXED + name + label;
}

static bool read_record(const char *name, const unsigned char *bytes, size_t length, spar__invitation *out)
{
    *out = (spar__invitation){.number = strtoull(name + sizeof prefix - 1, NULL, 10)};
    if (length < RECORD_FIXED)
        return false;
    size_t named = bytes[RECORD_FIXED - 1];
    if (named > SPAR__INVITATION_NAME || length - RECORD_FIXED < named ||
        length - RECORD_FIXED - named > SPAR__INVITATION_LABEL)
        return false;
    out->created = (int64_t)spar__get_u64(bytes);
    out->expires = (int64_t)spar__get_u64(bytes + 8);
    out->most = spar__get_u32(bytes + 16);
    out->used = spar__get_u32(bytes + 20);
    memcpy(out->hash, bytes + 24, SPAR_HASH_SIZE);
    memcpy(out->experiment, bytes + RECORD_FIXED, named);
    memcpy(out->label, bytes + RECORD_FIXED + named, length - RECORD_FIXED - named);
    return out->number > 0;
}

static spar_status add(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    spar__invitations *invitations = context;
    spar__invitation invitation;
    if (!read_record(name, bytes, length, &invitation))
        return SPAR_CORRUPT;
    spar__invitation *grown = spar__realloc(invitations->invitation, invitations->n, invitations->n + 1, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    invitations->invitation = grown;
    invitations->invitation[invitations->n++] = invitation;
    return SPAR_OK;
}

spar_status spar__invitations_load(spar__invitations *invitations, spar__store *store, spar_error *err)
{
    spar__invitations next = {.n = 0};
    spar_status status = spar__store_secret_each(store, prefix, add, &next, err);
    if (!status) {
        (void)pthread_mutex_lock(&invitations->lock);
        spar__invitation *old = invitations->invitation;
        invitations->invitation = next.invitation;
        invitations->n = next.n;
        (void)pthread_mutex_unlock(&invitations->lock);
        next.invitation = old;
    }
    spar__free(next.invitation);
    return status;
}

/* --- looking for one --- */

bool spar__invitations_find(spar__invitations *invitations, const char *code, spar__invitation *out)
{
    unsigned char hash[SPAR_HASH_SIZE];
    bool found = false;
    spar__sha256(code, strlen(code), hash);
    (void)pthread_mutex_lock(&invitations->lock);
    for (size_t i = 0; i < invitations->n; i++)
        if (spar__same_bytes(hash, invitations->invitation[i].hash, sizeof hash)) {
            *out = invitations->invitation[i];
            found = true;
        }
    (void)pthread_mutex_unlock(&invitations->lock);
    return found;
}

bool spar__invitations_get(spar__invitations *invitations, uint64_t number, spar__invitation *out)
{
    bool found = false;
    (void)pthread_mutex_lock(&invitations->lock);
    for (size_t i = 0; i < invitations->n && !found; i++)
        if (invitations->invitation[i].number == number) {
            *out = invitations->invitation[i];
            found = true;
        }
    (void)pthread_mutex_unlock(&invitations->lock);
    return found;
}

bool spar__invitations_good(spar__invitations *invitations, uint64_t number, const char *experiment, int64_t now)
{
    spar__invitation invitation;
    return number && spar__invitations_get(invitations, number, &invitation) &&
           strcmp(invitation.experiment, experiment) == 0 && (!invitation.expires || now < invitation.expires);
}

/* --- making, changing and ending them --- */

static spar_status largest(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    uint64_t *most = context;
    uint64_t number = strtoull(name + sizeof prefix - 1, NULL, 10);
    (void)bytes;
    (void)length;
    *most = number > *most ? number : *most;
    return SPAR_OK;
}

static void name_of(uint64_t number, char out[40])
{
    (void)snprintf(out, 40, "%s%" PRIu64, prefix, number);
}

spar_status spar__invitation_write(spar__store *store, const spar__invitation *invitation, spar_error *err)
{
    unsigned char record[RECORD_MOST];
    char name[40];
    name_of(invitation->number, name);
    return spar__store_secret_put(store, name, record, write_record(invitation, record), err);
}

spar_status spar__invitation_new(spar__store *store, spar__invitation *invitation, char *code, spar_error *err)
{
    unsigned char secret[SPAR__INVITATION_BYTES];
    spar_status status = spar__random_bytes(secret, sizeof secret, err);
    invitation->number = 0;
    if (!status)
        status = spar__store_secret_each(store, prefix, largest, &invitation->number, err);
    if (status)
        return status;
    invitation->number++;
    spar__hex_write(secret, sizeof secret, code);
    spar__sha256(code, strlen(code), invitation->hash);
    return spar__invitation_write(store, invitation, err);
}

spar_status spar__invitation_revoke(spar__store *store, uint64_t number, spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    char name[40];
    name_of(number, name);
    spar_status status = spar__store_secret_get(store, name, &bytes, &length, err);
    spar__free(bytes);
    if (status == SPAR_UNKNOWN)
        return spar__fail(err, status, "there is no invitation %" PRIu64, number);
    return status ? status : spar__store_secret_drop(store, name, err);
}
