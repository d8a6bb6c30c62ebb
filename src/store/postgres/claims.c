/* claims.c - what an append wants to have once only: the keys of its events, the names of its texts, the names of
 * voters (postgres.h). One query for each of the three says which are taken in the database; the rest is between the
 * entries of the batch, where the first one has it. */
#include "store/postgres/postgres.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/order.h"
#include "store/digest.h"

#include <string.h>

/* Keys that are looked up in the database, and the entries that they belong to. */
typedef struct spar__pg_lookup {
    spar__pg_array column[3];
    size_t *entry;
    size_t n, asked; /* asked: which statement of the flush it is, from 1; 0: none */
} spar__pg_lookup;

struct spar__pg_claims {
    bool *taken; /* of each entry: something of it is in the database */
    spar__pg_lookup once, text, voter;
    spar__key_table onces[SPAR__ONCE_KINDS], texts, voters; /* of the batch; count 1: claimed */
    bool sources;                                           /* texts whose owner is their event */
    size_t asked_sources;
};

typedef struct spar__pg_sizes {
    size_t texts, voters;
} spar__pg_sizes;

static spar_status reserve(spar__pg_claims *claims, size_t n, const spar__pg_sizes *sizes)
{
    claims->taken = spar__alloc(n, sizeof *claims->taken);
    claims->once.entry = spar__alloc(n, sizeof *claims->once.entry);
    claims->text.entry = spar__alloc(sizes->texts, sizeof *claims->text.entry);
    claims->voter.entry = spar__alloc(sizes->voters, sizeof *claims->voter.entry);
    if (!claims->taken || !claims->once.entry || !claims->text.entry || !claims->voter.entry)
        return SPAR_NOMEM;
    for (size_t k = 0; k < SPAR__ONCE_KINDS; k++)
        if (spar__key_table_reserve(&claims->onces[k], n))
            return SPAR_NOMEM;
    if (spar__key_table_reserve(&claims->texts, sizes->texts))
        return SPAR_NOMEM;
    return spar__key_table_reserve(&claims->voters, sizes->voters);
}

static void look_up(spar__pg_lookup *lookup, size_t entry, size_t n, const uint64_t key[])
{
    for (size_t k = 0; k < n; k++)
        spar__pg_add_number(&lookup->column[k], key[k]);
    lookup->entry[lookup->n++] = entry;
}

static void look_text_up(spar__pg_claims *claims, size_t i, const spar__store_text *text)
{
    unsigned char digest[SPAR_HASH_SIZE];
    if (text->kind == SPAR__TEXT_SOURCE && text->owner == 0) /* it will have the number of its event */
        claims->sources = true;
    else
        look_up(&claims->text, i, 3, (uint64_t[]){text->kind, text->owner, text->version});
    if (text->kind != SPAR__TEXT_VOTER)
        return;
    spar__sha256(text->bytes, text->length, digest);
    spar__pg_add_bytes(&claims->voter.column[0], digest, sizeof digest);
    claims->voter.entry[claims->voter.n++] = i;
}

spar_status spar__pg_claims_new(size_t n, const spar__store_entry *entry, spar__pg_claims **out)
{
    spar__pg_sizes sizes = {0};
    for (size_t i = 0; i < n; i++) {
        sizes.texts += entry[i].n_texts;
        for (size_t j = 0; j < entry[i].n_texts; j++)
            sizes.voters += entry[i].text[j].kind == SPAR__TEXT_VOTER;
    }
    *out = spar__alloc(1, sizeof **out);
    if (!*out || reserve(*out, n, &sizes))
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++) {
        spar__once once = spar__once_of(entry[i].event);
        if (once.kind)
            look_up(&(*out)->once, i, 3, (uint64_t[]){once.kind, once.high, once.low});
        for (size_t j = 0; j < entry[i].n_texts; j++)
            look_text_up(*out, i, &entry[i].text[j]);
    }
    return SPAR_OK;
}

static void free_lookup(spar__pg_lookup *lookup)
{
    for (size_t k = 0; k < 3; k++)
        spar__pg_array_free(&lookup->column[k]);
    spar__free(lookup->entry);
}

void spar__pg_claims_free(spar__pg_claims *claims)
{
    if (!claims)
        return;
    free_lookup(&claims->once);
    free_lookup(&claims->text);
    free_lookup(&claims->voter);
    for (size_t k = 0; k < SPAR__ONCE_KINDS; k++)
        spar__key_table_fini(&claims->onces[k]);
    spar__key_table_fini(&claims->texts);
    spar__key_table_fini(&claims->voters);
    spar__free(claims->taken);
    spar__free(claims);
}

/* --- the database --- */

size_t spar__pg_claims_ask(spar__postgres *self, uint64_t experiment, spar__pg_claims *claims)
{
    size_t n = 0;
    int64_t e = (int64_t)experiment;
    spar__pg_lookup *once = &claims->once, *text = &claims->text, *voter = &claims->voter;
    if (once->n) {
        spar__pg_queue(self, SPAR__PG_taken, "iaaa", e, &once->column[0], &once->column[1], &once->column[2]);
        once->asked = ++n;
    }
    if (text->n) {
        spar__pg_queue(self, SPAR__PG_text_taken, "iaaa", e, &text->column[0], &text->column[1], &text->column[2]);
        text->asked = ++n;
    }
    if (voter->n) {
        spar__pg_queue(self, SPAR__PG_voter_taken, "ia", e, &voter->column[0]);
        voter->asked = ++n;
    }
    if (claims->sources) {
        spar__pg_queue(self, SPAR__PG_last_source, "i", e);
        claims->asked_sources = ++n;
    }
    return n;
}

static void mark(const spar__postgres *self, size_t first, const spar__pg_lookup *lookup, bool *taken)
{
    const PGresult *found = lookup->asked ? spar__pg_result(self, first + lookup->asked - 1) : NULL;
    for (int r = 0; found && r < PQntuples(found); r++) {
        uint64_t i = spar__pg_number(found, r, 0); /* from 1 */
        if (i >= 1 && i <= lookup->n)
            taken[lookup->entry[i - 1]] = true;
    }
}

spar_status spar__pg_claims_take(spar__postgres *self, size_t first, spar__pg_claims *claims, spar_error *err)
{
    mark(self, first, &claims->once, claims->taken);
    mark(self, first, &claims->text, claims->taken);
    mark(self, first, &claims->voter, claims->taken);
    if (!claims->asked_sources)
        return SPAR_OK;
    uint64_t last = spar__pg_number(spar__pg_result(self, first + claims->asked_sources - 1), 0, 0);
    if (last <= self->end.sequence)
        return SPAR_OK;
    return spar__fail(err, SPAR_CORRUPT, "%s: there is a text of event %llu, but that event is not there",
                      self->base.name, (unsigned long long)last);
}

/* --- the batch --- */

static bool claim_key(spar__key_table *table, uint64_t high, uint64_t low)
{
    uint64_t *claimed = &table->entry[spar__key_get(table, high, low)].count;
    bool free = !*claimed;
    *claimed = 1;
    return free;
}

static void give_back(spar__key_table *table, uint64_t high, uint64_t low)
{
    table->entry[spar__key_get(table, high, low)].count = 0;
}

static spar__keyed name_of(const spar__store_text *text, uint64_t sequence)
{
    return (spar__keyed){(uint64_t)text->kind << 32 | text->version, spar__text_owner(text, sequence), 0};
}

static spar__keyed voter_of(const spar__store_text *text)
{
    unsigned char digest[SPAR_HASH_SIZE];
    spar__sha256(text->bytes, text->length, digest);
    return (spar__keyed){spar__get_u64(digest), spar__get_u64(digest + 8), 0};
}

static bool claim_text(spar__pg_claims *claims, const spar__store_text *text, uint64_t sequence)
{
    spar__keyed name = name_of(text, sequence);
    if (!claim_key(&claims->texts, name.high, name.low))
        return false;
    if (text->kind != SPAR__TEXT_VOTER)
        return true;
    spar__keyed voter = voter_of(text);
    if (claim_key(&claims->voters, voter.high, voter.low))
        return true;
    give_back(&claims->texts, name.high, name.low);
    return false;
}

static void give_text_back(spar__pg_claims *claims, const spar__store_text *text, uint64_t sequence)
{
    spar__keyed name = name_of(text, sequence), voter = voter_of(text);
    give_back(&claims->texts, name.high, name.low);
    if (text->kind == SPAR__TEXT_VOTER)
        give_back(&claims->voters, voter.high, voter.low);
}

spar_status spar__pg_claim(spar__pg_claims *claims, size_t i, const spar__store_entry *entry, uint64_t sequence)
{
    spar__once once = spar__once_of(entry->event);
    size_t claimed = 0;
    if (claims->taken[i] || (once.kind && !claim_key(&claims->onces[once.kind], once.high, once.low)))
        return SPAR_CONFLICT;
    while (claimed < entry->n_texts && claim_text(claims, &entry->text[claimed], sequence))
        claimed++;
    if (claimed == entry->n_texts)
        return SPAR_OK;
    while (claimed-- > 0)
        give_text_back(claims, &entry->text[claimed], sequence);
    if (once.kind)
        give_back(&claims->onces[once.kind], once.high, once.low);
    return SPAR_CONFLICT;
}
