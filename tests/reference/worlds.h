/* worlds.h - the 16-arm sets 1good and arith with the linear link, best arm first. */
#ifndef SPAR_TESTS_REFERENCE_WORLDS_H
#define SPAR_TESTS_REFERENCE_WORLDS_H

#include <stddef.h>

enum { WORLD_ARMS = 16 };

__attribute__((unused)) static void linear_preferences(const double *utility, size_t k, double *p)
{
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            p[i * k + j] = (1 + utility[i] - utility[j]) / 2;
}

__attribute__((unused)) static void set_1good(double *utility)
{
    utility[0] = 0.8;
    for (size_t i = 1; i < WORLD_ARMS; i++)
        utility[i] = 0.2;
}

__attribute__((unused)) static void set_arith(double *utility)
{
    utility[0] = 0.8;
    for (size_t i = 1; i < WORLD_ARMS; i++)
        utility[i] = 0.7 - 0.5 * (double)(i - 1) / (WORLD_ARMS - 2);
}

#endif
