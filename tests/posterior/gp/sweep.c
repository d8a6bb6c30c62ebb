/* The posterior against the textbook's over all kernels, lengths from 1e-3 to 1e3, noise from 1e-12 to 1, arms alike
 * and not, few and many answers. Below noise 1e-4 there is no promise but to say how far it is off. */
#include "posterior/gp/bench.h"

/* Where no backing serves, the basis says why. */
static void check_too_many(void)
{
    static double x[5000];
    for (size_t i = 0; i < 5000; i++)
        x[i] = sin((double)i * 77.7);
    bench_refused("gp(length=1e-6)", 5000, 1, x, "gp: 5000 points need more than 2048 basis functions");
}

int main(void)
{
    check_too_many();
    static const double lengths[] = {1e-3, 0.05, 0.2, 1, 10, 1e3}, noises[] = {1e-12, 1e-9, 1e-6, 1e-4, 0.025, 1};
    static const size_t answers[] = {30, 1000, 100000};
    for (int kernel = 0; kernel < KERNELS; kernel++)
        for (int set = 0; set < 3; set++)
            for (size_t l = 0; l < 6; l++)
                for (size_t n = 0; n < 6; n++)
                    for (size_t a = 0; a < 3; a++) {
                        /* With lengths far beyond the arms' distances the answers fit the model badly, and rounding
                         * of the kernel itself, 1e-16 of it, shows: measured up to 1.2e-8. */
                        double bound = noises[n] < 1e-4 ? INFINITY : lengths[l] >= 10 ? 3e-8 : 1e-8;
                        if (kernel == SPAR__KERNEL_LINEAR && lengths[l] < 0.2)
                            continue; /* values in the thousands: digits are relative to them */
                        bench_exact(&(trial){kernel, set, 30, 1, 30, answers[a], lengths[l], noises[n]}, bound);
                        if (answers[a] <= 1000)
                            bench_exact(&(trial){kernel, set, 8, 2, 64, answers[a], lengths[l], noises[n]}, bound);
                        if (answers[a] == 1000 && noises[n] == 0.025 && l % 2 == 0)
                            bench_exact(&(trial){kernel, set, 30, 2, 300, answers[a], lengths[l], noises[n]}, bound);
                    }
    return done();
}
