/* rater.c - a program that is asked and answers in lines: its process, and what it wrote. See rater.h. */
#include "cli/rater.h"

#include "base/alloc.h"
#include "base/file.h"
#include "live/answer_request.h"
#include "live/screen.h"

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
 * this program treats in its own way as they are by default. Gives an errno. */
static int spawn(const char *command, int pipes[PIPES][2], pid_t *pid)
{
    static const int usual[] = {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ};
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)(uintptr_t)command, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t set;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        (void)sigemptyset(&set);
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
            (void)sigaddset(&set, usual[i]);
        error = posix_spawnattr_setsigdefault(&attributes, &set);
        if (!error)
            error = posix_spawnattr_setpgroup(&attributes, 0);
        if (!error)
            error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        for (int i = 0; i < PIPES && !error; i++)
            error = posix_spawn_file_actions_adddup2(&actions, pipes[i][i != IN], i);
        if (!error)
            error = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

spar_status spar__child_start(spar__child *child, const char *command, spar_error *err)
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

void spar__child_ask(spar__child *child, const spar__buf *line)
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

bool spar__child_read(spar__child *child)
{
    char bytes[1 << 12];
    ssize_t n = 0;
    while (child->got.length <= SPAR__CHILD_LINE && (n = read_some(child->out, bytes, sizeof bytes)) > 0)
        spar__buf_add(&child->got, bytes, (size_t)n);
    return n >= 0;
}

const char *spar__child_line(const spar__child *child, size_t *length)
{
    const char *text = child->got.length ? child->got.text : "";
    const char *stop = memchr(text, '\n', child->got.length);
    *length = stop ? (size_t)(stop - text) : 0;
    return stop ? text : NULL;
}

void spar__child_drop(spar__child *child, size_t length)
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

void spar__child_listen(spar__child *child, spar__child_hear *hear, void *context)
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

void spar__child_describe(const spar__child *child, char words[SPAR__CHILD_WORDS])
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

void spar__child_dismiss(spar__child *child, int signal)
{
    if (!child->pid)
        return;
    close_end(&child->in);
    if (signal)
        (void)kill(-child->pid, signal);
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

/* --- what a judge wrote, which may be anything --- */

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

spar_status spar__judge_read(const char *line, size_t length, const char *who, uint64_t screen, size_t m,
                             spar_answer *answer, char **comment, spar_error *err)
{
    spar__json_tree tree = {0};
    spar__told told = {.places = true};
    spar_error why = {0};
    *comment = NULL;
    spar_status status = spar__json_tree_parse(&tree, line, length, who, 1, &why);
    if (status == SPAR_PARSE) { /* where it stops being JSON, without the name of a file, and what was expected */
        size_t head = strlen(who) + strlen(":1: ");
        bool placed = strncmp(why.text, who, strlen(who)) == 0 && strlen(why.text) > head;
        status =
            spar__fail(err, SPAR_PARSE, "%s; an answer is a line such as {\"screen\":%" PRIu64 ",\"winner\":\"A\"}",
                       placed ? why.text + head : why.text, screen);
    } else if (status) {
        status = spar__fail(err, status, "%s", why.text);
    }
    if (!status)
        status = read_told(&tree, screen, &told, err);
    if (!status)
        status = spar__answer_to_places(&told, m, answer, err);
    if (status == SPAR_UNKNOWN) { /* an id or a title of the screen, or a place that it does not have */
        char last[SPAR__PLACE_SIZE];
        spar__place_name(m - 1, last);
        status = spar__fail(err, SPAR_UNKNOWN, "expected places, A to %s, not ids or titles", last);
    }
    if (!status && told.comment && *told.comment && !(*comment = spar__strdup(told.comment)))
        status = spar__fail_memory(err);
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

/* --- every screen asked twice, the second time with the places reversed: what a judge prefers for its place alone
 * comes out as a tie --- */

spar_status spar__swap_turn(spar_answer *answer, size_t m, spar_error *err)
{
    spar_answer_kind kind = spar_answer_kind_of(answer);
    size_t n = spar_answer_count(answer), *slot = NULL;
    spar_answer *turned = NULL;
    spar_status status = SPAR_OK;
    if (kind == SPAR_ANSWER_WINNER) {
        spar_answer_set_winner(answer, m - 1 - spar_answer_winner(answer));
    } else if (kind == SPAR_ANSWER_RANKING) {
        status = (slot = spar__alloc(n, 2 * sizeof *slot)) ? SPAR_OK : spar__fail_memory(err);
        for (size_t i = 0; i < n && !status; i++) {
            slot[i] = m - 1 - spar_answer_slot(answer, i);
            slot[n + i] = spar_answer_level(answer, i);
        }
        if (!status)
            status = spar_answer_set_ranking(answer, n, slot, slot + n, err);
    } else if (kind == SPAR_ANSWER_PAIRS) {
        status = spar_answer_new(&turned) ? spar__fail_memory(err) : SPAR_OK;
        for (size_t i = 0; i < n && !status; i++) {
            size_t j = 0, k = 0;
            spar_outcome outcome = SPAR_TIE;
            (void)spar_answer_pair(answer, i, &j, &k, &outcome);
            status = spar_answer_add_pair(turned, m - 1 - j, m - 1 - k, outcome, err);
        }
        if (!status && spar_answer_copy(turned, answer))
            status = spar__fail_memory(err);
    } /* others say nothing about places */
    spar__free(slot);
    spar_answer_free(turned);
    return status;
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
