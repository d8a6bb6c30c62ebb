/* A few runs of coverage_long.c. */
#include "decide/coverage.h"

int main(void)
{
    static const coverage_cell cell = {"winner", 4, 3, 40, COVER_WINNER, true};
    coverage_check(&cell, 60, 0.88, 0.995, 0.8, 1);
    return done();
}
