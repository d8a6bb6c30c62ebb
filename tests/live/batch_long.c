/* Answers in batches of 512 about 16 options, as a server writes them: at most 30 microseconds of CPU time for each,
 * all in, and as much again for the next screen. Prints what it took. */
#include "live/world.h"

#include "base/clock.h"
#include "bench/bench.h"
#include "live/log/batch.h"

enum { BATCH = 512, OPTIONS = 16 };

/* How much slower this machine is at the moment than the one for which the times are stated: one on which a round of
 * the plain loop takes 1.2 microseconds. */
static double slowness(void)
{
    spar__plain *plain = NULL;
    must(spar__plain_new(16, 4, &plain));
    spar__plain_play(plain, 20000);
    double start = spar__clock_process();
    spar__plain_play(plain, 100000);
    double each = (spar__clock_process() - start) / 100000;
    spar__plain_free(plain);
    printf("# a plain round takes %.0f ns\n", each);
    return each > 1200 ? each / 1200 : 1;
}

static const char *name_of(size_t i)
{
    static char name[24];
    (void)snprintf(name, sizeof name, "voter %zu", i);
    return name;
}

static void ask_all(spar_experiment *experiment, uint64_t number[BATCH])
{
    spar__batch *batch = NULL;
    size_t ticket[BATCH];
    must(spar__batch_begin(experiment, &batch, &err));
    for (size_t i = 0; i < BATCH; i++)
        must(spar__batch_ask(batch, name_of(i), &ticket[i], &err));
    must(spar__batch_commit(batch, &err));
    for (size_t i = 0; i < BATCH; i++) {
        spar_screen *screen = NULL;
        must(spar__batch_screen(batch, ticket[i], &screen, &err));
        number[i] = spar_screen_number(screen);
        spar_screen_free(screen);
    }
    spar__batch_free(batch);
}

static void tell_all(spar_experiment *experiment, const uint64_t number[BATCH], const spar_answer *answer)
{
    spar__batch *batch = NULL;
    size_t ticket;
    bool again;
    must(spar__batch_begin(experiment, &batch, &err));
    for (size_t i = 0; i < BATCH; i++)
        must(spar__batch_tell(batch, number[i], name_of(i), answer, NULL, &again, &ticket, &err));
    must(spar__batch_commit(batch, &err));
    spar__batch_free(batch);
}

static void measure(const spar__store_class *cls, size_t batches)
{
    spar_experiment *experiment = new_experiment(new_place(cls), OPTIONS, 1);
    spar_answer *answer = NULL;
    uint64_t number[BATCH];
    double asking = 0, telling = 0;
    must(spar_answer_new(&answer));
    ask_all(experiment, number); /* the voters are new */
    tell_all(experiment, number, answer);
    for (size_t i = 0; i < batches; i++) {
        spar_answer_set_winner(answer, i % 4);
        double start = spar__clock_process();
        ask_all(experiment, number);
        double asked = spar__clock_process();
        tell_all(experiment, number, answer);
        asking += asked - start;
        telling += spar__clock_process() - asked;
    }
    double n = 1e3 * (double)batches * BATCH, slow = slowness();
    ok(telling / n < 30 * slow, "%s: %.1f microseconds for an answer", cls->name, telling / n);
    ok(asking / n < 30 * slow, "%s: %.1f microseconds for a screen", cls->name, asking / n);
    spar_answer_free(answer);
    spar_experiment_close(experiment);
}

int main(int argc, char **argv)
{
    size_t batches = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 200;
    for (const spar__store_class *const *cls = stores_here(); *cls; cls++)
        measure(*cls, batches);
    close_places();
    return done();
}
