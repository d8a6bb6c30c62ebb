#include "cli/judge/judge.h"

#include "base/clock.h"
#include "base/buf.h"
#include "cli/wrap.h"
#include "report/status_report.h"
#include "report/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

void spar__judging_erase(spar__judging *run)
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
    spar__judging_erase(run);
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
    spar__judge_counts all = spar__judging_counts(run);
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

void spar__judging_show(spar__judging *run)
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

void spar__judging_text(const spar__judging *run, spar__buf *out)
{
    char sentence[SENTENCE];
    spar__judge_counts all = spar__judging_counts(run);
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

void spar__judging_json(const spar__judging *run, spar__json *json)
{
    static const char *const end[] = {"error", "screens", "decided", "budget", "no_screens", "no_judges", "stopped"};
    char sentence[SENTENCE];
    spar__judge_counts all = spar__judging_counts(run);
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
