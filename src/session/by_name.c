/* by_name.c - answers by the names of options. */
#include "session/session.h"

#include <inttypes.h>
#include <string.h>

/* The slot of the option of this name; refused if there is none, or if two options have the name. */
static spar_status find_slot(spar_session *session, uint64_t number, const char *name, size_t *slot, spar_error *err)
{
    *slot = SPAR_NO_SLOT;
    for (size_t j = 0; j < spar_session_slots(session, number); j++) {
        const char *shown = spar_session_slot_name(session, number, j);
        if (!shown || strcmp(shown, name) != 0)
            continue;
        if (*slot == SPAR_NO_SLOT)
            *slot = j;
        else if (spar_session_slot_arm(session, number, *slot) != spar_session_slot_arm(session, number, j))
            return spar__fail(err, SPAR_INVALID, "question %" PRIu64 " shows two options called '%s'", number, name);
    }
    return *slot != SPAR_NO_SLOT
               ? SPAR_OK
               : spar__fail(err, SPAR_UNKNOWN, "question %" PRIu64 " shows no option called '%s'", number, name);
}

/* Of an answered question the arm that won is known, but not which slots it was in. */
static spar_status tell_again(const spar_session *session, const spar__question *question, const char *name,
                              spar_error *err)
{
    const char *won = question->length == SPAR__NO_WINNER ? NULL : spar_session_name(session, question->length);
    if (won && strcmp(won, name) == 0)
        return SPAR_OK;
    return spar__fail(err, SPAR_CONFLICT, "question %" PRIu64 " was answered before, with another answer",
                      question->number);
}

spar_status spar_session_tell_winner(spar_session *session, uint64_t number, const char *name, spar_error *err)
{
    if (!session || !name)
        return spar__fail_null(err);
    spar_status status = spar__session_settle(session, err);
    if (status)
        return status;
    const spar__question *question = spar__questions_find(&session->questions, number);
    if (question && !question->open)
        return tell_again(session, question, name, err);
    size_t slot = SPAR_NO_SLOT;
    if (question)
        status = find_slot(session, number, name, &slot, err);
    if (status)
        return status;
    spar_answer_set_winner(session->answer, slot);
    return spar_session_tell(session, number, session->answer, err);
}
