/* beliefs.h - snapshots to be drawn. */
#ifndef SPAR_TESTS_PLOT_BELIEFS_H
#define SPAR_TESTS_PLOT_BELIEFS_H

#include "plot/plot.h"

#include "base/alloc.h"
#include "page.h"
#include "tap.h"

enum { ARMS = 36, SHOTS = 3 };

static double points[2 * ARMS], mean[SHOTS][ARMS], sd[SHOTS][ARMS], truth[ARMS], won[SHOTS][ARMS], lost[SHOTS][ARMS];
static spar__belief shots[SHOTS];

/* Arms in an order of their own: a line of 36, or a grid of 6 x 6. */
static spar__beliefs make_beliefs(size_t dim)
{
    static const char *const labels[] = {"after 5 rounds", "after 20 rounds", "after 1000000 rounds"};
    for (size_t k = 0; k < ARMS; k++) {
        size_t i = k * 7 % ARMS;
        points[dim * i] = dim == 1 ? (double)k / ARMS : (double)(k % 6) / 5;
        if (dim == 2)
            points[2 * i + 1] = (double)(k / 6) / 5;
        truth[i] = k == 17 ? 0.5 : 0.01 * (double)k;
        for (size_t s = 0; s < SHOTS; s++) {
            mean[s][i] = 0.3 + 0.1 * (double)s * (double)k / ARMS;
            sd[s][i] = 0.4 / (double)(s + 1);
            won[s][i] = k % 3 == 0 ? (double)(k * s) : 0;
            lost[s][i] = k % 4 == 0 ? (double)s : 0;
        }
    }
    for (size_t s = 0; s < SHOTS; s++)
        shots[s] = (spar__belief){.label = labels[s],
                                  .n = ARMS,
                                  .x = points,
                                  .mean = mean[s],
                                  .sd = sd[s],
                                  .truth = truth,
                                  .won = won[s],
                                  .lost = lost[s]};
    return (spar__beliefs){.title = "kernel_self_sparring <&>",
                           .subtitle = "function(name=camel,points=6), m = 2",
                           .dim = dim,
                           .feature = {"first feature", "second feature"},
                           .value = "chance to win",
                           .truth = "P(arm beats the best)",
                           .n = SHOTS,
                           .belief = shots};
}

/* The picture, checked for what holds for all; to be freed by the caller. */
__attribute__((unused)) static spar__buf draw(const spar__beliefs *fig, const char *what)
{
    spar__buf svg = {0}, again = {0};
    ok(spar__plot_beliefs(fig, &svg) == SPAR_OK, "%s: drawn", what);
    sound_page(svg.text, what);
    ok(spar__plot_beliefs(fig, &again) == SPAR_OK && strcmp(svg.text, again.text) == 0, "%s: the same bytes again",
       what);
    spar__buf_free(&again);
    return svg;
}

__attribute__((unused)) static void test_memory(const spar__beliefs *fig)
{
    size_t failures = 0;
    for (size_t k = 1;; k++, failures++) {
        spar__buf svg = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar__plot_beliefs(fig, &svg);
        spar__alloc_fail_at(0);
        spar__buf_free(&svg);
        if (status == SPAR_OK)
            break;
        if (status != SPAR_NOMEM)
            ok(false, "allocation %zu fails without a clean error", k);
    }
    ok(failures >= 6, "each of %zu failed allocations is an error", failures);
}

#endif
