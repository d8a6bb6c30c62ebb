/* A million answers about a thousand options: import under 30 s, opening with a snapshot under 1 s, replay without it
 * under 10 s, a screen under 20 ms; at most 200 bytes of file for an imported answer. Prints what it took. */
#include "live/world.h"

#include "base/clock.h"
#include "bench/bench.h"

#include <sys/stat.h>

enum { OPTIONS = 1000 };

static double since(double start)
{
    return 1e-9 * (spar__clock_process() - start);
}

static bool is_among(size_t value, size_t n, const size_t *list)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == value)
            return true;
    return false;
}

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

static void import_rows(spar_experiment *experiment, size_t rows, size_t m)
{
    spar_import *import = NULL;
    spar_answer *answer = NULL;
    uint64_t luck = 1, added;
    must(spar_answer_new(&answer));
    must(spar_import_new(experiment, &import, &err));
    for (size_t i = 0; i < rows; i++) {
        unsigned char key[SPAR_HASH_SIZE];
        size_t arm[4], best = 0;
        spar_import_key(&i, sizeof i, key);
        for (size_t j = 0; j < m; j += !is_among(arm[j], j, arm)) {
            luck = luck * 6364136223846793005u + 1442695040888963407u;
            arm[j] = (size_t)(luck >> 33) % OPTIONS;
        }
        for (size_t j = 1; j < m; j++) {
            luck = luck * 6364136223846793005u + 1442695040888963407u;
            if ((luck >> 40) % (arm[j] + arm[best] + 1) > arm[j])
                best = j;
        }
        spar_answer_set_winner(answer, best);
        must(spar_import_add(import, key, m, arm, answer, NULL, 1, NULL, &err));
    }
    must(spar_import_finish(import, &added, NULL, &err));
    ok(added == rows, "%zu rows of %zu options were imported", rows, m);
    spar_import_free(import);
    spar_answer_free(answer);
}

static double file_size(const char *place)
{
    struct stat about;
    const char *path = strchr(place, ':') + 1;
    return stat(path, &about) ? 0 : (double)about.st_size;
}

/* Screens and answers in batches, as a server writes them. The screens are random, as if another engine had drawn them:
 * a policy would take minutes for a million. */
static void ask_rows(spar_experiment *experiment, size_t rows, size_t m)
{
    enum { BATCH = 512 };
    spar__store_entry entry[2 * BATCH] = {{0}};
    spar_answer *answer = NULL;
    spar_round *round = NULL;
    uint64_t luck = 1;
    must(spar_answer_new(&answer));
    must(spar_round_new(4, &round));
    for (size_t i = 0; i < 2 * BATCH; i++)
        must(spar_event_new(&entry[i].event));
    for (size_t row = 0; row < rows; row += BATCH) {
        for (size_t i = 0; i < BATCH; i++) {
            size_t arm[4];
            for (size_t j = 0; j < m; j += !is_among(arm[j], j, arm)) {
                luck = luck * 6364136223846793005u + 1442695040888963407u;
                arm[j] = (size_t)(luck >> 33) % OPTIONS;
            }
            must(spar_round_set(round, m, arm));
            must(spar_event_set_screen(entry[i].event, row + i + 1, round, NULL));
            spar_event_set_basis(entry[i].event, spar_experiment_sequence(experiment), 0);
            spar_event_set_voter(entry[i].event, 1 + (row + i) / 20);
            spar_answer_set_winner(answer, (size_t)(luck >> 40) % m);
            must(spar_event_set_answer(entry[BATCH + i].event, row + i + 1, 0, answer));
            spar_event_set_voter(entry[BATCH + i].event, 1 + (row + i) / 20);
        }
        must(spar__store_append(experiment->store, experiment->id, 2 * BATCH, entry, &err));
        must(spar__live_refresh(experiment, &err));
    }
    spar__snapshot_write(experiment);
    for (size_t i = 0; i < 2 * BATCH; i++)
        spar_event_free(entry[i].event);
    spar_round_free(round);
    spar_answer_free(answer);
}

static void measure_asking(spar_experiment *experiment)
{
    double longest = 0, first = 0;
    for (int i = 0; i < 100; i++) {
        double start = spar__clock_process();
        uint64_t number = ask(experiment, "ann");
        double seconds = since(start);
        first = i ? first : seconds;
        longest = seconds > longest ? seconds : longest;
        must(tell(experiment, number, "ann", 0));
    }
    ok(longest < 0.02 * slowness(), "a screen in %.2f ms at most, the first in %.2f ms", 1e3 * longest, 1e3 * first);
    double start = spar__clock_process();
    must(spar_experiment_undo(experiment, spar_experiment_last_answered(experiment, "ann"), NULL, SPAR_ANY_REVISION,
                              NULL, &err));
    printf("# undo %.3f s\n", since(start));
}

static void measure_opening(const char *place)
{
    double start = spar__clock_process();
    spar_experiment *experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
    double seconds = since(start);
    ok(seconds < slowness(), "opened with a snapshot of %.1f MB in %.3f s", 1e-6 * (double)experiment->snapshot_size,
       seconds);
    measure_asking(experiment);
    spar__snapshot_drop(experiment, 0, UINT64_MAX);
    spar_experiment_close(experiment);
    start = spar__clock_process();
    experiment = open_at(place, SPAR_EXPERIMENT_READ);
    seconds = since(start);
    ok(seconds < 10 * slowness(), "folded without a snapshot in %.2f s", seconds);
    spar_experiment_close(experiment);
}

static void measure(const spar__store_class *cls, size_t rows, size_t m, bool asked)
{
    const char *place = new_place(cls);
    spar_experiment *experiment = new_experiment(place, OPTIONS, 1);
    double start = spar__clock_process(), most = asked ? 450 : 200;
    if (asked)
        ask_rows(experiment, rows, m);
    else
        import_rows(experiment, rows, m);
    double seconds = since(start);
    ok(asked || seconds < 30 * slowness(), "%zu answers on %zu options %s in %.2f s", rows, m,
       asked ? "written" : "imported", seconds);
    spar_experiment_close(experiment);
    double size = file_size(place) / (double)rows;
    ok(size < most, "%.1f bytes for an answer, at most %.0f", size, most);
    measure_opening(place);
}

int main(int argc, char **argv)
{
    size_t rows = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1000000;
    measure(spar__store_classes[0], rows, 2, false);
    measure(spar__store_classes[0], rows, 4, false);
    measure(spar__store_classes[0], rows, 4, true);
    close_places();
    return done();
}
