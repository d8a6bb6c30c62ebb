/* One judge: it is given a screen, asked once or twice, and its answer goes into the log; or it fails. */
#include "cli/judge/judge.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HEARD = 20, QUOTED = 200, COMMENT = 7500 };

static const double PAUSE = 1e8, LONGEST = 1e10; /* nanoseconds before it is started again */

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '\n')
            return false;
    return true;
}

/* The screen is answered, or stays open. */
static void release(spar__judge *judge, spar__judge_state state)
{
    spar_screen_free(judge->screen);
    spar__free(judge->comment);
    judge->screen = NULL;
    judge->comment = NULL;
    judge->state = state;
}

typedef struct listener {
    spar__judging *run;
    spar__judge *judge;
} listener;

/* Its standard error, line by line; but nobody reads thousands of them. */
static void hear_line(void *context, const char *line, size_t length)
{
    const listener *to = context;
    char text[4 * SPAR__CHILD_SAID];
    if (++to->judge->heard > HEARD + 1)
        return;
    (void)spar__printable(text, sizeof text, line, length);
    if (to->judge->heard > HEARD)
        (void)snprintf(text, sizeof text, "(it writes more, which is not shown before its next screen)");
    spar__judging_note(to->run, "%s: %s", to->judge->name, text);
}

void spar__judge_listen(spar__judging *run, spar__judge *judge)
{
    listener to = {.run = run, .judge = judge};
    spar__child_listen(&judge->child, hear_line, &to);
}

static double pause_of(const spar__judge *judge)
{
    double pause = PAUSE;
    for (unsigned i = 1; i < judge->row && pause < LONGEST; i++)
        pause *= 5;
    return pause < LONGEST ? pause : LONGEST;
}

/* What it did is no answer. It is ended, and started again with the same screen, or given up. */
static void fail(spar__judging *run, spar__judge *judge, const char *what)
{
    uint64_t screen = spar_screen_number(judge->screen);
    spar__judge_listen(run, judge);
    spar__child_kill(&judge->child);
    judge->counts.failures++;
    judge->row++;
    if (judge->restarts >= run->restarts) {
        spar__judging_note(run, "%s %s; it is given up, and screen %" PRIu64 " stays open", judge->name, what, screen);
        release(judge, SPAR__JUDGE_LOST);
        return;
    }
    judge->state = SPAR__JUDGE_READY; /* what it owed is no longer to be paid */
    if (!spar__judging_can_pay(run)) {
        spar__judging_note(run, "%s %s; the budget is used up, and screen %" PRIu64 " stays open", judge->name, what,
                           screen);
        release(judge, SPAR__JUDGE_READY);
        return;
    }
    judge->restarts++;
    judge->state = SPAR__JUDGE_PAUSED;
    judge->due = spar__clock_wall() + pause_of(judge);
    spar__judging_note(run, "%s %s; started again (%u of %u) with screen %" PRIu64, judge->name, what, judge->restarts,
                       run->restarts, screen);
}

/* With what it wrote, escaped and cut. */
static void fail_words(spar__judging *run, spar__judge *judge, const char *line, size_t length, const char *why)
{
    char shown[QUOTED], what[QUOTED + 32 + sizeof(spar_error)];
    bool cut = spar__printable(shown, sizeof shown, line, length) >= sizeof shown;
    (void)snprintf(what, sizeof what, "wrote '%s%s' (%s)", shown, cut ? "..." : "", why);
    fail(run, judge, what);
}

static void fail_ended(spar__judging *run, spar__judge *judge)
{
    char what[SPAR__CHILD_WORDS];
    spar__child_describe(&judge->child, what);
    fail(run, judge, what);
}

/* The answer was read, but the experiment does not take it: a comment that is too long. */
static void fail_answer(spar__judging *run, spar__judge *judge, const char *why)
{
    char what[64 + sizeof(spar_error)];
    (void)snprintf(what, sizeof what, "gave an answer that was refused (%s)", why);
    fail(run, judge, what);
}

/* Before it is asked it has nothing to say. */
static bool is_quiet(spar__judging *run, spar__judge *judge)
{
    spar__child *child = &judge->child;
    bool more = spar__child_read(child), blank = is_blank(child->got.text, child->got.length);
    if (!blank)
        fail_words(run, judge, child->got.text, child->got.length, "it was not asked");
    else if (!more)
        fail_ended(run, judge);
    return blank && more;
}

static spar_status question(spar__judging *run, spar__judge *judge, spar_error *err)
{
    spar__buf line = {0};
    if (judge->child.pid && !is_quiet(run, judge))
        return SPAR_OK;
    spar_status status = judge->child.pid ? SPAR_OK : spar__child_start(&judge->child, run->command, err);
    if (!status)
        status = spar__judging_question(run, judge, &line, err);
    if (!status) {
        spar__buf_clear(&judge->child.got);
        judge->counts.questions++;
        judge->heard = 0;
        judge->state = SPAR__JUDGE_ASKED;
        judge->asked = spar__clock_wall();
        spar__child_ask(&judge->child, &line);
        status = judge->child.send.failed ? spar__fail_memory(err) : SPAR_OK;
    }
    spar__buf_free(&line);
    return status;
}

spar_status spar__judge_give(spar__judging *run, spar__judge *judge, spar_error *err)
{
    spar_error why = {0};
    spar_status status = spar__judging_ask(run, judge, &why);
    if (status == SPAR_UNSUPPORTED || status == SPAR_ALL_SEEN) {
        judge->state = SPAR__JUDGE_DONE;
        run->why = why;
        return SPAR_OK;
    }
    judge->turned = false;
    return status ? spar__fail(err, status, "%s", why.text) : question(run, judge, err);
}

/* Where the best place is, as it was shown. */
static void count_place(spar__judge *judge, const spar_answer *answer)
{
    size_t best = spar__judge_best(answer);
    double share = 1 / (double)spar_screen_slots(judge->screen);
    if (best == SPAR_NO_SLOT)
        return;
    judge->counts.winners++;
    judge->counts.first += best == 0;
    judge->counts.expected += share;
    judge->counts.variance += share * (1 - share);
}

static void add_cut(const char *text, spar__buf *out)
{
    size_t length = strlen(text), n = 0;
    uint32_t code;
    while (n < length && n < COMMENT)
        n += spar__utf8_next(text + n, length - n, &code);
    spar__buf_add(out, text, n);
}

/* The comment of an answer; of two, those of both where it changed. */
static void add_comment(const spar__judging *run, const spar__judge *judge, const char *comment, bool changed,
                        spar__buf *out)
{
    if (!changed) {
        const char *only = run->swap && judge->comment ? judge->comment : comment;
        spar__buf_adds(out, only ? only : "");
        return;
    }
    spar__buf_adds(out, "the answer changed with the places");
    for (int i = 0; i < 2; i++) {
        const char *one = i ? comment : judge->comment;
        spar__buf_adds(out, one ? i ? "; reversed: " : "; first: " : "");
        add_cut(one ? one : "", out);
    }
}

static uint32_t milliseconds(double nanoseconds)
{
    double ms = 1e-6 * nanoseconds;
    return ms < 1 ? 1 : ms < 4e9 ? (uint32_t)ms : UINT32_MAX;
}

/* What the store refuses because of what the judge said. */
static bool is_its_fault(spar_status status)
{
    return status == SPAR_INVALID || status == SPAR_PARSE || status == SPAR_UNKNOWN || status == SPAR_UNSUPPORTED;
}

static void count_answer(spar__judging *run, spar__judge *judge, bool changed, bool elsewhere)
{
    judge->row = 0;
    judge->counts.elsewhere += elsewhere;
    if (!elsewhere) {
        judge->counts.answers++;
        judge->counts.skipped += spar_answer_kind_of(run->answer) == SPAR_ANSWER_SKIP;
        judge->counts.changed += changed;
    }
    release(judge, SPAR__JUDGE_READY);
    if (run->until_decided && spar__judging_decided(run))
        run->end = SPAR__JUDGE_DECIDED;
}

static spar_status finish(spar__judging *run, spar__judge *judge, const char *comment, double taken, spar_error *err)
{
    bool changed = false, elsewhere;
    spar__buf text = {0};
    spar_error why = {0};
    if (run->swap)
        spar__swap_join(judge->first, run->answer, &changed);
    add_comment(run, judge, comment, changed, &text);
    spar_status status = text.failed ? spar__fail_memory(&why)
                                     : spar__judging_tell(run, judge, text.length ? text.text : NULL,
                                                          milliseconds(taken), &elsewhere, &why);
    spar__buf_free(&text);
    if (is_its_fault(status))
        fail_answer(run, judge, why.text);
    else if (status)
        return spar__fail(err, status, "%s", why.text);
    else
        count_answer(run, judge, changed, elsewhere);
    return SPAR_OK;
}

/* The answer as it was shown goes to the log, or is kept until the judge has seen the screen the other way round. */
static spar_status take_answer(spar__judging *run, spar__judge *judge, char *comment, spar_error *err)
{
    double taken = spar__clock_wall() - judge->asked;
    count_place(judge, run->answer);
    spar_status status = judge->turned ? spar__swap_turn(run->answer, spar_screen_slots(judge->screen), err) : SPAR_OK;
    if (!status && (judge->turned || !run->swap)) {
        status = finish(run, judge, comment, taken + (judge->turned ? judge->taken : 0), err);
        spar__free(comment);
        return status;
    }
    spar__free(judge->comment);
    judge->comment = comment;
    judge->taken = taken;
    judge->turned = true;
    if (!status && spar_answer_copy(run->answer, judge->first))
        status = spar__fail_memory(err);
    return status ? status : question(run, judge, err);
}

static spar_status take_line(spar__judging *run, spar__judge *judge, const char *line, size_t length, spar_error *err)
{
    spar__child *child = &judge->child;
    spar_error why = {0};
    char *comment = NULL;
    if (!is_blank(line + length, child->got.length - length)) {
        fail_words(run, judge, line, child->got.length, "expected one line");
        return SPAR_OK;
    }
    spar_status status = spar__judge_read(line, length, judge->name, spar_screen_number(judge->screen),
                                          spar_screen_slots(judge->screen), run->answer, &comment, &why);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (status) {
        fail_words(run, judge, line, length, why.text);
        return SPAR_OK;
    }
    spar__child_drop(child, child->got.length);
    return take_answer(run, judge, comment, err);
}

spar_status spar__judge_hear(spar__judging *run, spar__judge *judge, spar_error *err)
{
    spar__child *child = &judge->child;
    bool more = spar__child_read(child);
    size_t length;
    const char *line = spar__child_line(child, &length);
    if (child->got.failed)
        return spar__fail_memory(err);
    while (line && is_blank(line, length)) {
        spar__child_drop(child, length + 1);
        line = spar__child_line(child, &length);
    }
    if (line && length <= SPAR__CHILD_LINE)
        return take_line(run, judge, line, length, err);
    if (child->got.length > SPAR__CHILD_LINE)
        fail_words(run, judge, child->got.text, child->got.length, "a line is too long");
    else if (!more)
        fail_ended(run, judge);
    return SPAR_OK;
}

spar_status spar__judge_check(spar__judging *run, spar__judge *judge, spar_error *err)
{
    double now = spar__clock_wall();
    if (judge->state == SPAR__JUDGE_ASKED && now - judge->asked > run->timeout) {
        char what[80];
        (void)snprintf(what, sizeof what, "did not answer within %.0f s", 1e-9 * run->timeout);
        fail(run, judge, what);
    } else if (judge->state == SPAR__JUDGE_PAUSED && run->end) {
        release(judge, SPAR__JUDGE_READY);
    } else if (judge->state == SPAR__JUDGE_PAUSED && now >= judge->due) {
        judge->turned = false;
        return question(run, judge, err);
    }
    return SPAR_OK;
}
