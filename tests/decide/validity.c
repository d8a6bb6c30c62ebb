/* A few cells of the tables in validity_*_long.c, with fewer runs. */
#include "validity.h"

int main(void)
{
    static const struct {
        sim_setting setting;
        size_t runs, screens;
    } cells[] = {
        {{.k = 2, .m = 2}, 1500, 800},
        {{.k = 2, .m = 2, .truth = BARELY, .display = HOSTILE}, 1000, 1000},
        {{.k = 4, .m = 2, .truth = TWO_BEST, .display = HOSTILE}, 200, 1000},
        {{.k = 8, .m = 4, .display = HOSTILE}, 200, 1000},
        {{.k = 4, .m = 2, .truth = TWO_BEST, .display = SELF_SPARRING}, 200, 1000},
        {{.k = 4, .m = 4, .truth = TWO_BEST, .display = FOCUS}, 200, 800},
        {{.k = 8, .m = 4, .truth = CYCLE, .answer = PAIRS, .display = FOCUS}, 100, 800},
        {{.k = 4, .m = 4, .truth = TWO_BEST, .answer = RANKING, .display = FOCUS, .come_and_go = 0.01}, 100, 600},
        {{.k = 4, .m = 4, .truth = TWO_BEST, .display = FOCUS, .place = 0.5}, 100, 800},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        validity_cell(&cells[i].setting, cells[i].runs, cells[i].screens);
    return done();
}
