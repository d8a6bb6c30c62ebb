/* A million answers about a thousand options: import under 30 s, opening with a snapshot under 1 s, replay without it
 * under 10 s, a screen under 20 ms; at most 200 bytes of file for an imported answer. Prints what it took. */
#include "live/world.h"

#include "base/clock.h"

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

static void measure(const spar__store_class *cls, size_t rows, size_t m)
{
    const char *place = new_place(cls);
    bool file = strcmp(cls->name, "memory") != 0;
    spar_experiment *experiment = new_experiment(place, OPTIONS, 1);
    double start = spar__clock_process();
    import_rows(experiment, rows, m);
    double seconds = since(start);
    printf("# %s, %zu slots: import %.2f s\n", cls->name, m, seconds);
    ok(seconds < 30, "import in %.2f s", seconds);
    start = spar__clock_process();
    spar__snapshot_write(experiment);
    printf("# snapshot of %.1f MB in %.3f s\n", 1e-6 * (double)experiment->snapshot_size, since(start));
    spar_experiment_close(experiment);
    start = spar__clock_process();
    experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
    seconds = since(start);
    ok(seconds < 1, "opened with a snapshot in %.3f s", seconds);
    double longest = 0, first = 0;
    for (int i = 0; i < 100; i++) {
        start = spar__clock_process();
        uint64_t number = ask(experiment, "ann");
        seconds = since(start);
        first = i ? first : seconds;
        longest = seconds > longest ? seconds : longest;
        must(tell(experiment, number, "ann", 0));
    }
    ok(longest < 0.02, "a screen in %.2f ms at most, the first in %.2f ms", 1e3 * longest, 1e3 * first);
    start = spar__clock_process();
    must(spar_experiment_undo(experiment, spar_experiment_last_answered(experiment, "ann"), &err));
    printf("# undo %.3f s\n", since(start));
    if (file)
        ok(file_size(place) < 200.0 * (double)rows, "%.1f bytes for an answer", file_size(place) / (double)rows);
    spar__snapshot_drop(experiment, 0, UINT64_MAX);
    spar_experiment_close(experiment);
    start = spar__clock_process();
    experiment = open_at(place, SPAR_EXPERIMENT_READ);
    seconds = since(start);
    ok(seconds < 10, "folded without a snapshot in %.2f s", seconds);
    spar_experiment_close(experiment);
    if (file)
        printf("# without snapshots %.1f bytes for an answer\n", file_size(place) / (double)rows);
}

int main(int argc, char **argv)
{
    size_t rows = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1000000;
    for (const spar__store_class *const *cls = spar__store_classes; *cls; cls++)
        for (size_t m = 2; m <= 4; m += 2)
            measure(*cls, rows, m);
    close_places();
    return done();
}
