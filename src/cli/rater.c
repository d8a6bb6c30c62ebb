#include "cli/rater.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/utf8.h"
#include "live/screen_json.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { IN, OUT, ERR, PIPES };

static void close_end(int *end)
{
    if (*end >= 0)
        (void)close(*end);
    *end = -1;
}

/* A pipe whose ends no other program inherits, above the standard ones, which may be closed; `ours` does not block. */
static bool open_pipe(int ends[2], int ours)
{
    int low[2];
    if (pipe(low))
        return false;
    for (int i = 0; i < 2; i++)
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, ERR + 1);
    int error = errno;
    for (int i = 0; i < 2; i++)
        close_end(&low[i]);
    errno = error;
    return ends[0] >= 0 && ends[1] >= 0 && fcntl(ends[ours], F_SETFL, O_NONBLOCK) == 0;
}

/* A group of its own, so that it can be ended with all that it started and Ctrl-C is ours alone; and the signals that
 * this program treats in its own way as they are by default. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    static const int usual[] = {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ};
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        (void)sigaddset(&set, usual[i]);
    int error = posix_spawnattr_setsigdefault(attributes, &set);
    if (!error)
        error = posix_spawnattr_setpgroup(attributes, 0);
    return error ? error : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
}

static int spawn_with(const char *command, int pipes[PIPES][2], posix_spawn_file_actions_t *actions,
                      posix_spawnattr_t *attributes, pid_t *pid)
{
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)(uintptr_t)command, NULL};
    int error = set_attributes(attributes);
    for (int i = 0; i < PIPES && !error; i++)
        error = posix_spawn_file_actions_adddup2(actions, pipes[i][i != IN], i);
    return error ? error : posix_spawn(pid, "/bin/sh", actions, attributes, argv, environ);
}

static int spawn(const char *command, int pipes[PIPES][2], pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = spawn_with(command, pipes, &actions, &attributes, pid);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Starts `sh -c command`. SPAR_IO if that cannot be done. */
static spar_status child_start(spar__child *child, const char *command, spar_error *err)
{
    int pipes[PIPES][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    pid_t pid = 0;
    bool open = true;
    for (int i = 0; i < PIPES && open; i++)
        open = open_pipe(pipes[i], i == IN);
    int error = open ? spawn(command, pipes, &pid) : errno;
    for (int i = 0; i < PIPES; i++)
        close_end(&pipes[i][i != IN]);
    if (!error) {
        child->pid = pid;
        child->in = pipes[IN][1];
        child->out = pipes[OUT][0];
        child->err = pipes[ERR][0];
        return SPAR_OK;
    }
    for (int i = 0; i < PIPES; i++)
        close_end(&pipes[i][i == IN]);
    errno = error;
    return spar__fail_file(err, "/bin/sh", "start");
}

static void child_ask(spar__child *child, const spar__buf *line)
{
    spar__buf_clear(&child->send);
    child->sent = 0;
    spar__buf_add(&child->send, line->text, line->length);
    spar__child_write(child);
}

void spar__child_write(spar__child *child)
{
    while (child->in >= 0 && child->sent < child->send.length) {
        ssize_t n = write(child->in, child->send.text + child->sent, child->send.length - child->sent);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n < 0)
            close_end(&child->in);
        else
            child->sent += (size_t)n;
    }
}

/* How many bytes, 0 if there are none now; -1 at the end. */
static ssize_t read_some(int end, char *bytes, size_t room)
{
    ssize_t n;
    do
        n = read(end, bytes, room);
    while (n < 0 && errno == EINTR);
    return n > 0 ? n : n < 0 && errno == EAGAIN ? 0 : -1;
}

/* Reads what there is. Once more than SPAR__CHILD_LINE bytes wait nothing is added. False at the end of its output. */
static bool child_read(spar__child *child)
{
    char bytes[1 << 12];
    ssize_t n = 0;
    while (child->got.length <= SPAR__CHILD_LINE && (n = read_some(child->out, bytes, sizeof bytes)) > 0)
        spar__buf_add(&child->got, bytes, (size_t)n);
    return n >= 0;
}

static const char *child_line(const spar__child *child, size_t *length)
{
    const char *text = child->got.length ? child->got.text : "";
    const char *stop = memchr(text, '\n', child->got.length);
    *length = stop ? (size_t)(stop - text) : 0;
    return stop ? text : NULL;
}

/* A whole line of `got`, without its end, or NULL. drop removes it. */
static void child_drop(spar__child *child, size_t length)
{
    child->got.length -= length;
    memmove(child->got.text, child->got.text + length, child->got.length);
}

static void hear_lines(spar__child *child, const char *bytes, size_t n, spar__child_hear *hear, void *context)
{
    while (n) {
        const char *stop = memchr(bytes, '\n', n);
        size_t length = stop ? (size_t)(stop - bytes) : n;
        size_t room = SPAR__CHILD_SAID - child->said.length;
        spar__buf_add(&child->said, bytes, length < room ? length : room);
        if (stop && child->said.length)
            hear(context, child->said.text, child->said.length);
        if (stop)
            spar__buf_clear(&child->said);
        bytes += length + (stop != NULL);
        n -= length + (stop != NULL);
    }
}

static void child_listen(spar__child *child, spar__child_hear *hear, void *context)
{
    enum { READS = 16 }; /* at a time: who writes without end does not keep the others waiting */
    char bytes[1 << 12];
    ssize_t n = 1;
    for (int i = 0; i < READS && child->err >= 0 && n > 0; i++) {
        n = read_some(child->err, bytes, sizeof bytes);
        if (n > 0)
            hear_lines(child, bytes, (size_t)n, hear, context);
    }
    if (n >= 0)
        return;
    hear_lines(child, "\n", 1, hear, context);
    close_end(&child->err);
}

/* Leaves it to be waited for, so that its number stays its own. */
static bool look(const spar__child *child, siginfo_t *info)
{
    *info = (siginfo_t){0};
    return waitid(P_PID, (id_t)child->pid, info, WEXITED | WNOHANG | WNOWAIT) == 0 && info->si_pid == child->pid;
}

bool spar__child_ended(const spar__child *child)
{
    siginfo_t info;
    return !child->pid || look(child, &info);
}

static void child_describe(const spar__child *child, char words[SPAR__CHILD_WORDS])
{
    siginfo_t info;
    bool ended = look(child, &info);
    for (int i = 0; i < 60 && !ended; i++) { /* its output ends a moment before it does */
        (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        ended = look(child, &info);
    }
    if (!ended)
        (void)snprintf(words, SPAR__CHILD_WORDS, "closed its output");
    else if (info.si_code == CLD_EXITED)
        (void)snprintf(words, SPAR__CHILD_WORDS, "ended with status %d", info.si_status);
    else
        (void)snprintf(words, SPAR__CHILD_WORDS, "was ended by signal %d", info.si_status);
}

void spar__child_dismiss(spar__child *child)
{
    if (child->pid)
        close_end(&child->in);
}

void spar__child_signal(const spar__child *child, int number)
{
    if (child->pid)
        (void)kill(-child->pid, number);
}

void spar__child_kill(spar__child *child)
{
    if (child->pid) {
        (void)kill(-child->pid, SIGKILL);
        while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        close_end(&child->in);
        close_end(&child->out);
        close_end(&child->err);
    }
    spar__buf_free(&child->send);
    spar__buf_free(&child->got);
    spar__buf_free(&child->said);
    *child = (spar__child){0};
}

/* What a judge wrote, which may be anything. */

/* The members of an object become an answer in words. */
static spar_status read_told(const spar__json_tree *tree, uint64_t screen, spar__told *told, spar_error *err)
{
    if (spar__json_root(tree)->kind != SPAR__JSON_OBJECT)
        return spar__fail(err, SPAR_PARSE, "expected an object, {...}");
    spar_status status = spar__told_read(tree, told, err);
    if (!status && !told->screen)
        status = spar__fail(err, SPAR_PARSE, "there is no 'screen'");
    if (!status && told->screen != screen)
        status = spar__fail(err, SPAR_PARSE, "it is about screen %" PRIu64 ", and screen %" PRIu64 " was asked",
                            told->screen, screen);
    if (!status && spar__told_check(told, NULL))
        status = spar__fail(err, SPAR_PARSE, "expected one of winner, ranking, pairs, tie, bad and skip");
    return status;
}

/* An id or a title of the screen was written, or a place that it does not have. */
static spar_status refuse_names(size_t m, spar_error *err)
{
    char last[SPAR__PLACE_SIZE];
    spar__place_name(m - 1, last);
    return spar__fail(err, SPAR_UNKNOWN, "expected places, A to %s, not ids or titles", last);
}

/* Where it stops being JSON, without the name of a file, and what was expected. */
static spar_status refuse_text(const char *who, uint64_t screen, spar_error *err)
{
    spar_error why = err ? *err : (spar_error){0};
    size_t head = strlen(who) + strlen(":1: ");
    const char *text = strncmp(why.text, who, strlen(who)) == 0 && strlen(why.text) > head ? why.text + head : why.text;
    return spar__fail(err, SPAR_PARSE, "%s; an answer is a line such as {\"screen\":%" PRIu64 ",\"winner\":\"A\"}",
                      text, screen);
}

static spar_status keep_comment(const spar__told *told, char **comment, spar_error *err)
{
    *comment = told->comment && *told->comment ? spar__strdup(told->comment) : NULL;
    return told->comment && *told->comment && !*comment ? spar__fail_memory(err) : SPAR_OK;
}

spar_status spar__judge_read(const char *line, size_t length, const char *who, uint64_t screen, size_t m,
                             spar_answer *answer, char **comment, spar_error *err)
{
    spar__json_tree tree = {0};
    spar__told told = {.places = true};
    *comment = NULL;
    spar_status status = spar__json_tree_parse(&tree, line, length, who, 1, err);
    if (status == SPAR_PARSE)
        status = refuse_text(who, screen, err);
    if (!status)
        status = read_told(&tree, screen, &told, err);
    if (!status)
        status = spar__answer_to_places(&told, m, answer, err);
    if (status == SPAR_UNKNOWN)
        status = refuse_names(m, err);
    if (!status)
        status = keep_comment(&told, comment, err);
    spar__json_tree_free(&tree);
    return status;
}

size_t spar__judge_best(const spar_answer *answer)
{
    bool shared = spar_answer_count(answer) > 1 && spar_answer_level(answer, 1) == 0;
    if (spar_answer_kind_of(answer) == SPAR_ANSWER_RANKING)
        return shared ? SPAR_NO_SLOT : spar_answer_slot(answer, 0);
    return spar_answer_winner(answer);
}

/* Every screen asked twice, the second time with the places reversed: what a judge prefers for its place alone comes
 * out as a tie. */

static spar_status turn_ranking(spar_answer *answer, size_t m, spar_error *err)
{
    size_t n = spar_answer_count(answer), *slot = spar__alloc(n, 2 * sizeof *slot);
    if (!slot)
        return spar__fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        slot[i] = m - 1 - spar_answer_slot(answer, i);
        slot[n + i] = spar_answer_level(answer, i);
    }
    spar_status status = spar_answer_set_ranking(answer, n, slot, slot + n, err);
    spar__free(slot);
    return status;
}

static spar_status turn_pairs(spar_answer *answer, size_t m, spar_error *err)
{
    spar_answer *turned = NULL;
    spar_status status = spar_answer_new(&turned) ? spar__fail_memory(err) : SPAR_OK;
    for (size_t i = 0; i < spar_answer_count(answer) && !status; i++) {
        size_t j = 0, k = 0;
        spar_outcome outcome = SPAR_TIE;
        (void)spar_answer_pair(answer, i, &j, &k, &outcome);
        status = spar_answer_add_pair(turned, m - 1 - j, m - 1 - k, outcome, err);
    }
    if (!status && spar_answer_copy(turned, answer))
        status = spar__fail_memory(err);
    spar_answer_free(turned);
    return status;
}

spar_status spar__swap_turn(spar_answer *answer, size_t m, spar_error *err)
{
    switch (spar_answer_kind_of(answer)) {
    case SPAR_ANSWER_WINNER:
        spar_answer_set_winner(answer, m - 1 - spar_answer_winner(answer));
        return SPAR_OK;
    case SPAR_ANSWER_RANKING:
        return turn_ranking(answer, m, err);
    case SPAR_ANSWER_PAIRS:
        return turn_pairs(answer, m, err);
    default: /* says nothing about places */
        return SPAR_OK;
    }
}

void spar__swap_join(const spar_answer *first, spar_answer *second, bool *changed)
{
    bool skipped = spar_answer_kind_of(first) == SPAR_ANSWER_SKIP || spar_answer_kind_of(second) == SPAR_ANSWER_SKIP;
    *changed = !skipped && !spar_answer_equal(first, second);
    if (skipped)
        spar_answer_set_skip(second);
    else if (*changed)
        spar_answer_set_tie(second);
}

/* One judge: it is given a screen, asked once or twice, and its answer goes into the log; or it fails. */

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
    child_listen(&judge->child, hear_line, &to);
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
    child_describe(&judge->child, what);
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
    bool more = child_read(child), blank = is_blank(child->got.text, child->got.length);
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
    spar_status status = judge->child.pid ? SPAR_OK : child_start(&judge->child, run->command, err);
    if (!status)
        status = spar__judging_question(run, judge, &line, err);
    if (!status) {
        spar__buf_clear(&judge->child.got);
        judge->counts.questions++;
        judge->heard = 0;
        judge->state = SPAR__JUDGE_ASKED;
        judge->asked = spar__clock_wall();
        child_ask(&judge->child, &line);
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
    child_drop(child, child->got.length);
    return take_answer(run, judge, comment, err);
}

spar_status spar__judge_hear(spar__judging *run, spar__judge *judge, spar_error *err)
{
    spar__child *child = &judge->child;
    bool more = child_read(child);
    size_t length;
    const char *line = child_line(child, &length);
    if (child->got.failed)
        return spar__fail_memory(err);
    while (line && is_blank(line, length)) {
        child_drop(child, length + 1);
        line = child_line(child, &length);
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
