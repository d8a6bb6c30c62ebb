/* tap.h - a test program prints "ok 1 - what" or "not ok 1 - what" and a plan at the end (Test Anything Protocol).
 * Use: ok(condition, "what %d", i); near(value, wanted, tolerance, "what"); skip("why") ; return done(); */
#ifndef SPAR_TESTS_TAP_H
#define SPAR_TESTS_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

__attribute__((format(printf, 4, 5), unused)) static bool tap_ok(bool good, const char *file, int line,
                                                                 const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    printf("%sok %d - %s\n", good ? "" : "not ", ++tap_count, what);
    if (!good) {
        tap_failed++;
        printf("# at %s:%d\n", file, line);
    }
    (void)fflush(stdout);
    return good;
}

#define ok(good, ...) tap_ok((good), __FILE__, __LINE__, __VA_ARGS__)

/* got within tolerance of wanted; prints both when not. NaN is never near. */
#define near(got, wanted, tolerance, ...)                                                              \
    do {                                                                                               \
        double tap_got = (got), tap_wanted = (wanted), tap_tolerance = (tolerance);                    \
        if (!ok(fabs(tap_got - tap_wanted) <= tap_tolerance, __VA_ARGS__))                             \
            printf("# got %.17g, wanted %.17g +- %.3g\n", tap_got, tap_wanted, tap_tolerance);         \
    } while (0)

#define same_text(got, wanted, ...)                                  \
    do {                                                             \
        const char *tap_g = (got), *tap_w = (wanted);                \
        if (!ok(strcmp(tap_g, tap_w) == 0, __VA_ARGS__))             \
            printf("# got    \"%s\"\n# wanted \"%s\"\n", tap_g, tap_w); \
    } while (0)

__attribute__((unused)) static void skip(const char *why)
{
    printf("ok %d # SKIP %s\n", ++tap_count, why);
}

__attribute__((unused)) static int done(void)
{
    printf("1..%d\n", tap_count);
    if (tap_failed)
        printf("# %d of %d failed\n", tap_failed, tap_count);
    return tap_failed ? 1 : 0;
}

#endif
