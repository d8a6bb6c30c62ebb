/* judge.c - spar judge: programs as voters.
 *
 * A judge is a process, `NAME 1`, `NAME 2` ..., and a voter of that name (or all are the one voter NAME). It is shown
 * the voter's screens, one at a time, as lines of JSON (spar__screen_json), and writes a line for each:
 *
 *     {"screen": 7, "winner": "A"}     or  "ranking": "B,A=C", "pairs": "A>B", "tie": true, "bad": true, "skip": "why"
 *
 * in terms of the places of the question, with a "comment" where it has one. A judge that dies, does not answer in time
 * or writes anything else is ended and started again, and its screen is asked again: what it did is no answer. So an
 * answer is in the log if and only if a judge gave it, whole, to that screen.
 *
 * All judges are served in one thread: whoever has something to say is heard, whoever is ready gets the next screen. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "cli/progress.h"
#include "cli/rater.h"
#include "cli/terminal.h"
#include "live/screen.h"
#include "report/status_report.h"
#include "report/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { LEFT_MOST = 64, TRIES = 10, HEARD = 20, QUOTED = 200, COMMENT = 7500, SENTENCE = 1000 };

static const double PAUSE = 1e8, LONGEST = 1e10; /* nanoseconds before a judge is started again */
static const double QUICK = 2e8, SLOW = 1e10;    /* ... between two lines of progress, on a terminal and elsewhere */
static const double LOOK = 5e8;                  /* ... between two looks at signals and the progress line */
static const double PATIENCE = 1e9, HURRY = 3e8; /* ... for judges to end by themselves */
static const double SURE = 4;                    /* standard deviations that chance does not explain */

/* What is counted, of each judge and of all. */
enum {
    ANSWERS,   /* in the log */
    SKIPPED,   /* of these */
    CHANGED,   /* of these: ties because the answer changed with the places */
    ELSEWHERE, /* screens that somebody else answered meanwhile */
    QUESTIONS, /* lines that were sent */
    FAILURES,
    WINNERS, /* answers to a question that name a best place ... */
    FIRST,   /* ... and that is the first one */
    COUNTS
};

typedef struct judge_counts {
    uint64_t n[COUNTS];
    double expected, variance; /* of FIRST, where places do not matter */
} judge_counts;

typedef enum judge_state {
    READY,  /* it may have the next screen */
    ASKED,  /* it has a screen and is to answer */
    PAUSED, /* it failed, and is started again with its screen when `due` has come */
    DONE,   /* there are no more screens for it */
    LOST    /* it failed too often */
} judge_state;

typedef struct voting_judge {
    char *name, *voter;
    judge_state state;
    spar__child child;
    spar_screen *screen;
    bool turned;         /* it is asked the second time, with the places reversed */
    spar_answer *first;  /* what it said the first time, and why (NULL: nothing) */
    char *comment;       /* new */
    double asked, taken; /* when it was asked last; what the first time took: nanoseconds */
    double due;
    unsigned restarts, row; /* row: failures since the last answer */
    unsigned heard;         /* lines of its standard error since it was asked */
    judge_counts counts;
} voting_judge;

typedef enum judging_end {
    GOES_ON,
    SCREENS,
    DECIDED,
    BUDGET,
    NO_SCREENS, /* closed, or all items seen: `why` says it */
    NO_JUDGES,
    STOPPED /* by a signal */
} judging_end;

/* A screen that was asked before and is still open. */
typedef struct left_screen {
    uint64_t screen;
    const char *voter;
} left_screen;

typedef struct judging {
    const spar__settings *settings;
    spar_experiment *experiment;
    const char *command;
    uint64_t screens, budget; /* 0: any number */
    bool until_decided, swap, one_voter;
    double timeout; /* nanoseconds */
    unsigned restarts;
    voting_judge *judge;
    size_t n;
    left_screen *left; /* room for LEFT_MOST a judge */
    size_t n_left;
    spar_answer *answer; /* the one that is read */
    judging_end end;
    spar_error why;          /* there are no more screens */
    double started, shown;   /* the progress line */
    bool terminal, has_line; /* there is one to erase */
} judging;

/* --- counts --- */

static judge_counts counts_of_all(const judging *run)
{
    judge_counts sum = {0};
    for (size_t i = 0; i < run->n; i++) {
        const judge_counts *c = &run->judge[i].counts;
        for (size_t k = 0; k < COUNTS; k++)
            sum.n[k] += c->n[k];
        sum.expected += c->expected;
        sum.variance += c->variance;
    }
    return sum;
}

static size_t count_state(const judging *run, judge_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < run->n; i++)
        count += run->judge[i].state == state;
    return count;
}

static size_t count_busy(const judging *run)
{
    return count_state(run, ASKED) + count_state(run, PAUSED);
}

/* Has the budget room for another screen, after what the judges that have one will still be asked? */
static bool can_pay(const judging *run)
{
    uint64_t cost = run->swap ? 2 : 1, owed = cost * count_state(run, PAUSED);
    for (size_t i = 0; i < run->n; i++)
        owed += run->judge[i].state == ASKED && run->swap && !run->judge[i].turned;
    return !run->budget || counts_of_all(run).n[QUESTIONS] + owed + cost <= run->budget;
}

static bool is_decided(const judging *run)
{
    spar_verdict verdict = spar_decision_verdict(spar_experiment_decision(run->experiment));
    return verdict == SPAR_VERDICT_BEST || verdict == SPAR_VERDICT_EQUAL ||
           verdict == SPAR_VERDICT_NO_SCALE; /* more answers will not change that */
}

/* --- the log, for hours: another program may have the file, and its server may be started or stopped --- */

static bool is_known(const judging *run, uint64_t screen)
{
    for (size_t i = 0; i < run->n_left; i++)
        if (run->left[i].screen == screen)
            return true;
    for (size_t i = 0; i < run->n; i++)
        if (run->judge[i].screen && spar_screen_number(run->judge[i].screen) == screen)
            return true;
    return false;
}

/* Notes the open screens of a voter that no judge has. */
static void find_left(judging *run, const char *voter)
{
    uint64_t number[LEFT_MOST];
    size_t open = spar_experiment_open_screens(run->experiment, voter, LEFT_MOST, number);
    for (size_t i = 0; i < open && i < LEFT_MOST && run->n_left < LEFT_MOST * run->n; i++)
        if (!is_known(run, number[i]))
            run->left[run->n_left++] = (left_screen){.screen = number[i], .voter = voter};
}

/* The place of the judge's first one; n_left: it has none. */
static size_t next_left(const judging *run, const voting_judge *judge)
{
    size_t at = 0;
    while (at < run->n_left && strcmp(run->left[at].voter, judge->voter) != 0)
        at++;
    return at;
}

/* A screen that is still open; it stays NULL where there is none. What fails on the way is found again. */
static spar_status take_left(judging *run, voting_judge *judge, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t at; !status && !judge->screen && (at = next_left(run, judge)) < run->n_left;) {
        uint64_t screen = run->left[at].screen;
        for (run->n_left--; at < run->n_left; at++)
            run->left[at] = run->left[at + 1];
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
    voting_judge *judge;
    const spar_remarks *remarks;
    spar__buf *line;
    bool again;
} attempt;

typedef spar_status attempt_fn(judging *run, const attempt *what, spar_error *err);

/* Again after a pause and from the beginning: a file that is served is written in another way than one that is not. */
static spar_status try_long(judging *run, attempt_fn *fn, attempt *what, spar_error *err)
{
    spar_status status = fn(run, what, err);
    what->again = true;
    for (int i = 0; i < TRIES && (status == SPAR_BUSY || status == SPAR_IO) && !spar__stop_wanted(); i++) {
        (void)nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
        spar_experiment_close(run->experiment);
        status = spar__experiment_of(run->settings, SPAR_EXPERIMENT_WRITE, &run->experiment, err);
        if (!status)
            status = fn(run, what, err);
    }
    return status;
}

/* One that was left, or a new one. SPAR_UNSUPPORTED or SPAR_ALL_SEEN where there are no more. */
static spar_status try_ask(judging *run, const attempt *what, spar_error *err)
{
    voting_judge *judge = what->judge;
    if (what->again) /* a screen that was asked just before the trouble may be in the log */
        find_left(run, judge->voter);
    spar_status status = take_left(run, judge, err);
    return status || judge->screen ? status : spar_experiment_ask(run->experiment, judge->voter, &judge->screen, err);
}

/* The line that shows it to the judge. */
static spar_status try_question(judging *run, const attempt *what, spar_error *err)
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

static spar_status try_tell(judging *run, const attempt *what, spar_error *err)
{
    return spar_experiment_tell(run->experiment, spar_screen_number(what->judge->screen), what->judge->voter,
                                run->answer, what->remarks, NULL, err);
}

/* *elsewhere where the screen was answered otherwise meanwhile. */
static spar_status tell(judging *run, voting_judge *judge, const char *comment, double taken, bool *elsewhere,
                        spar_error *err)
{
    double ms = 1e-6 * taken;
    spar_remarks *remarks = NULL;
    spar_status status = spar_remarks_new(&remarks) ? spar__fail_memory(err) : SPAR_OK;
    if (!status && comment)
        status = spar_remarks_set_comment(remarks, comment, err);
    if (!status) {
        spar_remarks_set_taken(remarks, ms < 1 ? 1 : ms < 4e9 ? (uint32_t)ms : UINT32_MAX);
        spar_remarks_set_revision(remarks, spar_screen_revision(judge->screen));
        status = try_long(run, try_tell, &(attempt){.judge = judge, .remarks = remarks}, err);
    }
    spar_remarks_free(remarks);
    *elsewhere = status == SPAR_CONFLICT;
    return *elsewhere ? SPAR_OK : status;
}

/* --- how far it is --- */

/* What is known so far, safe to print, and its verdict in a word. In a space it follows from the belief about the
 * settings; the verdict is that of 'spar status'. */
static const char *sentence_of(const judging *run, char text[SENTENCE])
{
    char plain[SENTENCE] = "";
    const char *verdict = NULL;
    if (spar_experiment_axes(run->experiment)) {
        spar__space_report space = {0};
        spar_error err = {0};
        spar_status status = spar__space_look(run->experiment, false, &space, &err);
        if (!status)
            verdict = spar__space_verdict(&space);
        (void)snprintf(plain, sizeof plain, "%s", status ? err.text : space.sentence);
        spar__space_free(&space);
    } else {
        (void)spar_experiment_sentence(run->experiment, plain, sizeof plain);
        verdict = spar_verdict_name(spar_decision_verdict(spar_experiment_decision(run->experiment)));
    }
    (void)spar__printable(text, SENTENCE, plain, strlen(plain));
    return verdict;
}

/* Before anything else is written. */
static void erase_line(judging *run)
{
    if (run->has_line)
        (void)fputs("\r\033[K", stderr);
    run->has_line = false;
}

/* As much as fits into a line of the terminal. */
static void print_cut(const char *text)
{
    struct winsize size;
    size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 10 ? size.ws_col : 80;
    size_t length = strlen(text), n = 0, cells = 0, bytes;
    uint32_t code;
    for (; n < length; n += bytes) {
        bytes = spar__utf8_next(text + n, length - n, &code);
        cells += spar__cells_of(code);
        if (cells >= width)
            break;
    }
    (void)fprintf(stderr, "\r%.*s\033[K", (int)n, text);
}

static void show_progress(judging *run)
{
    double now = spar__clock_wall();
    char sentence[SENTENCE];
    judge_counts all = counts_of_all(run);
    spar__buf text = {0};
    if (now - run->shown < (run->terminal ? QUICK : SLOW))
        return;
    run->shown = now;
    spar__buf_printf(&text, "%" PRIu64, all.n[ANSWERS]);
    if (run->screens)
        spar__buf_printf(&text, " of %" PRIu64, run->screens);
    spar__buf_printf(&text, " answers, %.3g/s", 1e9 * (double)all.n[ANSWERS] / (now - run->started));
    if (all.n[FAILURES])
        spar__buf_printf(&text, ", %" PRIu64 " failures", all.n[FAILURES]);
    if (!spar_experiment_axes(run->experiment)) { /* it would take too long to look at a space so often */
        (void)sentence_of(run, sentence);
        spar__buf_printf(&text, "; %s", sentence);
    }
    if (!text.failed && run->terminal)
        print_cut(text.text);
    else if (!text.failed)
        (void)fprintf(stderr, "spar: %s\n", text.text);
    run->has_line = run->terminal;
    spar__buf_free(&text);
}

/* --- one judge: it is given a screen, asked once or twice, and its answer goes into the log; or it fails. An error is
 * one of ours, never of the judge --- */

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '\n')
            return false;
    return true;
}

/* The screen is answered, or stays open. */
static void release(voting_judge *judge, judge_state state)
{
    spar_screen_free(judge->screen);
    spar__free(judge->comment);
    judge->screen = NULL;
    judge->comment = NULL;
    judge->state = state;
}

typedef struct listener {
    judging *run;
    voting_judge *judge;
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
    erase_line(to->run);
    spar__note("%s: %s", to->judge->name, text);
}

static void listen_to(judging *run, voting_judge *judge)
{
    spar__child_listen(&judge->child, hear_line, &(listener){.run = run, .judge = judge});
}

/* What it did is no answer. It is ended, and started again with the same screen, or given up. */
static void fail(judging *run, voting_judge *judge, const char *what)
{
    uint64_t screen = spar_screen_number(judge->screen);
    double pause = PAUSE;
    listen_to(run, judge);
    spar__child_kill(&judge->child);
    judge->counts.n[FAILURES]++;
    judge->row++;
    erase_line(run);
    judge->state = READY; /* what it owed is no longer to be paid */
    bool lost = judge->restarts >= run->restarts;
    if (lost || !can_pay(run)) {
        spar__note("%s %s; %s, and screen %" PRIu64 " stays open", judge->name, what,
                   lost ? "it is given up" : "the budget is used up", screen);
        release(judge, lost ? LOST : READY);
        return;
    }
    for (unsigned i = 1; i < judge->row && pause < LONGEST; i++)
        pause *= 5;
    judge->restarts++;
    judge->state = PAUSED;
    judge->due = spar__clock_wall() + (pause < LONGEST ? pause : LONGEST);
    spar__note("%s %s; started again (%u of %u) with screen %" PRIu64, judge->name, what, judge->restarts,
               run->restarts, screen);
}

/* With what it wrote, escaped and cut. */
static void fail_words(judging *run, voting_judge *judge, const char *line, size_t length, const char *why)
{
    char shown[QUOTED], what[QUOTED + 32 + sizeof(spar_error)];
    bool cut = spar__printable(shown, sizeof shown, line, length) >= sizeof shown;
    (void)snprintf(what, sizeof what, "wrote '%s%s' (%s)", shown, cut ? "..." : "", why);
    fail(run, judge, what);
}

static void fail_ended(judging *run, voting_judge *judge)
{
    char what[SPAR__CHILD_WORDS];
    spar__child_describe(&judge->child, what);
    fail(run, judge, what);
}

static spar_status question(judging *run, voting_judge *judge, spar_error *err)
{
    spar__child *child = &judge->child;
    spar__buf line = {0};
    bool ended = child->pid && !spar__child_read(child), talks = !is_blank(child->got.text, child->got.length);
    if (talks) /* before it is asked it has nothing to say */
        fail_words(run, judge, child->got.text, child->got.length, "it was not asked");
    else if (ended)
        fail_ended(run, judge);
    if (talks || ended)
        return SPAR_OK;
    spar_status status = child->pid ? SPAR_OK : spar__child_start(child, run->command, err);
    if (!status)
        status = try_long(run, try_question, &(attempt){.judge = judge, .line = &line}, err);
    if (!status) {
        spar__buf_clear(&child->got);
        judge->counts.n[QUESTIONS]++;
        judge->heard = 0;
        judge->state = ASKED;
        judge->asked = spar__clock_wall();
        spar__child_ask(child, &line);
        status = child->send.failed ? spar__fail_memory(err) : SPAR_OK;
    }
    spar__buf_free(&line);
    return status;
}

static spar_status give_screen(judging *run, voting_judge *judge, spar_error *err)
{
    spar_error why = {0};
    spar_status status = try_long(run, try_ask, &(attempt){.judge = judge}, &why);
    if (status == SPAR_UNSUPPORTED || status == SPAR_ALL_SEEN) {
        judge->state = DONE;
        run->why = why;
        return SPAR_OK;
    }
    judge->turned = false;
    return status ? spar__fail(err, status, "%s", why.text) : question(run, judge, err);
}

/* The comment of an answer; of two, those of both where it changed, cut. */
static void add_comment(const judging *run, const voting_judge *judge, const char *comment, bool changed,
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
        size_t length = one ? strlen(one) : 0, n = 0;
        uint32_t code;
        while (n < length && n < COMMENT)
            n += spar__utf8_next(one + n, length - n, &code);
        spar__buf_adds(out, one ? i ? "; reversed: " : "; first: " : "");
        spar__buf_add(out, one ? one : "", n);
    }
}

static spar_status finish(judging *run, voting_judge *judge, const char *comment, double taken, spar_error *err)
{
    bool changed = false, elsewhere = false;
    spar__buf text = {0};
    spar_error why = {0};
    if (run->swap)
        spar__swap_join(judge->first, run->answer, &changed);
    add_comment(run, judge, comment, changed, &text);
    spar_status status = text.failed ? spar__fail_memory(&why)
                                     : tell(run, judge, text.length ? text.text : NULL, taken, &elsewhere, &why);
    spar__buf_free(&text);
    if (status == SPAR_INVALID || status == SPAR_PARSE || status == SPAR_UNKNOWN || status == SPAR_UNSUPPORTED) {
        char what[64 + sizeof(spar_error)]; /* refused because of what the judge said: a comment that is too long */
        (void)snprintf(what, sizeof what, "gave an answer that was refused (%s)", why.text);
        fail(run, judge, what);
        return SPAR_OK;
    }
    if (status)
        return spar__fail(err, status, "%s", why.text);
    judge->row = 0;
    judge->counts.n[ELSEWHERE] += elsewhere;
    judge->counts.n[ANSWERS] += !elsewhere;
    judge->counts.n[SKIPPED] += !elsewhere && spar_answer_kind_of(run->answer) == SPAR_ANSWER_SKIP;
    judge->counts.n[CHANGED] += !elsewhere && changed;
    release(judge, READY);
    if (run->until_decided && is_decided(run))
        run->end = DECIDED;
    return SPAR_OK;
}

/* The answer as it was shown goes to the log, or is kept until the judge has seen the screen the other way round. */
static spar_status take_answer(judging *run, voting_judge *judge, char *comment, spar_error *err)
{
    double taken = spar__clock_wall() - judge->asked, share = 1 / (double)spar_screen_slots(judge->screen);
    size_t best = spar__judge_best(run->answer); /* where it is, as it was shown */
    if (best != SPAR_NO_SLOT) {
        judge->counts.n[WINNERS]++;
        judge->counts.n[FIRST] += best == 0;
        judge->counts.expected += share;
        judge->counts.variance += share * (1 - share);
    }
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

static spar_status take_line(judging *run, voting_judge *judge, const char *line, size_t length, spar_error *err)
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

/* Its output can be read. */
static spar_status hear(judging *run, voting_judge *judge, spar_error *err)
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

/* Looks at the time that has passed. */
static spar_status check_time(judging *run, voting_judge *judge, spar_error *err)
{
    double now = spar__clock_wall();
    if (judge->state == ASKED && now - judge->asked > run->timeout) {
        char what[80];
        (void)snprintf(what, sizeof what, "did not answer within %.0f s", 1e-9 * run->timeout);
        fail(run, judge, what);
    } else if (judge->state == PAUSED && run->end) {
        release(judge, READY);
    } else if (judge->state == PAUSED && now >= judge->due) {
        judge->turned = false;
        return question(run, judge, err);
    }
    return SPAR_OK;
}

/* --- all judges at once --- */

enum { IN, OUT, ERR, ENDS };

static bool may_give(const judging *run)
{
    if (run->end || spar__stop_wanted())
        return false;
    if (run->screens && counts_of_all(run).n[ANSWERS] + count_busy(run) >= run->screens)
        return false;
    return can_pay(run);
}

/* Judges with screens that were left open come first: new ones of the others must not use up the number of screens. */
static spar_status give_all(judging *run, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < run->n && !status && may_give(run); i++)
            if (run->judge[i].state == READY && (turn || next_left(run, &run->judge[i]) < run->n_left))
                status = give_screen(run, &run->judge[i], err);
    return status;
}

static void wait_for_news(const judging *run, struct pollfd *end)
{
    double now = spar__clock_wall(), until = now + LOOK;
    for (size_t i = 0; i < run->n; i++) {
        const voting_judge *judge = &run->judge[i];
        const spar__child *child = &judge->child;
        bool asked = child->pid && judge->state == ASKED, waits = asked && child->sent < child->send.length;
        double due = judge->state == ASKED ? judge->asked + run->timeout : judge->state == PAUSED ? judge->due : until;
        until = due < until ? due : until;
        end[ENDS * i + IN] = (struct pollfd){.fd = waits ? child->in : -1, .events = POLLOUT};
        end[ENDS * i + OUT] = (struct pollfd){.fd = asked ? child->out : -1, .events = POLLIN};
        end[ENDS * i + ERR] = (struct pollfd){.fd = child->pid ? child->err : -1, .events = POLLIN};
    }
    int wait = until > now ? (int)(1e-6 * (until - now)) + 1 : 0;
    if (poll(end, (nfds_t)(ENDS * run->n), wait) < 0) /* by a signal: nothing is known of any */
        for (size_t i = 0; i < ENDS * run->n; i++)
            end[i].revents = 0;
}

/* What a judge has written is read before the time is looked at. */
static spar_status take_turn(judging *run, struct pollfd *end, spar_error *err)
{
    spar_status status = SPAR_OK;
    wait_for_news(run, end);
    for (size_t i = 0; i < run->n && !status; i++, end += ENDS) {
        voting_judge *judge = &run->judge[i];
        if (end[IN].revents)
            spar__child_write(&judge->child);
        if (end[ERR].revents)
            listen_to(run, judge);
        if (end[OUT].revents)
            status = hear(run, judge, err);
        if (!status)
            status = check_time(run, judge, err);
    }
    if (!status)
        status = give_all(run, err);
    show_progress(run);
    return status;
}

/* They see the end of their input; those who do not end then are ended. */
static void end_all(judging *run)
{
    bool hurry = run->end == STOPPED, ended = false;
    double until = spar__clock_wall() + (hurry ? HURRY : PATIENCE);
    for (size_t i = 0; i < run->n; i++)
        spar__child_dismiss(&run->judge[i].child, hurry ? SIGTERM : 0);
    while (!ended && spar__clock_wall() < until) {
        ended = true;
        for (size_t i = 0; i < run->n; i++)
            ended = ended && spar__child_ended(&run->judge[i].child);
        if (!ended)
            (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    for (size_t i = 0; i < run->n; i++) {
        if (run->judge[i].child.pid)
            listen_to(run, &run->judge[i]);
        spar__child_kill(&run->judge[i].child);
    }
}

/* Until there is nothing more to do; run->end says why. A judge that does not read any more must not end this program.
 */
static spar_status run_judges(judging *run, spar_error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    struct pollfd *end = spar__alloc(ENDS * run->n, sizeof *end);
    if (!end)
        return spar__fail_memory(err);
    (void)sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, &before);
    spar__stop_catch();
    run->started = run->shown = spar__clock_wall();
    if (run->until_decided && is_decided(run))
        run->end = DECIDED;
    spar_status status = give_all(run, err);
    while (!status && count_busy(run) && !spar__stop_wanted())
        status = take_turn(run, end, err);
    if (spar__stop_wanted())
        run->end = STOPPED;
    else if (!status && !run->end) /* nobody has a screen */
        run->end = run->screens && counts_of_all(run).n[ANSWERS] >= run->screens ? SCREENS
                   : count_state(run, READY)                                     ? BUDGET
                   : count_state(run, DONE)                                      ? NO_SCREENS
                                                                                 : NO_JUDGES;
    end_all(run);
    erase_line(run);
    (void)sigaction(SIGPIPE, &before, NULL);
    spar__free(end);
    return status;
}

/* --- what came of it --- */

static uint64_t count_open(const judging *run)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < (run->one_voter ? 1 : run->n); i++)
        sum += spar_experiment_open_screens(run->experiment, run->judge[i].voter, 0, NULL);
    return sum;
}

/* Are there so many more, or fewer, answers for the first place that chance does not explain it? */
static bool prefers_a_place(const judge_counts *c)
{
    return c->n[WINNERS] >= 20 && fabs((double)c->n[FIRST] - c->expected) > SURE * sqrt(c->variance);
}

/* There is one, and how many there would be by chance, at least and at most: counts that are no warning. With --swap it
 * is no warning: what changed with the places has become a tie. */
static void say_place_effect(const judging *run, const judge_counts *c, spar__buf *out)
{
    double low = fmax(ceil(c->expected - SURE * sqrt(c->variance)), 0);
    double high = fmin(floor(c->expected + SURE * sqrt(c->variance)), (double)c->n[WINNERS]);
    spar__buf_printf(out,
                     "place effect: judges %s the first place: called the best %" PRIu64 " of %" PRIu64
                     " times, and %.0f times (%.0f to %.0f) if places did not matter",
                     (double)c->n[FIRST] > c->expected ? "prefer" : "avoid", c->n[FIRST], c->n[WINNERS], c->expected,
                     low, high);
    if (!run->swap)
        spar__buf_printf(out, "; %s", spar__place_advice);
}

static void print_text(const judging *run, spar__buf *out)
{
    char sentence[SENTENCE];
    judge_counts all = counts_of_all(run);
    const uint64_t *n = all.n;
    uint64_t open = count_open(run);
    size_t start = out->length;
    double seconds = 1e-9 * (spar__clock_wall() - run->started);
    spar__buf_printf(out,
                     "%" PRIu64 " answer%s from %zu judge%s in %.*f s: %" PRIu64 " question%s, %" PRIu64 " failure%s",
                     n[ANSWERS], spar__plural(n[ANSWERS]), run->n, spar__plural(run->n), seconds < 10 ? 2 : 0, seconds,
                     n[QUESTIONS], spar__plural(n[QUESTIONS]), n[FAILURES], spar__plural(n[FAILURES]));
    if (n[SKIPPED])
        spar__buf_printf(out, ", %" PRIu64 " skipped", n[SKIPPED]);
    if (n[ELSEWHERE])
        spar__buf_printf(out, ", %" PRIu64 " answered by somebody else meanwhile", n[ELSEWHERE]);
    spar__buf_adds(out, "\n");
    if (run->swap)
        spar__buf_printf(out, "%" PRIu64 " changed with the places and count as ties\n", n[CHANGED]);
    if (prefers_a_place(&all)) {
        spar__buf_adds(out, run->swap ? "" : "warning: ");
        say_place_effect(run, &all, out);
        spar__buf_adds(out, "\n");
    }
    /* Copies of one model say the same of the same item: what is counted several times was said once. */
    if (run->n > 1 && !run->one_voter && spar_experiment_items(run->experiment))
        spar__buf_printf(out,
                         "the %zu judges are voters of their own and may see the same items; if they are copies of one "
                         "program, use --one-voter\n",
                         run->n);
    if (run->end == BUDGET)
        spar__buf_printf(out, "the budget of %" PRIu64 " question%s is used up\n", run->budget,
                         spar__plural(run->budget));
    if (run->end == NO_SCREENS)
        spar__buf_printf(out, "%s\n", run->why.text);
    if (open)
        spar__buf_printf(out, "%" PRIu64 " screen%s of these judges %s open, and asked again at the next start\n", open,
                         spar__plural(open), open == 1 ? "is" : "are");
    (void)sentence_of(run, sentence);
    spar__buf_printf(out, "%s\nWhat is known: spar status ", sentence);
    spar__shell_word(spar_experiment_place(run->experiment), out);
    spar__buf_adds(out, "\n");
    spar__fit(out, start, spar__output_width());
}

static void counts_json(const judge_counts *c, spar__json *json)
{
    static const char *const name[] = {"answers", "skipped", "changed", "elsewhere", "questions", "failures"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        spar__json_add_unsigned(json, name[i], c->n[i]);
    spar__json_key(json, "first_place");
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "chosen", c->n[FIRST]);
    spar__json_add_unsigned(json, "of", c->n[WINNERS]);
    spar__json_add_number(json, "expected", c->expected);
    spar__json_end_object(json);
}

static void print_json(const judging *run, spar__buf *out)
{
    static const char *const end[] = {"error", "screens", "decided", "budget", "no_screens", "no_judges", "stopped"};
    char sentence[SENTENCE];
    judge_counts all = counts_of_all(run);
    const char *verdict = sentence_of(run, sentence);
    spar__json json = {.out = out};
    spar__buf effect = {0};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "ended", end[run->end]);
    spar__json_add_string(&json, "verdict", verdict);
    spar__json_add_string(&json, "sentence", sentence);
    counts_json(&all, &json);
    spar__json_key(&json, "warnings");
    spar__json_begin_array(&json);
    if (prefers_a_place(&all) && !run->swap) {
        say_place_effect(run, &all, &effect);
        out->failed |= effect.failed;
        spar__verdict_json_warning("places", effect.text ? effect.text : "", &json);
    }
    spar__json_end_array(&json);
    spar__buf_free(&effect);
    spar__json_add_unsigned(&json, "open", count_open(run));
    spar__json_add_boolean(&json, "swap", run->swap);
    spar__json_add_number(&json, "seconds", 1e-9 * (spar__clock_wall() - run->started));
    spar__json_key(&json, "judges");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < run->n; i++) {
        const voting_judge *judge = &run->judge[i];
        spar__json_begin_object(&json);
        spar__json_add_string(&json, "name", judge->name);
        spar__json_add_string(&json, "voter", judge->voter);
        counts_json(&judge->counts, &json);
        spar__json_add_unsigned(&json, "restarts", judge->restarts);
        spar__json_add_boolean(&json, "given_up", judge->state == LOST);
        spar__json_end_object(&json);
    }
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

/* Those that did not come to a good end. */
static spar_status say_end(const judging *run, spar_error *err)
{
    if (run->end == STOPPED)
        return spar__fail(err, SPAR_INTERRUPTED,
                          "interrupted; what is counted is saved, and open screens are asked again at the next start");
    if (run->end == NO_JUDGES)
        return spar__fail(err, SPAR_IO, "judge: no judge is left: all failed too often (--restarts %u)", run->restarts);
    bool seen = run->why.status == SPAR_ALL_SEEN && !spar__no_item_serves(run->experiment);
    if (run->end == NO_SCREENS && !seen && !counts_of_all(run).n[ANSWERS])
        return spar__fail(err, run->why.status, "%s", run->why.text);
    return SPAR_OK;
}

/* --- the command --- */

/* With the screens that an earlier start has left open. */
static spar_status make_judges(judging *run, size_t n, spar_error *err)
{
    const char *given = spar__setting_text(run->settings, "name"), *name = given ? given : "judge";
    run->judge = spar__alloc(n, sizeof *run->judge);
    run->left = spar__alloc(n, LEFT_MOST * sizeof *run->left);
    spar_status status = run->judge && run->left ? SPAR_OK : spar__fail_memory(err);
    run->n = status ? 0 : n;
    for (size_t i = 0; i < n && !status; i++) {
        voting_judge *judge = &run->judge[i];
        spar__buf text = {0};
        spar__buf_printf(&text, "%s %zu", name, i + 1);
        judge->name = text.text;
        judge->voter = text.failed ? NULL : spar__strdup(run->one_voter ? name : text.text);
        if (!judge->voter || spar_answer_new(&judge->first))
            status = spar__fail_memory(err);
    }
    for (size_t i = 0; i < n && !status; i++)
        find_left(run, run->judge[i].voter);
    return status;
}

static void free_judges(judging *run)
{
    for (size_t i = 0; i < run->n; i++) {
        voting_judge *judge = &run->judge[i];
        spar__child_kill(&judge->child);
        spar_screen_free(judge->screen);
        spar_answer_free(judge->first);
        spar__free(judge->comment);
        spar__free(judge->name);
        spar__free(judge->voter);
    }
    spar__free(run->judge);
    spar__free(run->left);
    spar_answer_free(run->answer);
    spar_experiment_close(run->experiment);
}

static spar_status judge(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    const char *terminal = getenv("TERM");
    judging run = {.settings = settings,
                   .command = spar__setting_text(settings, "with"),
                   .screens = spar__setting_number(settings, "screens"),
                   .budget = spar__setting_number(settings, "budget"),
                   .until_decided = spar__setting_number(settings, "until-decided") != 0,
                   .swap = spar__setting_number(settings, "swap") != 0,
                   .one_voter = spar__setting_number(settings, "one-voter") != 0,
                   .timeout = 1e9 * (double)spar__setting_number(settings, "timeout"),
                   .restarts = (unsigned)spar__setting_number(settings, "restarts")};
    run.until_decided |= !run.screens;
    run.terminal = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    if (!run.command)
        return spar__fail(err, SPAR_INVALID, "judge: which program? usage: spar judge %s", settings->command->operands);
    if (run.swap && run.budget == 1)
        return spar__fail(err, SPAR_INVALID, "judge: with --swap a screen takes two questions, and --budget is 1");
    spar_status status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &run.experiment, err);
    if (!status && spar_experiment_axes(run.experiment) && !run.screens && !run.budget)
        status = spar__fail(err, SPAR_INVALID,
                            "%s is a space of settings, of which none is ever decided to be best; say --screens N",
                            settings->operand[0]);
    if (!status && spar_answer_new(&run.answer))
        status = spar__fail_memory(err);
    if (!status)
        status = make_judges(&run, spar__setting_number(settings, "jobs"), err);
    if (!status) {
        status = run_judges(&run, err);
        /* Of an error in the middle, too, where it can be printed. */
        (spar__setting_number(settings, "json") ? print_json : print_text)(&run, out);
        if (!status)
            status = say_end(&run, err);
    }
    free_judges(&run);
    return status;
}

static const spar__option options[] = {
    SPAR__TEXT_OPTION("with", "COMMAND", "the program, as the shell would start it"),
    SPAR__COUNT_OPTION("jobs", "N", "1", 1, 256, "how many judges work at the same time"),
    SPAR__COUNT_OPTION("screens", "N", NULL, 1, SPAR__EXACT, "stop after that many answers"),
    SPAR__SWITCH_OPTION("until-decided", "stop when the answers decide; the default without --screens"),
    SPAR__SWITCH_OPTION("swap", "ask every screen again with the places reversed; if the answer changes it is a tie"),
    SPAR__COUNT_OPTION("budget", "N", NULL, 1, SPAR__EXACT, "ask at most that many questions, repeated ones included"),
    SPAR__COUNT_OPTION("timeout", "S", "60", 1, 86400, "seconds that a judge may take for an answer"),
    SPAR__COUNT_OPTION("restarts", "N", "3", 0, 1000000, "how often each judge is started again after it failed"),
    SPAR__TEXT_OPTION("name", "NAME", "the voters are called 'NAME 1', 'NAME 2', ... (default: judge)"),
    SPAR__SWITCH_OPTION("one-voter", "all are the voter NAME: with items, each item is then judged once"),
    SPAR__SWITCH_OPTION("json", "print one line of JSON"),
    {.name = NULL},
};

const spar__command spar__command_judge = {
    .name = "judge",
    .brief = "Let programs answer the screens: a language model, a script, a metric",
    .operands = "FILE --with COMMAND [OPTIONS]",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "COMMAND reads a screen a line, as 'spar ask --json' prints it, and writes an answer a line:\n"
        "  {\"screen\":1,\"winner\":\"A\"}   or  \"ranking\":\"B,A=C\"   \"tie\":true   \"bad\":true   "
        "\"skip\":\"why\"\n"
        "in terms of places. A judge that ends, takes too long or writes anything else is started again, and\n"
        "its screen is asked again; a failure is never an answer. Ctrl-C loses nothing: screens that are open are\n"
        "asked again at the next start with the same --name (doc/evaluating-models.md).",
    .example = "spar judge tea.db --with 'python3 examples/judge.py' --jobs 4 --swap --screens 200",
    .run = judge,
};
