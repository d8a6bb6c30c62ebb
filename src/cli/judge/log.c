/* Asking and telling, for hours: another program may have the file, and its server may be started or stopped. */
#include "cli/judge/judge.h"

#include "cli/progress.h"

#include <string.h>
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

static bool is_known(const spar__judging *run, uint64_t screen)
{
    for (size_t i = 0; i < run->n_left; i++)
        if (run->left[i].screen == screen)
            return true;
    for (size_t i = 0; i < run->n; i++)
        if (run->judge[i].screen && spar_screen_number(run->judge[i].screen) == screen)
            return true;
    return false;
}

void spar__judging_find_left(spar__judging *run, const char *voter)
{
    uint64_t number[SPAR__JUDGE_LEFT];
    size_t open = spar_experiment_open_screens(run->experiment, voter, SPAR__JUDGE_LEFT, number);
    for (size_t i = 0; i < open && i < SPAR__JUDGE_LEFT && run->n_left < SPAR__JUDGE_LEFT * run->n; i++)
        if (!is_known(run, number[i]))
            run->left[run->n_left++] = (spar__judge_left){.screen = number[i], .voter = voter};
}

/* The first that is the judge's; 0: none. */
static uint64_t next_left(spar__judging *run, const spar__judge *judge)
{
    size_t at = 0;
    while (at < run->n_left && strcmp(run->left[at].voter, judge->voter) != 0)
        at++;
    if (at == run->n_left)
        return 0;
    uint64_t screen = run->left[at].screen;
    for (run->n_left--; at < run->n_left; at++)
        run->left[at] = run->left[at + 1];
    return screen;
}

/* A screen that is still open; it stays NULL where there is none. What fails on the way is found again. */
static spar_status take_left(spar__judging *run, spar__judge *judge, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (uint64_t screen; !status && !judge->screen && (screen = next_left(run, judge)) != 0;) {
        status = spar_experiment_screen(run->experiment, screen, &judge->screen, err);
        if (!spar_screen_is_open(judge->screen)) {
            spar_screen_free(judge->screen);
            judge->screen = NULL;
        }
    }
    return status;
}

/* What is tried, and tried again. */
typedef struct attempt {
    spar__judge *judge;
    const spar_remarks *remarks;
    spar__buf *line;
    bool again;
} attempt;

typedef spar_status attempt_fn(spar__judging *run, const attempt *what, spar_error *err);

static spar_status try_long(spar__judging *run, attempt_fn *fn, attempt *what, spar_error *err)
{
    spar_status status = fn(run, what, err);
    what->again = true;
    for (int i = 0; i < TRIES && may_pass(status) && !spar__stop_wanted(); i++) {
        status = open_again(run, err);
        if (!status)
            status = fn(run, what, err);
    }
    return status;
}

static spar_status try_ask(spar__judging *run, const attempt *what, spar_error *err)
{
    spar__judge *judge = what->judge;
    if (what->again) /* a screen that was asked just before the trouble may be in the log */
        spar__judging_find_left(run, judge->voter);
    spar_status status = take_left(run, judge, err);
    return status || judge->screen ? status : spar_experiment_ask(run->experiment, judge->voter, &judge->screen, err);
}

spar_status spar__judging_ask(spar__judging *run, spar__judge *judge, spar_error *err)
{
    return try_long(run, try_ask, &(attempt){.judge = judge}, err);
}

static spar_status try_question(spar__judging *run, const attempt *what, spar_error *err)
{
    spar__json json = {.out = what->line};
    spar__buf_clear(what->line);
    spar__json_begin_object(&json);
    spar_status status =
        spar__screen_json_placed(run->experiment, what->judge->screen, what->judge->turned, &json, err);
    spar__json_end_object(&json);
    spar__buf_adds(what->line, "\n");
    return status ? status : what->line->failed ? spar__fail_memory(err) : SPAR_OK;
}

spar_status spar__judging_question(spar__judging *run, spar__judge *judge, spar__buf *line, spar_error *err)
{
    return try_long(run, try_question, &(attempt){.judge = judge, .line = line}, err);
}

static spar_status try_tell(spar__judging *run, const attempt *what, spar_error *err)
{
    return spar_experiment_tell(run->experiment, spar_screen_number(what->judge->screen), what->judge->voter,
                                run->answer, what->remarks, NULL, err);
}

spar_status spar__judging_tell(spar__judging *run, spar__judge *judge, const char *comment, uint32_t taken,
                               bool *elsewhere, spar_error *err)
{
    spar_remarks *remarks = NULL;
    spar_status status = spar_remarks_new(&remarks) ? spar__fail_memory(err) : SPAR_OK;
    if (!status && comment)
        status = spar_remarks_set_comment(remarks, comment, err);
    if (!status) {
        spar_remarks_set_taken(remarks, taken);
        spar_remarks_set_revision(remarks, spar_screen_revision(judge->screen));
        status = try_long(run, try_tell, &(attempt){.judge = judge, .remarks = remarks}, err);
    }
    spar_remarks_free(remarks);
    *elsewhere = status == SPAR_CONFLICT;
    return *elsewhere ? SPAR_OK : status;
}
