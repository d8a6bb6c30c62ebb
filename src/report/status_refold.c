/* The decision without some answers: what the experiment would say had they never been given. */
#include "report/status.h"

#include "base/alloc.h"
#include "live/exchange/rows.h"

typedef struct answers_refold {
    spar_decision *decision;
    spar__key_table undone;  /* (screen, revision) */
    spar__key_table imports; /* (sequence, 0) of those that were flagged where they come from */
    spar__key_table numbers; /* of the screens whose rounds are kept */
    spar_round **round;
    uint32_t *item;
    size_t rounds, round_room, item_room;
    uint64_t flagged;
} answers_refold;

static spar_status note_undo(void *context, const spar_event *event, const unsigned char *hash, spar_error *err)
{
    (void)hash;
    answers_refold *fold = context;
    if (spar_event_kind_of(event) != SPAR_EVENT_UNDO)
        return SPAR_OK;
    if (spar__key_table_reserve(&fold->undone, 1))
        return spar__fail_memory(err);
    (void)spar__key_get(&fold->undone, spar_event_number(event), spar_event_revision(event));
    return SPAR_OK;
}

static spar_status keep_screen(answers_refold *fold, const spar_event *event, spar_error *err)
{
    size_t n = fold->rounds;
    spar_round **round = spar__grow(fold->round, &fold->round_room, n + 1, 64, sizeof *round);
    if (round)
        fold->round = round;
    uint32_t *item = spar__grow(fold->item, &fold->item_room, n + 1, 64, sizeof *item);
    if (item)
        fold->item = item;
    if (!round || !item || spar__key_table_reserve(&fold->numbers, 1) ||
        spar_round_dup(spar_event_round(event), &fold->round[n]))
        return spar__fail_memory(err);
    fold->item[n] = spar_event_item(event);
    fold->rounds = spar__key_get(&fold->numbers, spar_event_number(event), 0) + 1;
    return SPAR_OK;
}

static spar_status fold_answer(answers_refold *fold, const spar_event *event, spar_error *err)
{
    size_t at = spar__key_find(&fold->numbers, spar_event_number(event), 0);
    if (at == SPAR__NO_KEY ||
        spar__key_find(&fold->undone, spar_event_number(event), spar_event_revision(event)) != SPAR__NO_KEY)
        return SPAR_OK;
    if (spar_event_flags(event)) {
        fold->flagged++;
        return SPAR_OK;
    }
    return spar_decision_tell(fold->decision, fold->round[at], spar_event_answer(event), spar_event_voter(event),
                              fold->item[at], err);
}

static spar_status fold_import(answers_refold *fold, const spar_event *event, spar_error *err)
{
    if (spar__key_find(&fold->imports, spar_event_sequence(event), 0) != SPAR__NO_KEY) {
        fold->flagged++;
        return SPAR_OK;
    }
    return spar_decision_tell(fold->decision, spar_event_round(event), spar_event_answer(event),
                              spar_event_voter(event), SPAR_NO_ITEM, err);
}

static spar_status fold_event(void *context, const spar_event *event, const unsigned char *hash, spar_error *err)
{
    (void)hash;
    answers_refold *fold = context;
    switch (spar_event_kind_of(event)) {
    case SPAR_EVENT_OPTION:
        return spar_event_version(event) == 1 ? spar_decision_add(fold->decision, NULL, err) : SPAR_OK;
    case SPAR_EVENT_RETIRED:
        return spar_decision_retire(fold->decision, spar_event_arm(event), err);
    case SPAR_EVENT_SCREEN:
        return keep_screen(fold, event, err);
    case SPAR_EVENT_ANSWER:
        return fold_answer(fold, event, err);
    case SPAR_EVENT_IMPORTED:
        return fold_import(fold, event, err);
    default:
        return SPAR_OK;
    }
}

spar_status spar__status_refold(spar_experiment *experiment, spar_decision **out, uint64_t *flagged, spar_error *err)
{
    answers_refold fold = {0};
    spar_decision_settings settings = {.size = sizeof settings, .live = 1};
    spar_status status = spar_decision_new(0, &settings, &fold.decision, err);
    if (!status)
        status = spar_experiment_each(experiment, 1, note_undo, &fold, err);
    if (!status)
        status = spar__source_flagged(experiment, &fold.imports, err);
    if (!status)
        status = spar_experiment_each(experiment, 1, fold_event, &fold, err);
    for (size_t i = 0; i < fold.rounds; i++)
        spar_round_free(fold.round[i]);
    spar__free(fold.round);
    spar__free(fold.item);
    spar__key_table_fini(&fold.undone);
    spar__key_table_fini(&fold.imports);
    spar__key_table_fini(&fold.numbers);
    *flagged = fold.flagged;
    *out = status ? NULL : fold.decision;
    if (status)
        spar_decision_free(fold.decision);
    return status;
}
