/* blas.h - OpenBLAS and LAPACK, one caller at a time.
 *
 * The single-threaded build of OpenBLAS hands out its working memory without a lock, so two threads inside it at once
 * may be given the same piece. Every call of cblas.h or lapacke.h stands between these two; since that makes threads
 * wait for each other, it is for what happens when something is built, never for what happens every round (linear.h
 * is for that). LAPACKE is called in its _work forms, with memory from base/alloc.h and column-major matrices: the
 * others allocate behind our back. */
#ifndef SPAR_NUM_BLAS_H
#define SPAR_NUM_BLAS_H

void spar__blas_enter(void);
void spar__blas_leave(void);

#endif
