#include "live/history.h"

void spar__history_free(spar__history *history)
{
    if (!history)
        return;
    spar_event_free(history->event);
    history->cls->free(history);
}

spar_status spar__history_each(spar__history *history, spar__history_fn fn, void *context, spar_error *err)
{
    return history->cls->each(history, fn, context, err);
}

spar_status spar__history_voters(spar__history *history, spar__store_text_fn fn, void *context, spar_error *err)
{
    return history->cls->voters(history, fn, context, err);
}

spar_status spar__history_end(spar__history *history, uint64_t *sequence, unsigned char hash[SPAR_HASH_SIZE],
                              spar_error *err)
{
    return history->cls->end(history, sequence, hash, err);
}

spar__store_text spar__history_text_of(const spar_event *event, uint32_t settings)
{
    bool hashed = spar_event_hash(event) != NULL;
    switch (spar_event_kind_of(event)) {
    case SPAR_EVENT_SETTINGS:
        return (spar__store_text){.kind = hashed ? SPAR__TEXT_QUESTION : 0, .version = settings};
    case SPAR_EVENT_OPTION:
        return (spar__store_text){
            .kind = hashed ? SPAR__TEXT_ARM : 0, .owner = spar_event_arm(event), .version = spar_event_version(event)};
    case SPAR_EVENT_ITEM:
        return (spar__store_text){.kind = hashed ? SPAR__TEXT_ITEM : 0,
                                  .owner = spar_event_item(event),
                                  .version = spar_event_version(event)};
    case SPAR_EVENT_ANSWER:
        return (spar__store_text){.kind = hashed ? SPAR__TEXT_COMMENT : 0,
                                  .owner = spar_event_number(event),
                                  .version = spar_event_revision(event) + 1};
    case SPAR_EVENT_IMPORTED:
        return (spar__store_text){.kind = SPAR__TEXT_SOURCE, .owner = spar_event_sequence(event), .version = 1};
    default:
        return (spar__store_text){0};
    }
}
