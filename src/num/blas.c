#include "num/blas.h"

#include <cblas.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void spar__blas_enter(void)
{
    (void)pthread_mutex_lock(&mutex);
    openblas_set_num_threads(1); /* where another build of OpenBLAS stands in */
}

void spar__blas_leave(void)
{
    (void)pthread_mutex_unlock(&mutex);
}
