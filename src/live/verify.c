/* verify.c - a verification from its beginning to its report (verify.h). */
#include "live/verify.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

spar_status spar__verify_find(spar__verify *verify, spar_error *err, const char *format, ...)
{
    spar_verification *report = verify->report;
    spar_error sentence = {0};
    char text[sizeof sentence.text];
    va_list args;
    if (report->n_findings == SPAR__MOST_FINDINGS) {
        report->more++;
        return SPAR_OK;
    }
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)spar__fail(&sentence, SPAR_CORRUPT, "%s", text); /* what acts on a terminal is escaped */
    report->finding[report->n_findings] = spar__strdup(sentence.text);
    if (!report->finding[report->n_findings])
        return spar__fail_memory(err);
    report->n_findings++;
    return SPAR_OK;
}

spar_status spar__verify_progress(const spar__verify *verify, double share, spar_error *err)
{
    if (!verify->progress || verify->progress(verify->context, share))
        return SPAR_OK;
    return spar__fail(err, SPAR_INTERRUPTED, "%s", spar_status_text(SPAR_INTERRUPTED));
}

spar_status spar__verify_reserve(void **items, size_t n, size_t *room, size_t size, spar_error *err)
{
    void *grown = spar__grow(*items, room, n + 1, 64, size);
    if (!grown)
        return spar__fail_memory(err);
    *items = grown;
    return SPAR_OK;
}

static void fini(spar__verify *verify)
{
    spar__store_close(verify->store);
    spar_event_free(verify->event);
    spar_event_free(verify->drawn);
    spar__key_table_fini(&verify->asked);
    spar__key_table_fini(&verify->answers);
    spar__key_table_fini(&verify->undos);
    spar__key_table_fini(&verify->keys);
    spar__free(verify->redraw);
    spar__free(verify->text);
    spar__free(verify->stray);
}

static spar_status open_store(spar__verify *verify, const char *place, spar_error *err)
{
    char *store = NULL, *name = NULL;
    spar_status status = spar__store_split(place, &store, &name, err);
    if (!status)
        status = spar__store_open(store, SPAR__STORE_READ, &verify->store, err);
    if (!status)
        status = spar__store_find(verify->store, name, &verify->experiment, err);
    if (!status && (spar_event_new(&verify->event) || spar_event_new(&verify->drawn)))
        status = spar__fail_memory(err);
    spar__free(store);
    spar__free(name);
    return status;
}

typedef struct damage_list {
    spar__verify *verify;
    spar_status status;
} damage_list;

static void note_damage(void *context, const char *sentence)
{
    damage_list *list = context;
    if (!list->status)
        list->status = spar__verify_find(list->verify, NULL, "%s", sentence);
}

/* Below the events: pages and indices. */
static spar_status check_store(spar__verify *verify, spar_error *err)
{
    damage_list list = {verify, SPAR_OK};
    spar_error why = {0};
    spar_status status = spar__store_check(verify->store, note_damage, &list, &why);
    if (status == SPAR_CORRUPT) { /* the rest can be looked at nevertheless */
        note_damage(&list, why.text);
        status = SPAR_OK;
    }
    if (status)
        return spar__fail(err, status, "%s", why.text);
    return list.status ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status look(spar__verify *verify, spar_error *err)
{
    spar_status status = check_store(verify, err);
    if (!status)
        status = spar__verify_scan(verify, err);
    if (!status && verify->noted && !verify->noted_found)
        status = spar__verify_find(verify, err,
                                   "the log does not contain the head that was noted: it was rewritten, or cut off");
    if (!status)
        status = spar__verify_texts(verify, err);
    return status ? status : spar__verify_fold(verify, err);
}

static spar_status say_more(spar_verification *report, spar_error *err)
{
    char text[64];
    (void)snprintf(text, sizeof text, "and %zu findings more", report->more);
    report->finding[report->n_findings] = spar__strdup(text);
    if (!report->finding[report->n_findings])
        return spar__fail_memory(err);
    report->n_findings++;
    return SPAR_OK;
}

spar_status spar_experiment_verify(const char *place, const unsigned char *head, spar_progress_fn progress,
                                   void *context, spar_verification **out, spar_error *err)
{
    spar__verify verify = {.noted = head, .progress = progress, .context = context};
    spar_error local = {0};
    err = err ? err : &local;
    if (!out)
        return spar__fail(err, SPAR_INVALID, "there is no place for the verification");
    *out = NULL;
    if (!place)
        return spar__fail(err, SPAR_INVALID, "no place of an experiment was given");
    verify.report = spar__alloc(1, sizeof *verify.report);
    if (verify.report)
        verify.report->finding = spar__alloc(SPAR__MOST_FINDINGS + 1, sizeof(char *));
    spar_status status =
        verify.report && verify.report->finding ? open_store(&verify, place, err) : spar__fail_memory(err);
    if (!status)
        status = look(&verify, err);
    if (status == SPAR_CORRUPT) /* so damaged that looking stops here */
        status = spar__verify_find(&verify, err, "%s", err->text);
    if (!status && verify.report->more)
        status = say_more(verify.report, err);
    fini(&verify);
    if (status)
        spar_verification_free(verify.report);
    else
        *out = verify.report;
    return status;
}

void spar_verification_free(spar_verification *verification)
{
    if (!verification)
        return;
    for (size_t i = 0; i < verification->n_findings; i++)
        spar__free(verification->finding[i]);
    spar__free(verification->finding);
    spar__free(verification);
}

bool spar_verification_holds(const spar_verification *verification)
{
    return verification && verification->n_findings == 0;
}

size_t spar_verification_findings(const spar_verification *verification)
{
    return verification ? verification->n_findings : 0;
}

const char *spar_verification_finding(const spar_verification *verification, size_t i)
{
    return verification && i < verification->n_findings ? verification->finding[i] : NULL;
}

uint64_t spar_verification_events(const spar_verification *verification)
{
    return verification ? verification->events : 0;
}

uint64_t spar_verification_screens(const spar_verification *verification)
{
    return verification ? verification->screens : 0;
}

uint64_t spar_verification_other(const spar_verification *verification)
{
    return verification ? verification->other : 0;
}

uint64_t spar_verification_removed(const spar_verification *verification)
{
    return verification ? verification->removed : 0;
}

void spar_verification_head(const spar_verification *verification, unsigned char hash[SPAR_HASH_SIZE])
{
    if (verification && hash)
        memcpy(hash, verification->head, SPAR_HASH_SIZE);
}
