#include "base/alloc.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/utf8.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "cli/rater.h"
#include "cli/terminal.h"
#include "report/space.h"
#include "report/standings.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static spar__judge_counts judging_counts(const spar__judging *run)
{
    spar__judge_counts sum = {0};
    for (size_t i = 0; i < run->n; i++) {
        const spar__judge_counts *c = &run->judge[i].counts;
        sum.answers += c->answers;
        sum.skipped += c->skipped;
        sum.changed += c->changed;
        sum.elsewhere += c->elsewhere;
        sum.questions += c->questions;
        sum.failures += c->failures;
        sum.winners += c->winners;
        sum.first += c->first;
        sum.expected += c->expected;
        sum.variance += c->variance;
    }
    return sum;
}

/* What the judges that have a screen will still be asked. */
static uint64_t owed(const spar__judging *run)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < run->n; i++) {
        const spar__judge *judge = &run->judge[i];
        if (judge->state == SPAR__JUDGE_PAUSED)
            sum += run->swap ? 2 : 1;
        else if (judge->state == SPAR__JUDGE_ASKED)
            sum += run->swap && !judge->turned;
    }
    return sum;
}

bool spar__judging_can_pay(const spar__judging *run)
{
    uint64_t cost = run->swap ? 2 : 1;
    return !run->budget || judging_counts(run).questions + owed(run) + cost <= run->budget;
}

bool spar__judging_decided(const spar__judging *run)
{
    switch (spar_decision_verdict(spar_experiment_decision(run->experiment))) {
    case SPAR_VERDICT_BEST:
    case SPAR_VERDICT_EQUAL:
    case SPAR_VERDICT_NO_SCALE: /* more answers will not change that */
        return true;
    default:
        return false;
    }
}

/* Asking and telling, for hours: another program may have the file, and its server may be started or stopped. */

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

static void judging_find_left(spar__judging *run, const char *voter)
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
        judging_find_left(run, judge->voter);
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

static const double SURE = 4;                 /* standard deviations that chance does not explain */
static const double QUICK = 2e8, SLOW = 1e10; /* nanoseconds between two lines, on a terminal and elsewhere */

enum { SENTENCE = 1000, NOTE = 4096 };

/* In a space it follows from the belief about the settings; the verdict is that of 'spar status'. */
static const char *look_at_space(const spar__judging *run, char plain[SENTENCE])
{
    spar__space_report space = {0};
    spar_error err = {0};
    spar_status status = spar__space_look(run->experiment, false, &space, &err);
    const char *verdict = status ? NULL : spar__space_verdict(&space);
    (void)snprintf(plain, SENTENCE, "%s", status ? err.text : space.sentence);
    spar__space_free(&space);
    return verdict;
}

/* What is known so far, safe to print, and its verdict in a word. */
static const char *sentence_of(const spar__judging *run, char text[SENTENCE])
{
    char plain[SENTENCE] = "";
    const char *verdict;
    if (spar_experiment_axes(run->experiment)) {
        verdict = look_at_space(run, plain);
    } else {
        (void)spar_experiment_sentence(run->experiment, plain, sizeof plain);
        verdict = spar_verdict_name(spar_decision_verdict(spar_experiment_decision(run->experiment)));
    }
    (void)spar__printable(text, SENTENCE, plain, strlen(plain));
    return verdict;
}

static void judging_erase(spar__judging *run)
{
    if (run->has_line)
        (void)fputs("\r\033[K", stderr);
    run->has_line = false;
}

void spar__judging_note(spar__judging *run, const char *format, ...)
{
    char plain[NOTE], text[NOTE];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(plain, sizeof plain, format, args);
    va_end(args);
    (void)spar__printable(text, sizeof text, plain, strlen(plain));
    judging_erase(run);
    (void)fprintf(stderr, "spar: note: %s\n", text);
}

static size_t terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 10 ? size.ws_col : 80;
}

/* As much as fits into a line of a terminal. */
static void print_cut(const char *text, size_t width)
{
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

static void progress_text(const spar__judging *run, double now, spar__buf *out)
{
    char sentence[SENTENCE];
    spar__judge_counts all = judging_counts(run);
    spar__buf_printf(out, "%" PRIu64, all.answers);
    if (run->screens)
        spar__buf_printf(out, " of %" PRIu64, run->screens);
    spar__buf_printf(out, " answers, %.3g/s", 1e9 * (double)all.answers / (now - run->started));
    if (all.failures)
        spar__buf_printf(out, ", %" PRIu64 " failures", all.failures);
    if (spar_experiment_axes(run->experiment)) /* it would take too long to look at a space so often */
        return;
    (void)sentence_of(run, sentence);
    spar__buf_printf(out, "; %s", sentence);
}

static void judging_show(spar__judging *run)
{
    double now = spar__clock_wall();
    spar__buf text = {0};
    if (now - run->shown < (run->terminal ? QUICK : SLOW))
        return;
    run->shown = now;
    progress_text(run, now, &text);
    if (!text.failed && run->terminal)
        print_cut(text.text, terminal_width());
    else if (!text.failed)
        (void)fprintf(stderr, "spar: %s\n", text.text);
    run->has_line = run->terminal;
    spar__buf_free(&text);
}

static uint64_t count_open(const spar__judging *run)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < (run->one_voter ? 1 : run->n); i++)
        sum += spar_experiment_open_screens(run->experiment, run->judge[i].voter, 0, NULL);
    return sum;
}

/* Are there so many more, or fewer, answers for the first place that chance does not explain it? */
static bool prefers_a_place(const spar__judge_counts *c)
{
    return c->winners >= 20 && fabs((double)c->first - c->expected) > SURE * sqrt(c->variance);
}

/* How many there would be by chance, at least and at most: counts that are no warning. */
static void add_by_chance(const spar__judge_counts *c, spar__buf *out)
{
    double low = fmax(ceil(c->expected - SURE * sqrt(c->variance)), 0);
    double high = fmin(floor(c->expected + SURE * sqrt(c->variance)), (double)c->winners);
    spar__buf_printf(out, "%.0f times (%.0f to %.0f)", c->expected, low, high);
}

/* There is one. With --swap it is no warning: what changed with the places has become a tie. */
static void say_place_effect(const spar__judging *run, const spar__judge_counts *c, spar__buf *out)
{
    spar__buf_printf(out,
                     "place effect: judges %s the first place: called the best %" PRIu64 " of %" PRIu64 " times, and ",
                     (double)c->first > c->expected ? "prefer" : "avoid", c->first, c->winners);
    add_by_chance(c, out);
    spar__buf_adds(out, " if places did not matter");
    if (!run->swap)
        spar__buf_printf(out, "; %s", spar__place_advice);
}

static void add_counts(const spar__judging *run, const spar__judge_counts *c, spar__buf *out)
{
    double seconds = 1e-9 * (spar__clock_wall() - run->started);
    spar__buf_printf(out,
                     "%" PRIu64 " answer%s from %zu judge%s in %.*f s: %" PRIu64 " question%s, %" PRIu64 " failure%s",
                     c->answers, spar__plural(c->answers), run->n, spar__plural(run->n), seconds < 10 ? 2 : 0, seconds,
                     c->questions, spar__plural(c->questions), c->failures, spar__plural(c->failures));
    if (c->skipped)
        spar__buf_printf(out, ", %" PRIu64 " skipped", c->skipped);
    if (c->elsewhere)
        spar__buf_printf(out, ", %" PRIu64 " answered by somebody else meanwhile", c->elsewhere);
    spar__buf_adds(out, "\n");
    if (run->swap)
        spar__buf_printf(out, "%" PRIu64 " changed with the places and count as ties\n", c->changed);
    if (prefers_a_place(c)) {
        spar__buf_adds(out, run->swap ? "" : "warning: ");
        say_place_effect(run, c, out);
        spar__buf_adds(out, "\n");
    }
}

/* Copies of one model say the same of the same item: what is counted several times was said once. */
static void add_repeats(const spar__judging *run, spar__buf *out)
{
    if (run->n > 1 && !run->one_voter && spar_experiment_items(run->experiment))
        spar__buf_printf(out,
                         "the %zu judges are voters of their own and may see the same items; if they are copies of one "
                         "program, use --one-voter\n",
                         run->n);
}

static void add_end(const spar__judging *run, spar__buf *out)
{
    if (run->end == SPAR__JUDGE_BUDGET)
        spar__buf_printf(out, "the budget of %" PRIu64 " question%s is used up\n", run->budget,
                         spar__plural(run->budget));
    if (run->end == SPAR__JUDGE_NO_SCREENS)
        spar__buf_printf(out, "%s\n", run->why.text);
}

static void judging_text(const spar__judging *run, spar__buf *out)
{
    char sentence[SENTENCE];
    spar__judge_counts all = judging_counts(run);
    uint64_t open = count_open(run);
    size_t start = out->length;
    add_counts(run, &all, out);
    add_repeats(run, out);
    add_end(run, out);
    if (open)
        spar__buf_printf(out, "%" PRIu64 " screen%s of these judges %s open, and asked again at the next start\n", open,
                         spar__plural(open), open == 1 ? "is" : "are");
    (void)sentence_of(run, sentence);
    spar__buf_printf(out, "%s\nWhat is known: spar status ", sentence);
    spar__shell_word(spar_experiment_place(run->experiment), out);
    spar__buf_adds(out, "\n");
    spar__fit(out, start, spar__output_width());
}

static void add_counts_json(const spar__judge_counts *c, spar__json *json)
{
    spar__json_add_unsigned(json, "answers", c->answers);
    spar__json_add_unsigned(json, "skipped", c->skipped);
    spar__json_add_unsigned(json, "changed", c->changed);
    spar__json_add_unsigned(json, "elsewhere", c->elsewhere);
    spar__json_add_unsigned(json, "questions", c->questions);
    spar__json_add_unsigned(json, "failures", c->failures);
    spar__json_key(json, "first_place");
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "chosen", c->first);
    spar__json_add_unsigned(json, "of", c->winners);
    spar__json_add_number(json, "expected", c->expected);
    spar__json_end_object(json);
}

static void add_judge_json(const spar__judge *judge, spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", judge->name);
    spar__json_add_string(json, "voter", judge->voter);
    add_counts_json(&judge->counts, json);
    spar__json_add_unsigned(json, "restarts", judge->restarts);
    spar__json_add_boolean(json, "given_up", judge->state == SPAR__JUDGE_LOST);
    spar__json_end_object(json);
}

static void add_warnings_json(const spar__judging *run, const spar__judge_counts *c, spar__json *json)
{
    spar__buf text = {0};
    spar__json_key(json, "warnings");
    spar__json_begin_array(json);
    if (prefers_a_place(c) && !run->swap) {
        say_place_effect(run, c, &text);
        json->out->failed |= text.failed;
        spar__verdict_json_warning("places", text.text ? text.text : "", json);
    }
    spar__json_end_array(json);
    spar__buf_free(&text);
}

static void judging_json(const spar__judging *run, spar__json *json)
{
    static const char *const end[] = {"error", "screens", "decided", "budget", "no_screens", "no_judges", "stopped"};
    char sentence[SENTENCE];
    spar__judge_counts all = judging_counts(run);
    const char *verdict = sentence_of(run, sentence);
    spar__json_add_string(json, "ended", end[run->end]);
    spar__json_add_string(json, "verdict", verdict);
    spar__json_add_string(json, "sentence", sentence);
    add_counts_json(&all, json);
    add_warnings_json(run, &all, json);
    spar__json_add_unsigned(json, "open", count_open(run));
    spar__json_add_boolean(json, "swap", run->swap);
    spar__json_add_number(json, "seconds", 1e-9 * (spar__clock_wall() - run->started));
    spar__json_key(json, "judges");
    spar__json_begin_array(json);
    for (size_t i = 0; i < run->n; i++)
        add_judge_json(&run->judge[i], json);
    spar__json_end_array(json);
}

/* All judges at once, in one thread: whoever has something to say is heard, whoever is ready gets the next screen. */

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
    if (run->screens && judging_counts(run).answers + count_busy(run) >= run->screens)
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
    judging_show(run);
    return status;
}

/* Nobody has a screen. */
static spar__judge_end why_ended(const spar__judging *run)
{
    if (run->end)
        return run->end;
    if (run->screens && judging_counts(run).answers >= run->screens)
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

/* loop.c: until there is nothing more to do; run->end says why. */
static spar_status judging_loop(spar__judging *run, spar_error *err)
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
    judging_erase(run);
    spar__free(end);
    return status;
}

/* Spar judge: any program as a voter. */

static spar_status read_settings(const spar__settings *settings, spar__judging *run, spar_error *err)
{
    const char *terminal = getenv("TERM");
    *run = (spar__judging){.settings = settings,
                           .command = spar__setting_text(settings, "with"),
                           .screens = spar__setting_number(settings, "screens"),
                           .budget = spar__setting_number(settings, "budget"),
                           .until_decided = spar__setting_number(settings, "until-decided") != 0,
                           .swap = spar__setting_number(settings, "swap") != 0,
                           .one_voter = spar__setting_number(settings, "one-voter") != 0,
                           .timeout = 1e9 * (double)spar__setting_number(settings, "timeout"),
                           .restarts = (unsigned)spar__setting_number(settings, "restarts")};
    run->until_decided |= !run->screens;
    run->terminal = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    if (!run->command)
        return spar__fail(err, SPAR_INVALID, "judge: which program? usage: spar judge %s", settings->command->operands);
    if (run->swap && run->budget == 1)
        return spar__fail(err, SPAR_INVALID, "judge: with --swap a screen takes two questions, and --budget is 1");
    return SPAR_OK;
}

/* In a space nothing is ever decided. */
static spar_status check_end(const spar__judging *run, spar_error *err)
{
    if (!spar_experiment_axes(run->experiment) || run->screens || run->budget)
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID,
                      "%s is a space of settings, of which none is ever decided to be best; say --screens N",
                      run->settings->operand[0]);
}

static spar_status name_judge(spar__judging *run, size_t i, spar_error *err)
{
    const char *given = spar__setting_text(run->settings, "name");
    spar__judge *judge = &run->judge[i];
    spar__buf text = {0};
    spar__buf_printf(&text, "%s %zu", given ? given : "judge", i + 1);
    judge->name = text.text;
    if (text.failed)
        return spar__fail_memory(err);
    judge->voter = spar__strdup(!run->one_voter ? text.text : given ? given : "judge");
    return !judge->voter || spar_answer_new(&judge->first) ? spar__fail_memory(err) : SPAR_OK;
}

/* And the screens that an earlier start has left open. */
static spar_status make_judges(spar__judging *run, size_t n, spar_error *err)
{
    run->judge = spar__alloc(n, sizeof *run->judge);
    run->left = spar__alloc(n, SPAR__JUDGE_LEFT * sizeof *run->left);
    spar_status status = run->judge && run->left ? SPAR_OK : spar__fail_memory(err);
    run->n = status ? 0 : n;
    for (size_t i = 0; i < n && !status; i++)
        status = name_judge(run, i, err);
    for (size_t i = 0; i < n && !status; i++)
        judging_find_left(run, run->judge[i].voter);
    return status;
}

static void free_judges(spar__judging *run)
{
    for (size_t i = 0; i < run->n; i++) {
        spar__judge *judge = &run->judge[i];
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

static void print(const spar__judging *run, spar__buf *out)
{
    spar__json json = {.out = out};
    if (!spar__setting_number(run->settings, "json")) {
        judging_text(run, out);
        return;
    }
    spar__json_begin_object(&json);
    judging_json(run, &json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

/* A judge that does not read any more must not end this program. */
static spar_status run_judges(spar__judging *run, spar_error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    (void)sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, &before);
    spar__stop_catch();
    run->started = run->shown = spar__clock_wall();
    spar_status status = judging_loop(run, err);
    (void)sigaction(SIGPIPE, &before, NULL);
    return status;
}

/* Those that did not come to a good end. */
static spar_status say_end(const spar__judging *run, spar_error *err)
{
    if (run->end == SPAR__JUDGE_STOPPED)
        return spar__fail(err, SPAR_INTERRUPTED,
                          "interrupted; what is counted is saved, and open screens are asked again at the next start");
    if (run->end == SPAR__JUDGE_NO_JUDGES)
        return spar__fail(err, SPAR_IO, "judge: no judge is left: all failed too often (--restarts %u)", run->restarts);
    bool seen = run->why.status == SPAR_ALL_SEEN && !spar__no_item_serves(run->experiment);
    if (run->end == SPAR__JUDGE_NO_SCREENS && !seen && !judging_counts(run).answers)
        return spar__fail(err, run->why.status, "%s", run->why.text);
    return SPAR_OK;
}

static spar_status judge(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar__judging run;
    spar_status status = spar__need_operands(settings, 1, err);
    if (!status)
        status = read_settings(settings, &run, err);
    if (status)
        return status;
    status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &run.experiment, err);
    if (!status)
        status = check_end(&run, err);
    if (!status && spar_answer_new(&run.answer))
        status = spar__fail_memory(err);
    if (!status)
        status = make_judges(&run, spar__setting_number(settings, "jobs"), err);
    if (!status) {
        status = run_judges(&run, err);
        print(&run, out); /* of an error in the middle, too, where it can be printed */
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
