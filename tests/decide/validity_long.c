/* The table: 2,000 runs of 3,000 screens a cell, K = 2 to 16, m = 2 and 4. */
#include "validity.h"

enum { RUNS = 2000, SCREENS = 3000 };

static const char *const truths[] = {"equal", "two best", "cycle", "one best"};
static const char *const answers[] = {"winner", "ranking", "pairs"};
static const char *const displays[] = {"uniform", "hostile", "greedy"};

static void cell(sim_setting p)
{
    char name[120];
    (void)snprintf(name, sizeof name, "K = %zu, m = %zu, %s, %s, %s%s%s", p.k, p.m, truths[p.truth], answers[p.answer],
                   displays[p.display], p.place > 0 ? ", place effect" : "",
                   p.come_and_go > 0 ? ", options come and go" : "");
    validity_cell(name, &p, RUNS, SCREENS);
}

int main(void)
{
    for (int display = 0; display < 3; display++) {
        cell((sim_setting){.k = 2, .m = 2, .truth = EQUAL, .display = display});
        cell((sim_setting){.k = 4, .m = 2, .truth = EQUAL, .display = display});
        cell((sim_setting){.k = 4, .m = 2, .truth = TWO_BEST, .display = display});
        cell((sim_setting){.k = 4, .m = 4, .truth = TWO_BEST, .display = display});
        cell((sim_setting){.k = 8, .m = 4, .truth = TWO_BEST, .display = display});
        cell((sim_setting){.k = 16, .m = 4, .truth = TWO_BEST, .display = display});
        cell((sim_setting){.k = 4, .m = 4, .truth = TWO_BEST, .answer = RANKING, .display = display});
        cell((sim_setting){.k = 8, .m = 4, .truth = TWO_BEST, .answer = PAIRS, .display = display});
        cell((sim_setting){.k = 4, .m = 2, .truth = CYCLE, .display = display});
        cell((sim_setting){.k = 4, .m = 4, .truth = TWO_BEST, .display = display, .place = 0.5});
        cell((sim_setting){.k = 4, .m = 2, .truth = ONE_BEST, .display = display, .come_and_go = 0.002});
        cell((sim_setting){
            .k = 4, .m = 4, .truth = TWO_BEST, .answer = RANKING, .display = display, .come_and_go = 0.01});
    }
    return done();
}
