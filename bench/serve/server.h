/* server.h - servers for the benchmarks, each a process of its own; and files for them. What fails ends the process. */
#ifndef SPAR_BENCH_SERVER_H
#define SPAR_BENCH_SERVER_H

#include "base/buf.h"
#include "service/auth/auth.h"

#include <sys/types.h>

void spar__bench_fail(const char *what, const char *why);

pid_t spar__bench_bare(unsigned *port); /* libmicrohttpd that answers every POST with "hello" */
pid_t spar__bench_serve(const char *spar, const char *file, unsigned *port);
void spar__bench_stop(pid_t child, int signal);

double spar__bench_cpu(pid_t child);    /* seconds that it has used */
double spar__bench_memory(pid_t child); /* MB resident */

/* A new file with an experiment, and a manage token for it; and its end. */
void spar__bench_file(const char *file, size_t options, char token[SPAR__TOKEN_LENGTH + 1]);
void spar__bench_remove(spar__buf *file);

#endif
