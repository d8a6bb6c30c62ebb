/* once.c - what every kind of store does with an entry (class.h). */
#include "store/class.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "store/digest.h"

#include <string.h>

spar__once spar__once_import(const unsigned char key[SPAR_HASH_SIZE])
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar__sha256(key, SPAR_HASH_SIZE, hash);
    return (spar__once){SPAR__ONCE_IMPORT, spar__get_u64(hash), spar__get_u64(hash + 8)};
}

spar__once spar__once_about(spar_event_kind kind, uint64_t number, uint32_t revision)
{
    switch (kind) {
    case SPAR_EVENT_SCREEN:
        return (spar__once){SPAR__ONCE_SCREEN, number, 0};
    case SPAR_EVENT_ANSWER:
        return (spar__once){SPAR__ONCE_ANSWER, number, revision};
    case SPAR_EVENT_UNDO:
        return (spar__once){SPAR__ONCE_UNDO, number, revision};
    default:
        return (spar__once){SPAR__ONCE_NONE, 0, 0};
    }
}

spar__once spar__once_of(const spar_event *event)
{
    if (spar_event_kind_of(event) == SPAR_EVENT_IMPORTED)
        return spar__once_import(spar_event_key(event));
    return spar__once_about(spar_event_kind_of(event), spar_event_number(event), spar_event_revision(event));
}

uint64_t spar__text_owner(const spar__store_text *text, uint64_t sequence)
{
    return text->kind == SPAR__TEXT_SOURCE && text->owner == 0 ? sequence : text->owner;
}

spar_status spar__entry_encode(spar__store_entry *entry, uint64_t sequence, unsigned char **bytes, size_t *length)
{
    spar_event_set_stamp(entry->event, sequence, spar_event_time(entry->event));
    return spar_event_encode(entry->event, bytes, length);
}

void spar__entry_refuse(spar__store_entry *entry, spar_status status)
{
    entry->status = status;
    spar_event_set_stamp(entry->event, 0, spar_event_time(entry->event));
}

unsigned char *spar__bytes_copy(const void *bytes, size_t length)
{
    unsigned char *copy = spar__alloc(length + 1, 1);
    if (copy && length)
        memcpy(copy, bytes, length);
    return copy;
}
