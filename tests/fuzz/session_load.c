/* Bytes with the right frame are a session that can be asked and told, or are refused; what was loaded and saved loads
 * again to the same bytes. */
#include "fuzz.h"

#include <spar/spar.h>

static fuzz_saved example(void)
{
    static fuzz_saved saved;
    static const char *const names[] = {"cat", "dog", "eel"};
    spar_arms *arms = NULL;
    spar_session *session = NULL;
    spar_answer *answer = NULL;
    uint64_t number;
    if (saved.bytes)
        return saved;
    require(!spar_arms_new(3, 1, (double[]){0, 0.5, 1}, names, &arms) && !spar_answer_new(&answer));
    require(!spar_session_new("self_sparring", arms, 2, 0, 1, &session, NULL));
    spar_answer_set_winner(answer, 0);
    for (int i = 0; i < 4; i++)
        require(!spar_session_ask(session, &number, NULL) &&
                (i % 2 || !spar_session_tell(session, number, answer, NULL)));
    require(!spar_session_save(session, &saved.bytes, &saved.length, NULL));
    spar_arms_free(arms);
    spar_answer_free(answer);
    spar_session_free(session);
    return saved;
}

/* An open question of any size may be told; a policy too large to play with is not asked. */
static void check(spar_session *session)
{
    static spar_answer *answer;
    spar_error err = {0};
    uint64_t number = spar_session_next_open(session, 0);
    if (!answer)
        require(!spar_answer_new(&answer));
    spar_answer_set_winner(answer, 0);
    if (number)
        fuzz_refused(spar_session_tell(session, number, answer, &err), &err, NULL);
    err = (spar_error){0};
    fuzz_refused(spar_session_ask(session, &number, &err), &err, NULL);
}

static void save(const spar_session *session, fuzz_saved *out)
{
    require(!spar_session_save((spar_session *)(uintptr_t)session, &out->bytes, &out->length, NULL));
}

void fuzz_session_load(const uint8_t *data, size_t size)
{
    static const spar__frame_kind kind = {.name = "session", .tag = "sess", .version = 1, .section = {{"stat", 0}}};
    fuzz_saved in = fuzz_damage(&kind, example(), data, size), once, twice;
    spar_session *session = NULL, *again = NULL;
    spar_error err = {0};
    spar_status status = spar_session_load(in.bytes, in.length, &session, &err);
    fuzz_refused(status, &err, NULL);
    require(!status == (session != NULL));
    if (session) {
        save(session, &once);
        require(!spar_session_load(once.bytes, once.length, &again, &err));
        save(again, &twice);
        require(once.length == twice.length && memcmp(once.bytes, twice.bytes, once.length) == 0);
        spar_bytes_free(once.bytes);
        spar_bytes_free(twice.bytes);
        check(session);
    }
    spar_session_free(session);
    spar_session_free(again);
    free(in.bytes);
}
