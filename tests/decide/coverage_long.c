/* The intervals of standings hold the truth in 93 to 97 %, the leader's in 92 to 97.5 %. */
#include "decide/coverage.h"

int main(int argc, char **argv)
{
    static const coverage_cell cells[] = {
        {"winner", 4, 2, 60, COVER_WINNER, false},   {"winner", 16, 4, 150, COVER_WINNER, false},
        {"ranking", 4, 4, 40, COVER_RANKING, false}, {"ranking", 16, 4, 80, COVER_RANKING, false},
        {"20 % ties", 4, 2, 80, COVER_TIES, false},  {"20 % ties", 16, 4, 150, COVER_TIES, false},
        {"focus", 4, 2, 100, COVER_WINNER, true},    {"focus", 16, 4, 200, COVER_WINNER, true},
    };
    size_t runs = argc > 1 ? (size_t)atoi(argv[1]) : 1000;
    size_t only = argc > 2 ? (size_t)atoi(argv[2]) : SIZE_MAX; /* a single cell */
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (only == SIZE_MAX || i == only)
            coverage_check(&cells[i], runs, 0.93, 0.97, 0.92, 0.975);
    return done();
}
