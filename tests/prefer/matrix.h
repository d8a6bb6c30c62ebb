/* matrix.h - preference matrices for the tests of prefer: by hand, at random, renamed. */
#ifndef SPAR_TESTS_PREFER_MATRIX_H
#define SPAR_TESTS_PREFER_MATRIX_H

#include <stddef.h>
#include <stdint.h>

static uint64_t matrix_state = 1;

__attribute__((unused)) static double matrix_uniform(void)
{
    uint64_t z = matrix_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

__attribute__((unused)) static size_t matrix_below(size_t n)
{
    return (size_t)(matrix_uniform() * (double)n);
}

__attribute__((unused)) static void matrix_set(size_t n, double *p, size_t i, size_t j, double value)
{
    p[i * n + j] = value;
    p[j * n + i] = 1 - value;
}

/* levels 0: any value; otherwise one of levels + 1 equally spaced ones: 1 gives 0/1, 2 adds ties, ... */
__attribute__((unused)) static void matrix_random(size_t n, double *p, size_t levels)
{
    for (size_t i = 0; i < n; i++) {
        p[i * n + i] = 0.5;
        for (size_t j = 0; j < i; j++)
            matrix_set(n, p, i, j, levels ? (double)matrix_below(levels + 1) / (double)levels : matrix_uniform());
    }
}

/* name[i] is the new name of arm i. */
__attribute__((unused)) static void matrix_shuffle(size_t n, size_t *name)
{
    for (size_t i = 0; i < n; i++) {
        size_t j = matrix_below(i + 1);
        name[i] = name[j];
        name[j] = i;
    }
}

__attribute__((unused)) static void matrix_rename(size_t n, const double *p, const size_t *name, double *q)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            q[name[i] * n + name[j]] = p[i * n + j];
}

#endif
