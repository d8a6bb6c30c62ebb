/* save.c - a session to bytes and back: a frame (base/frame.h) with one section. */
#include "session/session.h"

#include "base/alloc.h"
#include "base/archive.h"
#include "types/arms.h"
#include "types/event.h"

static const spar__frame_kind kind = {.name = "saved session", .tag = "sess", .version = 1, .section = {{"stat", 0}}};

static void archive_head(spar_session *session, spar__archive *ar)
{
    spar__archive_text(ar, &session->spec);
    spar__archive_u64(ar, &session->seed);
    spar__archive_u64(ar, &session->horizon);
    spar__archive_u32(ar, &session->m);
    spar__archive_u8(ar, &session->asks);
    spar__archive_bool(ar, &session->shuffle);
    spar__archive_bool(ar, &session->closed);
    spar__archive_u64(ar, &session->sequence);
    spar__archive_check(ar, session->spec || !session->sequence);
}

static void save_policy(const spar_session *session, spar__archive *ar)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar__archive_step(ar, spar_policy_save(session->policy, &bytes, &length));
    spar__archive_size(ar, &length);
    if (!ar->failed)
        spar__archive_bytes(ar, bytes, length);
    spar_bytes_free(bytes);
}

static void load_policy(spar_session *session, spar__archive *ar)
{
    size_t length = 0;
    spar__archive_size(ar, &length);
    if (!spar__archive_holds(ar, length))
        return;
    spar__archive_step(ar, spar_policy_load(ar->in, length, &session->policy, NULL));
    ar->in += length;
    ar->left -= length;
    spar__archive_check(ar, ar->failed || session->policy->m == session->m);
}

/* The options while they are not the policy's, else the policy. */
static void archive_state(spar_session *session, spar__archive *ar)
{
    bool built = session->policy && !session->arms, some = session->spec != NULL;
    spar__archive_bool(ar, &built);
    if (ar->failed || !some)
        return;
    if (!built)
        spar__arms_archive(&session->arms, ar);
    else if (ar->loading)
        load_policy(session, ar);
    else
        save_policy(session, ar);
}

static void archive_versions(spar_session *session, spar__archive *ar)
{
    size_t n = session->n_versions;
    while (n > 0 && !ar->loading && !session->version[n - 1])
        n--;
    spar__archive_size(ar, &n);
    if (!spar__archive_holds(ar, n))
        return;
    if (ar->loading && n) {
        session->version = spar__alloc(n, sizeof *session->version);
        spar__archive_step(ar, session->version ? SPAR_OK : SPAR_NOMEM);
        session->n_versions = ar->failed ? 0 : n;
    }
    for (size_t i = 0; i < n && !ar->failed; i++)
        spar__archive_u32(ar, &session->version[i]);
}

static void archive_names(spar_session *session, spar__archive *ar)
{
    size_t n = session->n_names;
    while (n > 0 && !ar->loading && !session->name[n - 1])
        n--;
    spar__archive_size(ar, &n);
    if (spar__archive_holds(ar, n) && ar->loading)
        spar__archive_step(ar, spar__session_reserve_names(session, n));
    for (size_t i = 0; i < n && !ar->failed; i++)
        spar__archive_text(ar, &session->name[i]);
}

/* Does every open question have an event that can be read, and that could have been applied? */
static void check_questions(spar_session *session, spar__archive *ar)
{
    uint64_t number = 0;
    spar__archive_check(ar, !session->questions.n || (session->policy && !session->arms));
    while (!ar->failed && (number = spar_session_next_open(session, number))) {
        const spar__question *question = spar__questions_find(&session->questions, number);
        spar__archive_step(ar, spar_event_decode(session->screen, question->is.bytes, question->length, NULL));
        spar__archive_check(ar, session->screen->kind == SPAR_EVENT_SCREEN && session->screen->is.number == number);
        if (!ar->failed)
            spar__archive_step(ar, spar__session_check_round(session, session->screen, NULL));
    }
}

static void archive(spar_session *session, spar__archive *ar)
{
    archive_head(session, ar);
    archive_state(session, ar);
    archive_versions(session, ar);
    archive_names(session, ar);
    spar__questions_archive(&session->questions, ar);
    if (!ar->failed && (ar->loading ? ar->left > 0 : session->axes != NULL))
        spar__session_archive_axes(session, ar);
}

spar_status spar_session_save(spar_session *session, unsigned char **bytes, size_t *length, spar_error *err)
{
    if (!SPAR__CLEAR(bytes) || !session || !length)
        return spar__fail_null(err);
    *length = 0;
    spar_status status = spar__session_settle(session, err);
    if (status)
        return status;
    spar__archive ar = {.loading = false};
    archive(session, &ar);
    status = spar__saved_write(&kind, &ar, bytes, length);
    return status ? spar__fail(err, status, "saved session: %s", spar_status_text(status)) : SPAR_OK;
}

spar_status spar_session_load(const unsigned char *bytes, size_t length, spar_session **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar;
    spar_status status = spar__saved_open(&kind, bytes, length, &ar, err);
    if (status)
        return status;
    if (spar_session_new_empty(out))
        return spar__fail_memory(err);
    archive(*out, &ar);
    if (!ar.failed)
        check_questions(*out, &ar);
    status = spar__saved_close(&kind, &ar, err);
    if (status) {
        spar_session_free(*out);
        *out = NULL;
    }
    return status;
}
