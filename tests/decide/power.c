/* Two cells of the table in power_long.c, with fewer runs. */
#include "decide/power.h"

int main(void)
{
    power_cell("K = 4, m = 2, steps of 0.5", &(power_setting){POWER_FOCUS, 4, 2, .gap = 0.5}, 237, 300);
    power_cell("K = 16, m = 4, steps of 0.5, ranking",
               &(power_setting){POWER_FOCUS, 16, 4, .gap = 0.5, .ranking = true}, 262, 200);
    return done();
}
