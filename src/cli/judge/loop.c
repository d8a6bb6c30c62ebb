/* All judges at once, in one thread: whoever has something to say is heard, whoever is ready gets the next screen. */
#include "cli/judge/judge.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "cli/progress.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>

enum { IN, OUT, ERR, ENDS };

static const double LOOK = 5e8;                  /* nanoseconds between two looks at signals and the progress line */
static const double PATIENCE = 1e9, HURRY = 3e8; /* ... for judges to end by themselves */

static size_t count_state(const spar__judging *run, spar__judge_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < run->n; i++)
        count += run->judge[i].state == state;
    return count;
}

static size_t count_busy(const spar__judging *run)
{
    return count_state(run, SPAR__JUDGE_ASKED) + count_state(run, SPAR__JUDGE_PAUSED);
}

static bool may_give(const spar__judging *run)
{
    if (run->end || spar__stop_wanted())
        return false;
    if (run->screens && spar__judging_counts(run).answers + count_busy(run) >= run->screens)
        return false;
    return spar__judging_can_pay(run);
}

static bool has_left(const spar__judging *run, const spar__judge *judge)
{
    for (size_t i = 0; i < run->n_left; i++)
        if (strcmp(run->left[i].voter, judge->voter) == 0)
            return true;
    return false;
}

/* Judges with screens that were left open come first: new ones of the others must not use up the number of screens. */
static spar_status give_all(spar__judging *run, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < run->n && !status && may_give(run); i++)
            if (run->judge[i].state == SPAR__JUDGE_READY && (turn || has_left(run, &run->judge[i])))
                status = spar__judge_give(run, &run->judge[i], err);
    return status;
}

static void set_ends(const spar__judge *judge, struct pollfd end[ENDS])
{
    const spar__child *child = &judge->child;
    bool asked = child->pid && judge->state == SPAR__JUDGE_ASKED;
    end[IN] = (struct pollfd){.fd = asked && child->sent < child->send.length ? child->in : -1, .events = POLLOUT};
    end[OUT] = (struct pollfd){.fd = asked ? child->out : -1, .events = POLLIN};
    end[ERR] = (struct pollfd){.fd = child->pid ? child->err : -1, .events = POLLIN};
}

static void wait_for_news(const spar__judging *run, struct pollfd *end)
{
    double now = spar__clock_wall(), until = now + LOOK;
    for (size_t i = 0; i < run->n; i++) {
        const spar__judge *judge = &run->judge[i];
        double due = judge->state == SPAR__JUDGE_ASKED    ? judge->asked + run->timeout
                     : judge->state == SPAR__JUDGE_PAUSED ? judge->due
                                                          : until;
        until = due < until ? due : until;
        set_ends(judge, end + ENDS * i);
    }
    int wait = until > now ? (int)(1e-6 * (until - now)) + 1 : 0;
    if (poll(end, (nfds_t)(ENDS * run->n), wait) < 0) /* by a signal: nothing is known of any */
        for (size_t i = 0; i < ENDS * run->n; i++)
            end[i].revents = 0;
}

/* What it has written is read before the time is looked at. */
static spar_status serve(spar__judging *run, spar__judge *judge, const struct pollfd end[ENDS], spar_error *err)
{
    spar_status status = SPAR_OK;
    if (end[IN].revents)
        spar__child_write(&judge->child);
    if (end[ERR].revents)
        spar__judge_listen(run, judge);
    if (end[OUT].revents)
        status = spar__judge_hear(run, judge, err);
    return status ? status : spar__judge_check(run, judge, err);
}

static spar_status turn(spar__judging *run, struct pollfd *end, spar_error *err)
{
    spar_status status = SPAR_OK;
    wait_for_news(run, end);
    for (size_t i = 0; i < run->n && !status; i++)
        status = serve(run, &run->judge[i], end + ENDS * i, err);
    if (!status)
        status = give_all(run, err);
    spar__judging_show(run);
    return status;
}

/* Nobody has a screen. */
static spar__judge_end why_ended(const spar__judging *run)
{
    if (run->end)
        return run->end;
    if (run->screens && spar__judging_counts(run).answers >= run->screens)
        return SPAR__JUDGE_SCREENS;
    if (count_state(run, SPAR__JUDGE_READY))
        return SPAR__JUDGE_BUDGET;
    return count_state(run, SPAR__JUDGE_DONE) ? SPAR__JUDGE_NO_SCREENS : SPAR__JUDGE_NO_JUDGES;
}

static bool all_ended(const spar__judging *run)
{
    for (size_t i = 0; i < run->n; i++)
        if (!spar__child_ended(&run->judge[i].child))
            return false;
    return true;
}

/* They see the end of their input; those who do not end then are ended. */
static void end_all(spar__judging *run)
{
    bool hurry = run->end == SPAR__JUDGE_STOPPED;
    double until = spar__clock_wall() + (hurry ? HURRY : PATIENCE);
    for (size_t i = 0; i < run->n; i++) {
        spar__child_dismiss(&run->judge[i].child);
        if (hurry)
            spar__child_signal(&run->judge[i].child, SIGTERM);
    }
    while (!all_ended(run) && spar__clock_wall() < until)
        (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    for (size_t i = 0; i < run->n; i++) {
        if (run->judge[i].child.pid)
            spar__judge_listen(run, &run->judge[i]);
        spar__child_kill(&run->judge[i].child);
    }
}

spar_status spar__judging_loop(spar__judging *run, spar_error *err)
{
    struct pollfd *end = spar__alloc(ENDS * run->n, sizeof *end);
    if (!end)
        return spar__fail_memory(err);
    if (run->until_decided && spar__judging_decided(run))
        run->end = SPAR__JUDGE_DECIDED;
    spar_status status = give_all(run, err);
    while (!status && count_busy(run) && !spar__stop_wanted())
        status = turn(run, end, err);
    run->end = spar__stop_wanted() ? SPAR__JUDGE_STOPPED : status ? run->end : why_ended(run);
    end_all(run);
    spar__judging_erase(run);
    spar__free(end);
    return status;
}
