/* eigen.h - the eigenvectors of a small symmetric matrix, with the same bits on every CPU. */
#ifndef SPAR_NUM_EIGEN_H
#define SPAR_NUM_EIGEN_H

#include <stddef.h>

/* By Jacobi's rotations. a (r x r, symmetric) is used up: its diagonal becomes the eigenvalues; row j of vectors (r x
 * r) the unit eigenvector of the j-th. For r of some dozens: about 4 r^3 operations a sweep and less than ten sweeps.
 */
void spar__eigen(size_t r, double *a, double *vectors);

#endif
