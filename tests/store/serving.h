/* serving.h - a process that serves a file to shell commands and does nothing else. */
#ifndef SPAR_TESTS_SERVING_H
#define SPAR_TESTS_SERVING_H

#include "service/local.h"
#include "store/store.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct serving {
    pid_t process; /* 0: none */
    int control;   /* a byte, or its end: it ends */
} serving;

__attribute__((unused)) static void serve_file(const char *path, unsigned lease, int ready, int control)
{
    spar__store *store = NULL;
    spar__local *local = NULL;
    spar__fair_lock turn;
    spar_error err = {0};
    char byte = 0;
    spar__fair_lock_init(&turn);
    spar__local_lease = lease;
    bool good = !spar__store_open(path, SPAR__STORE_CREATE, &store, &err) && !spar__store_hold(store, &err) &&
                !spar__local_start(path, &turn, NULL, NULL, &local, &err);
    if (!good)
        (void)fprintf(stderr, "# no server: %s\n", err.text);
    good = good && write(ready, "", 1) == 1;
    while (good && read(control, &byte, 1) < 0)
        continue;
    spar__local_stop(local);
    spar__store_close(store);
    _exit(good ? 0 : 1);
}

/* Makes the file if it is not there. */
__attribute__((unused)) static bool serving_start(serving *server, const char *path, unsigned lease)
{
    int ready[2], control[2];
    char byte;
    (void)fflush(stdout);
    if (pipe(ready) || pipe(control))
        return false;
    server->process = fork();
    if (server->process == 0) {
        (void)close(ready[0]);
        (void)close(control[1]);
        serve_file(path, lease, ready[1], control[0]);
    }
    (void)close(ready[1]);
    (void)close(control[0]);
    server->control = control[1];
    (void)fcntl(server->control, F_SETFD, FD_CLOEXEC);
    bool good = server->process > 0 && read(ready[0], &byte, 1) == 1;
    (void)close(ready[0]);
    return good;
}

/* True: it ended as it should. */
__attribute__((unused)) static bool serving_stop(serving *server)
{
    int status = 1;
    if (server->process <= 0)
        return true;
    bool told = write(server->control, "", 1) == 1; /* others that were forked later have the pipe, too */
    (void)close(server->control);
    (void)waitpid(server->process, &status, 0);
    server->process = 0;
    return told && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

__attribute__((unused)) static void serving_kill(serving *server)
{
    (void)kill(server->process, SIGKILL);
    (void)close(server->control);
    (void)waitpid(server->process, NULL, 0);
    server->process = 0;
}

#endif
