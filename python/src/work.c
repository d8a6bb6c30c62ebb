/* work.c - long work beside the interpreter. It runs in a thread of its own; the thread that called waits without the
 * lock of the interpreter, so other Python threads go on, and wakes up a few times a second to look for Ctrl-C and to
 * show progress. The work itself never waits for Python, unless it calls functions written in it. */
#include "common.h"

#include <signal.h>
#include <time.h>

enum { TICK = 50000000 }; /* nanoseconds between two looks */

bool py_work_progress(void *context, uint64_t done, uint64_t total)
{
    py_work *work = context;
    atomic_store_explicit(&work->done, done, memory_order_relaxed);
    atomic_store_explicit(&work->total, total, memory_order_relaxed);
    return !atomic_load_explicit(&work->stop, memory_order_relaxed);
}

spar_status py_work_keep_exception(py_work *work)
{
    if (work->raised[0])
        PyErr_Clear();
    else
        PyErr_Fetch(&work->raised[0], &work->raised[1], &work->raised[2]);
    atomic_store(&work->stop, true);
    return SPAR_INTERRUPTED;
}

static void *body(void *context)
{
    py_work *work = context;
    work->run(work);
    (void)pthread_mutex_lock(&work->lock);
    work->finished = true;
    (void)pthread_cond_signal(&work->changed);
    (void)pthread_mutex_unlock(&work->lock);
    return NULL;
}

/* Signals are for the main thread, where Python looks for them. */
static int start(py_work *work, pthread_t *thread)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    int status = pthread_create(thread, NULL, body, work);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

/* Until it is finished, or a moment has passed. */
static bool wait_a_moment(py_work *work)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TICK;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_mutex_lock(&work->lock);
    if (!work->finished)
        (void)pthread_cond_timedwait(&work->changed, &work->lock, &until);
    bool finished = work->finished;
    (void)pthread_mutex_unlock(&work->lock);
    return finished;
}

static int look(py_work *work, PyObject *progress)
{
    if (PyErr_CheckSignals())
        return -1;
    uint64_t total = atomic_load(&work->total);
    if (progress == Py_None || !total)
        return 0;
    PyObject *said =
        PyObject_CallFunction(progress, "KK", (unsigned long long)atomic_load(&work->done), (unsigned long long)total);
    Py_XDECREF(said);
    return said ? 0 : -1;
}

int py_work_run(py_work *work, PyObject *progress)
{
    pthread_t thread;
    (void)pthread_mutex_init(&work->lock, NULL);
    (void)pthread_cond_init(&work->changed, NULL);
    if (start(work, &thread)) {
        PyErr_SetString(PyExc_RuntimeError, "no thread can be started");
        return -1;
    }
    PyObject *raised[3] = {NULL, NULL, NULL};
    for (bool finished = false; !finished;) {
        Py_BEGIN_ALLOW_THREADS finished = wait_a_moment(work);
        Py_END_ALLOW_THREADS if (!raised[0] && look(work, progress))
        { /* waits on, until the work has noticed */
            PyErr_Fetch(&raised[0], &raised[1], &raised[2]);
            atomic_store(&work->stop, true);
        }
    }
    (void)pthread_join(thread, NULL);
    (void)pthread_mutex_destroy(&work->lock);
    (void)pthread_cond_destroy(&work->changed);
    PyObject **first = raised[0] ? raised : work->raised;
    if (raised[0])
        for (int i = 0; i < 3; i++)
            Py_CLEAR(work->raised[i]);
    if (!first[0])
        return 0;
    PyErr_Restore(first[0], first[1], first[2]);
    work->raised[0] = work->raised[1] = work->raised[2] = NULL;
    return -1;
}
