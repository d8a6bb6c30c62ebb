/* Four programs ask, tell and undo in one file at the same time: every answer counts once, and the log verifies. */
#include "live/world.h"

#include <sys/wait.h>

enum { PROGRAMS = 4, TURNS = 12 };

static int work(const char *place, int who)
{
    char name[16];
    (void)snprintf(name, sizeof name, "voter %d", who);
    spar__snapshot_every = 10;
    spar_experiment *experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
    for (int i = 0; i < TURNS; i++) {
        uint64_t number = ask(experiment, name);
        must(tell(experiment, number, name, (size_t)i % 3));
        if (i % 4 == 1) {
            must(spar_experiment_undo(experiment, number, NULL, SPAR_ANY_REVISION, NULL, &err));
            must(tell(experiment, number, name, 3));
        }
        if (tell(experiment, number, name, i % 4 == 1 ? 3 : (size_t)i % 3) ||
            spar_experiment_last_answered(experiment, name) != number)
            return 1;
    }
    spar_experiment_close(experiment);
    return 0;
}

int main(void)
{
    const char *place = new_place(spar__store_classes[0]);
    spar_experiment *experiment = new_experiment(place, 5, 1);
    spar_experiment_close(experiment); /* a connection must not cross a fork */
    int failed = 0;
    (void)fflush(stdout);
    for (int i = 0; i < PROGRAMS; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(work(place, i));
        failed += child < 0;
    }
    for (int i = 0; i < PROGRAMS; i++) {
        int status = 0;
        failed += wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    ok(failed == 0, "%d programs did their work", PROGRAMS);
    experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
    uint64_t screens, answers, undone;
    spar_experiment_counts(experiment, &screens, &answers, &undone, NULL);
    ok(screens == PROGRAMS * TURNS && answers == PROGRAMS * TURNS && undone == PROGRAMS * TURNS / 4,
       "%d screens, %d answers, %d undone", (int)screens, (int)answers, (int)undone);
    ok(spar_experiment_open_screens(experiment, NULL, 0, NULL) == 0, "none is open");
    ok(nothing_lost(experiment) && leaves_no_trace(experiment) && verifies(place, NULL), "the log holds");
    spar_experiment_close(experiment);
    close_places();
    return done();
}
