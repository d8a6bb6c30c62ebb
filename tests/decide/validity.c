/* A few cells of the table in validity_long.c, with fewer runs. */
#include "validity.h"

int main(void)
{
    validity_cell("K = 2 equal, uniform", &(sim_setting){.k = 2, .m = 2, .truth = EQUAL}, 600, 800);
    validity_cell("K = 2 equal, hostile", &(sim_setting){.k = 2, .m = 2, .truth = EQUAL, .display = HOSTILE}, 300, 500);
    validity_cell("K = 4 two best, m = 2, uniform", &(sim_setting){.k = 4, .m = 2, .truth = TWO_BEST}, 200, 1000);
    validity_cell("K = 4 two best, m = 2, hostile",
                  &(sim_setting){.k = 4, .m = 2, .truth = TWO_BEST, .display = HOSTILE}, 200, 1000);
    validity_cell("K = 4 cycle, uniform", &(sim_setting){.k = 4, .m = 2, .truth = CYCLE}, 150, 800);
    validity_cell("K = 4 one best, ranking, come and go",
                  &(sim_setting){.k = 4, .m = 4, .truth = ONE_BEST, .answer = RANKING, .come_and_go = 0.01}, 100, 600);
    return done();
}
