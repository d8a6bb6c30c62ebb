/* invitations.c - who may vote where only the invited can: the table of all invitations, and their records (auth.h). */
#include "base/alloc.h"
#include "base/hash.h"
#include "service/auth/auth.h"
#include "store/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "invite/";
enum {
    RECORD_FIXED = 8 + 8 + 4 + 4 + SPAR_HASH_SIZE + 1,
    MAX_RECORD_BYTES = RECORD_FIXED + SPAR__INVITATION_NAME + SPAR__INVITATION_LABEL
};

void spar__invitations_init(spar__invitations *invitations)
{
    *invitations = (spar__invitations){.n = 0};
    (void)pthread_mutex_init(&invitations->lock, NULL);
}

void spar__invitations_fini(spar__invitations *invitations)
{
    spar__free(invitations->invitation);
    spar__free(invitations->by_hash);
    (void)pthread_mutex_destroy(&invitations->lock);
}

/* --- records in the store: created, expires, most, used, hash, length of the name, name, label; nothing if it was
 * revoked --- */

static size_t write_record(const spar__invitation *invitation, unsigned char out[MAX_RECORD_BYTES])
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
    size_t n = invitations->n;
    if (length == 0)
        return SPAR_OK;
    if (!read_record(name, bytes, length, &invitation))
        return SPAR_CORRUPT;
    if ((n & (n - 1)) == 0) { /* a power of two: there is no room for one more */
        spar__invitation *grown = spar__realloc(invitations->invitation, n, n ? 2 * n : 1, sizeof *grown);
        if (!grown)
            return SPAR_NOMEM;
        invitations->invitation = grown;
    }
    invitations->invitation[invitations->n++] = invitation;
    return SPAR_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = ((const spar__invitation *)a)->number, y = ((const spar__invitation *)b)->number;
    return (x > y) - (x < y);
}

static int compare_hashes(const void *a, const void *b)
{
    return memcmp((*(const spar__invitation *const *)a)->hash, (*(const spar__invitation *const *)b)->hash,
                  SPAR_HASH_SIZE);
}

spar_status spar__invitations_load(spar__invitations *invitations, spar__store *store, spar_error *err)
{
    spar__invitations next = {.n = 0};
    spar_status status = spar__store_secret_each(store, prefix, add, &next, err);
    if (!status && next.n) {
        next.by_hash = spar__alloc(next.n, sizeof(*next.by_hash));
        status = next.by_hash ? SPAR_OK : spar__fail_memory(err);
    }
    if (!status && next.n) {
        /* A stranger may try one code after the other, and every vote looks for a number: both must cost little, also
         * among a hundred thousand. */
        qsort(next.invitation, next.n, sizeof *next.invitation, compare_numbers);
        for (size_t i = 0; i < next.n; i++)
            next.by_hash[i] = &next.invitation[i];
        qsort(next.by_hash, next.n, sizeof(*next.by_hash), compare_hashes);
    }
    if (!status) {
        (void)pthread_mutex_lock(&invitations->lock);
        spar__invitation *old = invitations->invitation, **old_by_hash = invitations->by_hash;
        invitations->invitation = next.invitation;
        invitations->by_hash = next.by_hash;
        invitations->n = next.n;
        next.invitation = old;
        next.by_hash = old_by_hash;
        (void)pthread_mutex_unlock(&invitations->lock);
    }
    spar__free(next.invitation);
    spar__free(next.by_hash);
    return status;
}

/* --- looking for one --- */

/* How long the comparison of two hashes takes says nothing about a code that has another one. */
bool spar__invitations_find(spar__invitations *invitations, const char *code, spar__invitation *out)
{
    spar__invitation key = {.number = 0}, *wanted = &key, **found = NULL;
    spar__sha256(code, strlen(code), key.hash);
    (void)pthread_mutex_lock(&invitations->lock);
    if (invitations->n)
        found = bsearch(&wanted, invitations->by_hash, invitations->n, sizeof(*invitations->by_hash), compare_hashes);
    if (found)
        *out = **found;
    (void)pthread_mutex_unlock(&invitations->lock);
    return found != NULL;
}

/* Under the lock; NULL: there is none. */
static spar__invitation *numbered(const spar__invitations *invitations, uint64_t number)
{
    const spar__invitation key = {.number = number};
    return invitations->n ? bsearch(&key, invitations->invitation, invitations->n, sizeof key, compare_numbers) : NULL;
}

bool spar__invitations_get(spar__invitations *invitations, uint64_t number, spar__invitation *out)
{
    (void)pthread_mutex_lock(&invitations->lock);
    const spar__invitation *found = numbered(invitations, number);
    if (found)
        *out = *found;
    (void)pthread_mutex_unlock(&invitations->lock);
    return found != NULL;
}

bool spar__invitations_good(spar__invitations *invitations, uint64_t number, const char *experiment, int64_t now)
{
    spar__invitation invitation;
    return number && spar__invitations_get(invitations, number, &invitation) &&
           strcmp(invitation.experiment, experiment) == 0 && (!invitation.expires || now < invitation.expires);
}

/* --- making, changing and ending them --- */

/* Room for the records of n invitations. */
typedef struct invitation_record {
    char name[SPAR__RECORD_NAME];
    unsigned char bytes[MAX_RECORD_BYTES];
} invitation_record;

spar_status spar__invitation_new(spar__store *store, size_t n, spar__invitation *invitation,
                                 char (*code)[SPAR__INVITATION_LENGTH + 1], spar_error *err)
{
    invitation_record *record = spar__alloc(n, sizeof *record);
    spar__store_secret *secret = spar__alloc(n, sizeof *secret);
    spar_status status = record && secret ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; i < n && !status; i++) {
        unsigned char bytes[SPAR__INVITATION_BYTES];
        status = spar__random_bytes(bytes, sizeof bytes, err);
        spar__hex_write(bytes, sizeof bytes, code[i]);
        spar__sha256(code[i], strlen(code[i]), invitation[i].hash);
    }
    /* Another program may take the numbers meanwhile: then those after them. */
    for (bool again = !status; again; again = status == SPAR_CONFLICT) {
        uint64_t last = 0;
        status = spar__record_last(store, prefix, &last, err);
        for (size_t i = 0; i < n; i++) {
            invitation[i].number = last + 1 + i;
            spar__record_name(prefix, invitation[i].number, record[i].name);
            size_t length = write_record(&invitation[i], record[i].bytes);
            secret[i] = (spar__store_secret){record[i].name, record[i].bytes, length};
        }
        if (!status)
            status = spar__store_secret_add(store, n, secret, err);
    }
    spar__free(record);
    spar__free(secret);
    return status;
}

/* As it is in the store now: SPAR_UNKNOWN if there is none, or it was revoked. */
static spar_status read_one(spar__store *store, uint64_t number, spar__invitation *out, spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    char name[SPAR__RECORD_NAME];
    spar__record_name(prefix, number, name);
    spar_status status = spar__store_secret_get(store, name, &bytes, &length, err);
    if (status == SPAR_UNKNOWN || (!status && length == 0))
        status = spar__fail(err, SPAR_UNKNOWN, "%s: there is no invitation %" PRIu64, spar__store_name(store), number);
    else if (!status && !read_record(name, bytes, length, out))
        status =
            spar__fail(err, SPAR_CORRUPT, "%s: invitation %" PRIu64 " is damaged", spar__store_name(store), number);
    spar__free(bytes);
    return status;
}

spar_status spar__invitation_use(spar__invitations *invitations, spar__store *store, uint64_t number, bool *full,
                                 spar_error *err)
{
    spar__invitation invitation;
    spar_status status = SPAR_CONFLICT;
    while (status == SPAR_CONFLICT) { /* another server may be using it, too */
        status = read_one(store, number, &invitation, err);
        *full = !status && invitation.most && invitation.used >= invitation.most;
        if (status || *full)
            return status;
        /* One more use, if nobody else has changed the record meanwhile: SPAR_CONFLICT. */
        unsigned char was[MAX_RECORD_BYTES], now[MAX_RECORD_BYTES];
        char name[SPAR__RECORD_NAME];
        spar__record_name(prefix, invitation.number, name);
        size_t was_length = write_record(&invitation, was);
        invitation.used++;
        size_t now_length = write_record(&invitation, now);
        const spar__store_secret was_now[2] = {{name, was, was_length}, {name, now, now_length}};
        status = spar__store_secret_swap(store, was_now, err);
    }
    (void)pthread_mutex_lock(&invitations->lock);
    spar__invitation *found = status ? NULL : numbered(invitations, number);
    if (found) /* its number and hash, by which it stands where it does, stay */
        *found = invitation;
    (void)pthread_mutex_unlock(&invitations->lock);
    return status;
}

spar_status spar__invitation_revoke(spar__store *store, uint64_t number, spar_error *err)
{
    spar__invitation invitation;
    char name[SPAR__RECORD_NAME];
    spar__record_name(prefix, number, name);
    spar_status status = read_one(store, number, &invitation, err);
    return status == SPAR_OK || status == SPAR_CORRUPT
               ? spar__store_secret_put(store, name, (const unsigned char *)"", 0, err)
               : status;
}
