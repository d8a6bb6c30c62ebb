/* told.c - from what somebody said to the log (told.h). */
#include "live/told.h"

#include "base/alloc.h"
#include "live/source.h"
#include "store/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FAST = 300 }; /* milliseconds */

static const char *who(const spar__told *told)
{
    return told->voter ? told->voter : "";
}

/* Their name in quotes, or that they have none. */
static void describe_voter(const spar__told *told, char text[100])
{
    if (told->voter)
        (void)snprintf(text, 100, "'%.80s'", told->voter);
    else
        (void)snprintf(text, 100, "a voter that is not known");
}

/* The answer goes to the voter's only open screen, or, if it names its own options, it becomes one without a screen. */
static spar_status find_screen(const spar_experiment *experiment, const spar__told *told, uint64_t *screen,
                               spar_error *err)
{
    uint64_t number[2] = {0};
    char voter[100];
    size_t open = spar_experiment_open_screens(experiment, who(told), 2, number);
    bool names_options = (told->ranking || told->pairs) && !spar_experiment_axes(experiment); /* a space has none */
    *screen = open == 1 ? number[0] : 0;
    if (open == 1 || names_options)
        return SPAR_OK;
    if (!told->voter && !open)
        return spar__fail(err, SPAR_INVALID,
                          "no open screen was asked without a voter; ask for one, or name the voter or the screen");
    describe_voter(told, voter);
    return spar__fail(err, SPAR_INVALID, "%s has %s open screen; name the screen that this is the answer to", voter,
                      open ? "more than one" : "no");
}

void spar__remarks_time(spar_remarks *remarks, uint32_t milliseconds)
{
    spar_remarks_set_taken(remarks, milliseconds);
    if (milliseconds < FAST)
        spar_remarks_set_flags(remarks, SPAR_FLAG_FAST);
}

spar_status spar__told_remarks(const spar__told *told, spar_remarks **out, spar_error *err)
{
    spar_status status = spar_remarks_new(out) ? spar__fail_memory(err) : SPAR_OK;
    if (!status && told->comment)
        status = spar_remarks_set_comment(*out, told->comment, err);
    if (!status && told->has_taken)
        spar__remarks_time(*out, told->taken);
    if (!status && told->has_revision)
        spar_remarks_set_revision(*out, told->revision);
    return status;
}

static spar_status tell_screen(spar_experiment *experiment, uint64_t number, const spar__told *told,
                               spar_answer *answer, spar__told_reply *reply, spar_error *err)
{
    spar_screen *screen = NULL;
    spar_remarks *remarks = NULL;
    spar_status status = spar_experiment_screen(experiment, number, &screen, err);
    if (!status)
        status = spar__answer_to_screen(experiment, screen, told, answer, err);
    if (!status)
        status = spar__told_remarks(told, &remarks, err);
    if (!status)
        status = spar_experiment_tell(experiment, number, who(told), answer, remarks, &reply->again, err);
    reply->screen = number;
    spar_remarks_free(remarks);
    spar_screen_free(screen);
    return status;
}

/* A key of its own, where the caller has none. */
static spar_status make_key(const char *given, unsigned char key[SPAR_HASH_SIZE], spar_error *err)
{
    if (!given)
        return spar__random_bytes(key, SPAR_HASH_SIZE, err);
    spar_import_key(given, strlen(given), key);
    return SPAR_OK;
}

/* What comes with the answer, as rows of a file have it; nothing if there is nothing. */
static spar_status make_source(const spar__told *told, spar__buf *out, spar_error *err)
{
    spar__row_source source = {.taken = told->taken, .comment = told->comment && *told->comment ? told->comment : NULL};
    source.flags = told->has_taken && told->taken < FAST ? SPAR_FLAG_FAST : 0;
    spar__source_print(&source, out);
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status import_one(spar_experiment *experiment, const spar__told *told, const spar_answer *answer, size_t n,
                              const size_t *arm, bool *again, spar_error *err)
{
    spar_import *import = NULL;
    spar__buf source = {0};
    unsigned char key[SPAR_HASH_SIZE];
    uint64_t known = 0;
    spar_status status = spar_import_new(experiment, &import, err);
    if (!status)
        status = make_key(told->key, key, err);
    if (!status)
        status = make_source(told, &source, err);
    if (!status)
        status = spar_import_add(import, key, n, arm, answer, who(told), 0, source.text, err);
    if (!status)
        status = spar_import_finish(import, NULL, &known, err);
    if (status == SPAR_CONFLICT)
        status = spar__fail(err, status, "the key '%.80s' was told before, with another answer or by another voter",
                            told->key ? told->key : "");
    *again = known > 0;
    spar_import_free(import);
    spar__buf_free(&source);
    return status;
}

static spar_status tell_options(spar_experiment *experiment, const spar__told *told, spar_answer *answer,
                                spar__told_reply *reply, spar_error *err)
{
    size_t n = 0, *arm = NULL;
    spar_status status = spar__answer_to_options(experiment, told, answer, &n, &arm, err);
    if (!status)
        status = import_one(experiment, told, answer, n, arm, &reply->again, err);
    spar__free(arm);
    return status;
}

static spar_status undo(spar_experiment *experiment, const spar__told *told, spar__told_reply *reply, spar_error *err)
{
    spar_screen *screen = NULL;
    char voter[100];
    uint64_t number = told->screen ? told->screen : spar_experiment_last_answered(experiment, who(told));
    uint32_t revision = told->has_revision ? told->revision : SPAR_ANY_REVISION;
    describe_voter(told, voter);
    if (!number)
        return spar__fail(err, SPAR_INVALID, "%s has given no answer that could be taken back", voter);
    *reply = (spar__told_reply){.screen = number, .undone = true};
    spar_status status = spar_experiment_undo(experiment, number, told->voter, revision, &reply->again, err);
    if (!status)
        status = spar_experiment_screen(experiment, number, &screen, err);
    reply->revision = status ? 0 : spar_screen_revision(screen);
    spar_screen_free(screen);
    return status;
}

/* A key is for an answer without a screen: it never falls to a screen, so that it counts once. */
static spar_status check_key(const spar__told *told, spar_error *err)
{
    if (!told->key || (!told->screen && (told->ranking || told->pairs)))
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s",
                      told->screen ? "there are a key and a screen; an answer to a screen needs no key"
                                   : "a key goes with a ranking or pairs that name options");
}

spar_status spar__told_check(const spar__told *told, spar_error *err)
{
    int kinds = (told->winner != NULL) + (told->ranking != NULL) + (told->pairs != NULL) + told->tie + told->bad +
                told->skip + told->undo;
    return kinds == 1
               ? SPAR_OK
               : spar__fail(err, SPAR_INVALID, "%s; expected one of winner, ranking, pairs, tie, bad, skip and undo",
                            kinds ? "there is more than one answer" : "there is no answer");
}

spar_status spar__told_do(spar_experiment *experiment, const spar__told *told, spar__told_reply *reply, spar_error *err)
{
    spar_answer *answer = NULL;
    uint64_t number = told->screen;
    *reply = (spar__told_reply){0};
    spar_status status = spar__told_check(told, err);
    if (!status)
        status = check_key(told, err);
    if (!status)
        status = spar_experiment_refresh(experiment, err);
    if (status)
        return status;
    if (told->undo)
        return undo(experiment, told, reply, err);
    if (!number && !told->key)
        status = find_screen(experiment, told, &number, err);
    if (!status && spar_answer_new(&answer))
        status = spar__fail_memory(err);
    if (!status)
        status = number ? tell_screen(experiment, number, told, answer, reply, err)
                        : tell_options(experiment, told, answer, reply, err);
    spar_answer_free(answer);
    return status;
}
