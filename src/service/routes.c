/* routes.c - the table of routes.def. */
#include "service/server.h"

#define ROW(id, method, path, role, rate, body, brief, ...)                                                            \
    {#id, SPAR__##method, path, SPAR__ROLE_##role, SPAR__RATE_##rate, body, brief, __VA_ARGS__},
#define HERE(id, ...) ROW(id, __VA_ARGS__, .here = spar__here_##id)
#define READ(id, ...) ROW(id, __VA_ARGS__, .read = spar__read_##id)
#define SLOW(id, ...) ROW(id, __VA_ARGS__, .slow = spar__slow_##id)
#define CHANGE(id, ...) ROW(id, __VA_ARGS__, .change = spar__change_##id)
#define WRITE(id, ...) ROW(id, __VA_ARGS__, .prepare = spar__prepare_##id, .finish = spar__finish_##id)

const spar__route spar__routes[] = {
#include "service/routes.def"
};
const size_t spar__n_routes = sizeof spar__routes / sizeof *spar__routes;
