/* render.c - an SVG file as PNG or PDF, by the tool rsvg-convert, run as a child whose first line on standard error
 * becomes the reason where it fails. */
#include "plot/plot.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts the tool with its standard output in a file and its standard error in a pipe; *messages is the end to read. */
static int start(char *const argv[], int output, pid_t *child, int *messages)
{
    int ends[2];
    if (pipe(ends) != 0)
        return errno;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC); /* other children must not keep it open */
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (!error)
            error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        if (!error)
            error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
        if (!error)
            error = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    (void)close(ends[1]);
    if (error)
        (void)close(ends[0]);
    *messages = ends[0];
    return error;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length > size && strcmp(text + length - size, end) == 0;
}

static spar_status fail_missing(const char *out_path, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED,
                      "%s: rsvg-convert is needed to write it; on Debian: apt install librsvg2-bin", out_path);
}

/* Runs the tool to its end; out_path is only for errors. */
static spar_status run(char *const argv[], int output, const char *out_path, spar_error *err)
{
    pid_t child;
    int messages = -1, state;
    int error = start(argv, output, &child, &messages);
    if (error == ENOENT)
        return fail_missing(out_path, err);
    if (error)
        return spar__fail(err, SPAR_IO, "%s: cannot run rsvg-convert: %s", out_path, strerror(error));
    char line[256];
    /* The first line from the pipe; the rest is read and dropped, so that the writer never blocks. */
    size_t size = sizeof line;
    char chunk[256];
    size_t length = 0;
    for (;;) {
        ssize_t got = read(messages, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        for (ssize_t i = 0; i < got && length + 1 < size; i++)
            line[length++] = chunk[i];
    }
    line[length] = '\0';
    line[strcspn(line, "\n")] = '\0';
    (void)close(messages);
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return spar__fail(err, SPAR_IO, "%s: cannot wait for rsvg-convert: %s", out_path, strerror(errno));
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
        return SPAR_OK;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127 && !*line) /* where posix_spawnp does not report a missing tool */
        return fail_missing(out_path, err);
    return spar__fail(err, SPAR_IO, "%s: rsvg-convert failed: %s", out_path, *line ? line : "no reason given");
}

spar_status spar__svg_render(const char *svg_path, const char *out_path, spar_error *err)
{
    bool png = ends_with(out_path, ".png");
    if (!png && !ends_with(out_path, ".pdf"))
        return spar__fail(err, SPAR_INVALID, "%s: expected a name that ends with .png or .pdf", out_path);
    char *const argv[] = {"rsvg-convert", png ? "--format=png" : "--format=pdf", png ? "--zoom=2" : "--zoom=1",
                          "--",           (char *)(uintptr_t)svg_path,           NULL};
    spar__file file;
    spar_status status = spar__file_begin(&file, out_path, err);
    if (status)
        return status;
    status = run(argv, fileno(file.stream), out_path, err);
    if (!status)
        return spar__file_commit(&file, false, err);
    spar__file_abandon(&file);
    return status;
}
