/* Median screens to a decision, 1,000 runs a cell. */
#include "decide/power.h"

enum { RUNS = 1000 };

int main(void)
{
    static const struct {
        const char *name;
        power_setting setting;
        double published;
    } cells[] = {
        {"K = 4, m = 2, steps of 0.5", {POWER_FOCUS, 4, 2, false, 0.5, false}, 237},
        {"K = 4, m = 2, steps of 0.3", {POWER_FOCUS, 4, 2, false, 0.3, false}, 627},
        {"K = 8, m = 4, steps of 0.5", {POWER_FOCUS, 8, 4, false, 0.5, false}, 257},
        {"K = 8, m = 4, steps of 0.3", {POWER_FOCUS, 8, 4, false, 0.3, false}, 752},
        {"K = 16, m = 4, steps of 0.5", {POWER_FOCUS, 16, 4, false, 0.5, false}, 320},
        {"K = 16, m = 4, steps of 0.3", {POWER_FOCUS, 16, 4, false, 0.3, false}, 904},
        {"K = 8, m = 4, one by 0.5", {POWER_FOCUS, 8, 4, true, 0.5, false}, 895},
        {"K = 16, m = 4, one by 0.5", {POWER_FOCUS, 16, 4, true, 0.5, false}, 2189},
        {"K = 8, m = 4, steps of 0.3, ranking", {POWER_FOCUS, 8, 4, false, 0.3, true}, 523},
        {"K = 16, m = 4, steps of 0.5, ranking", {POWER_FOCUS, 16, 4, false, 0.5, true}, 262},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        power_cell(cells[i].name, &cells[i].setting, cells[i].published, RUNS);
    return done();
}
