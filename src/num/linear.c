#include "num/linear.h"

#include "num/cpu.h"

static const spar__linear_ops *const tables[SPAR__CPU_COUNT] = SPAR__CPU_TABLES(spar__linear_ops);

void spar__triangle_absorb(size_t r, size_t stride, double *R, double *z, size_t count, double *rows, double *y)
{
    tables[spar__cpu_level()]->absorb(r, stride, R, z, count, rows, y);
}

void spar__triangle_back(size_t r, size_t stride, const double *R, size_t m, double *rhs)
{
    tables[spar__cpu_level()]->back(r, stride, R, m, rhs);
}

void spar__triangle_forward(size_t r, size_t stride, const double *R, size_t m, double *rhs)
{
    tables[spar__cpu_level()]->forward(r, stride, R, m, rhs);
}

void spar__product(size_t m, size_t n, size_t k, const double *a, size_t lda, const double *b, size_t ldb, double *c,
                   size_t ldc)
{
    tables[spar__cpu_level()]->product(m, n, k, a, lda, b, ldb, c, ldc);
}

double spar__largest(size_t n, const double *value)
{
    return tables[spar__cpu_level()]->largest(n, value);
}

void spar__triangles(size_t r, size_t c, double *m, double *t)
{
    tables[spar__cpu_level()]->triangles(r, c, m, t);
}
