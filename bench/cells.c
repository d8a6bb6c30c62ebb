/* cells.c - what a sweep costs besides what its cells compute: handing out a cell, keeping it in a file, and finding it
 * again. The cells are empty, with a key and numbers as long as those of a short run. */
#include "base/alloc.h"
#include "base/clock.h"
#include "sim/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 100000, NUMBERS = 60, REPEATS = 5 };

static double number[NUMBERS];

static void text(const void *self, size_t i, spar__buf *out)
{
    (void)self;
    spar__buf_printf(out,
                     "spar 0.0.0 edition 1; env utility(set=arith,link=linear); feedback all_pairs; policy "
                     "ind_self_sparring(eta=1); m 2; rounds 100; horizon 100; seed 1; runs 1 from %zu",
                     i);
}

static uint64_t work(const void *self, size_t i)
{
    (void)self, (void)i;
    return 1;
}

static spar_status play(void *self, size_t i, size_t worker, spar_progress *progress, void *context, bool *complete,
                        spar_error *err)
{
    (void)self, (void)i, (void)worker, (void)err;
    *complete = progress(context, 1, 1);
    return SPAR_OK;
}

static void archive(void *self, size_t i, size_t worker, spar__archive *ar)
{
    (void)self, (void)i, (void)worker;
    double copy[NUMBERS];
    memcpy(copy, number, sizeof copy);
    spar__archive_f64s(ar, copy, NUMBERS);
}

static const spar__cell_list cells = {.n = CELLS, .text = text, .work = work, .play = play, .archive = archive};

/* Microseconds of CPU time for a cell; how many were found. */
static double measure(const char *dir, size_t threads, size_t *found, bool finished)
{
    spar__sweep sweep = {.dir = dir, .threads = threads};
    spar_error err = {0};
    double start = spar__clock_process();
    if (spar__sweep_play(&sweep, &cells, &err) || sweep.done != CELLS) {
        (void)fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    double spent = spar__clock_process() - start;
    *found = sweep.found;
    spar__sweep_close(&sweep, finished);
    return spent / 1e3 / CELLS;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

int main(void)
{
    char dir[] = "/tmp/spar-cells-XXXXXX";
    double plain[2] = {1e9, 1e9}, kept = 1e9, again = 1e9;
    size_t found = 0;
    if (!mkdtemp(dir))
        return 1;
    for (int i = 0; i < REPEATS; i++) {
        plain[0] = least(plain[0], measure(NULL, 1, &found, true));
        plain[1] = least(plain[1], measure(NULL, 2, &found, true));
        kept = least(kept, measure(dir, 2, &found, false));
        again = least(again, measure(dir, 2, &found, true));
        if (found != CELLS || (i + 1 < REPEATS && !mkdtemp(strcpy(dir, "/tmp/spar-cells-XXXXXX"))))
            return 1;
    }
    (void)printf("a cell that computes nothing, CPU time\n"
                 "  handed out, one thread    %6.2f us\n"
                 "  handed out, two threads   %6.2f us\n"
                 "  and kept in a file        %6.2f us\n"
                 "  found again               %6.2f us\n",
                 plain[0], plain[1], kept, again);
    return plain[1] > 20 || kept > 40 || again > 10; /* a thousandth of what a cell should take; a second for 1e5 */
}
