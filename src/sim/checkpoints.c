#include "sim/stats.h"

/* 10^(i/16) in thousandths, rounded: a table, so that checkpoints are the same everywhere. */
static const uint64_t step[] = {1000, 1155, 1334, 1540, 1778, 2054, 2371, 2738,
                                3162, 3652, 4217, 4870, 5623, 6494, 7499, 8660};
enum { STEPS = sizeof step / sizeof *step };

/* Those that people quote. 100, 1000 and 10000 are steps of their own. */
static const uint64_t quoted[] = {5000, 20000};
enum { QUOTED = sizeof quoted / sizeof *quoted };

struct list {
    uint64_t *out; /* NULL: only count */
    size_t n;
    uint64_t last;
};

static void append(struct list *list, uint64_t t)
{
    if (t <= list->last)
        return;
    if (list->out)
        list->out[list->n] = t;
    list->n++;
    list->last = t;
}

size_t spar__checkpoints(uint64_t rounds, uint64_t *out)
{
    struct list list = {.out = out};
    size_t q = 0;
    uint64_t decade = 1;
    for (size_t i = 0;; i = (i + 1) % STEPS) {
        if (i == 0 && list.n) {
            if (decade > UINT64_MAX / 10 / 10) /* the next one may not fit */
                break;
            decade *= 10;
        }
        uint64_t t = decade < 1000 ? (decade * step[i] + 500) / 1000 : decade / 1000 * step[i];
        if (t >= rounds)
            break;
        for (; q < QUOTED && quoted[q] <= t; q++)
            append(&list, quoted[q]);
        append(&list, t);
    }
    for (; q < QUOTED && quoted[q] < rounds; q++)
        append(&list, quoted[q]);
    append(&list, rounds);
    return list.n;
}
