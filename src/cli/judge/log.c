/* Asking and telling, for hours: another program may have the file, and its server may be started or stopped. */
#include "cli/judge/judge.h"

#include "cli/progress.h"

#include <time.h>

enum { TRIES = 10 }; /* a second apart */

static bool may_pass(spar_status status)
{
    return status == SPAR_BUSY || status == SPAR_IO;
}

/* After a pause and from the beginning: a file that is served is written in another way than one that is not. */
static spar_status open_again(spar__judging *run, spar_error *err)
{
    (void)nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    spar_experiment_close(run->experiment);
    run->experiment = NULL;
    return spar__experiment_of(run->settings, SPAR_EXPERIMENT_WRITE, &run->experiment, err);
}

/* A screen of an earlier start that is still open; *out stays NULL where there is none. */
static spar_status take_left(spar__judging *run, spar__judge *judge, spar_screen **out, spar_error *err)
{
    spar_status status = SPAR_OK;
    while (judge->n_left && !*out && !status) {
        status = spar_experiment_screen(run->experiment, judge->left[0], out, err);
        if (status)
            break; /* it may be tried again */
        judge->n_left--;
        for (size_t i = 0; i < judge->n_left; i++)
            judge->left[i] = judge->left[i + 1];
        if (!spar_screen_is_open(*out)) {
            spar_screen_free(*out);
            *out = NULL;
        }
    }
    return status;
}

static spar_status ask_once(spar__judging *run, spar__judge *judge, spar_error *err)
{
    spar_status status = take_left(run, judge, &judge->screen, err);
    return status || judge->screen ? status : spar_experiment_ask(run->experiment, judge->name, &judge->screen, err);
}

/* A screen that was asked just before the trouble may be in the log. */
static void find_left(spar__judging *run, spar__judge *judge)
{
    size_t n = spar_experiment_open_screens(run->experiment, judge->name, SPAR__JUDGE_LEFT, judge->left);
    judge->n_left = n < SPAR__JUDGE_LEFT ? n : SPAR__JUDGE_LEFT;
}

spar_status spar__judging_ask(spar__judging *run, spar__judge *judge, spar_error *err)
{
    spar_status status = ask_once(run, judge, err);
    for (int i = 0; i < TRIES && may_pass(status) && !spar__stop_wanted(); i++) {
        status = open_again(run, err);
        if (!status) {
            find_left(run, judge);
            status = ask_once(run, judge, err);
        }
    }
    return status;
}

static spar_status tell_once(spar__judging *run, const spar__judge *judge, const spar_remarks *remarks, spar_error *err)
{
    return spar_experiment_tell(run->experiment, spar_screen_number(judge->screen), judge->name, run->answer, remarks,
                                NULL, err);
}

spar_status spar__judging_tell(spar__judging *run, const spar__judge *judge, const char *comment, uint32_t taken,
                               bool *elsewhere, spar_error *err)
{
    spar_remarks *remarks = NULL;
    *elsewhere = false;
    spar_status status = spar_remarks_new(&remarks) ? spar__fail_memory(err) : SPAR_OK;
    if (!status && comment)
        status = spar_remarks_set_comment(remarks, comment, err);
    if (!status) {
        spar_remarks_set_taken(remarks, taken);
        spar_remarks_set_revision(remarks, spar_screen_revision(judge->screen));
        status = tell_once(run, judge, remarks, err);
    }
    for (int i = 0; i < TRIES && may_pass(status) && !spar__stop_wanted(); i++) {
        status = open_again(run, err);
        if (!status)
            status = tell_once(run, judge, remarks, err);
    }
    spar_remarks_free(remarks);
    *elsewhere = status == SPAR_CONFLICT;
    return *elsewhere ? SPAR_OK : status;
}
