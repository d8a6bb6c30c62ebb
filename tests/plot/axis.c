#include "plot/frame.h"

#include "tap.h"

/* The labels of the major ticks, one after the other: "0 10 20", powers as "10^3". */
static const char *labels(const spar__axis *axis)
{
    static char all[2048];
    size_t used = 0;
    all[0] = '\0';
    for (size_t i = 0; i < axis->n; i++) {
        const spar__tick *tick = &axis->tick[i];
        if (tick->major)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s%s%s", used ? " " : "", tick->label,
                                     *tick->power ? "^" : "", tick->power);
    }
    return all;
}

static spar__axis fit(double lo, double hi, bool log, bool snap, size_t wanted)
{
    spar__axis axis = {0};
    spar__axis_fit(&axis, (spar__range){lo, hi}, log, snap, wanted);
    axis.to = 100;
    return axis;
}

#define LABELS(lo, hi, log, wanted, sentence)                                                                          \
    do {                                                                                                               \
        spar__axis fitted = fit(lo, hi, log, true, wanted);                                                            \
        same_text(labels(&fitted), sentence, "%s from %g to %g", log ? "log" : "linear", (double)(lo), (double)(hi));  \
    } while (0)

#define MINUS "\xE2\x88\x92"
#define TIMES "\xC3\x97"

static void test_linear(void)
{
    LABELS(0, 100000, false, 5, "0 20,000 40,000 60,000 80,000 100,000");
    LABELS(0, 1, false, 5, "0 0.2 0.4 0.6 0.8 1.0");
    LABELS(0, 0.7, false, 7, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7");
    LABELS(1, 100, false, 5, "0 20 40 60 80 100");
    LABELS(90, 100, false, 5, "90 92 94 96 98 100");
    LABELS(-5, 5, false, 4, MINUS "4 " MINUS "2 0 2 4");
    LABELS(-100, -1, false, 2, MINUS "100 " MINUS "50 0");
    LABELS(0, 4e6, false, 4, "0 1M 2M 3M 4M");
    LABELS(0, 1e6, false, 4, "0 0.2M 0.4M 0.6M 0.8M 1.0M");
    LABELS(0, 2e9, false, 2, "0 1" TIMES "10^9 2" TIMES "10^9");
    LABELS(0, 3e-9, false, 3, "0 1" TIMES "10^" MINUS "9 2" TIMES "10^" MINUS "9 3" TIMES "10^" MINUS "9");
    LABELS(1e9, 1e9 + 4, false, 4, "1,000,000,000 1,000,000,001 1,000,000,002 1,000,000,003 1,000,000,004");
    LABELS(0, 0.0004, false, 2, "0 0.0002 0.0004");
    LABELS(3, 3, false, 3, "2 3 4");
    LABELS(0, 0, false, 2, "0 0.5 1.0");
    LABELS(HUGE_VAL, -HUGE_VAL, false, 2, "0 0.5 1.0");
}

static void test_log(void)
{
    LABELS(1, 1e5, true, 6, "1 10 100 1,000 10,000 100,000");
    LABELS(1, 1e6, true, 6, "10^0 10^1 10^2 10^3 10^4 10^5 10^6");
    LABELS(0.001, 10, true, 5, "0.001 0.01 0.1 1 10");
    LABELS(1e-6, 1, true, 3, "10^" MINUS "6 10^" MINUS "4 10^" MINUS "2 10^0");
    LABELS(1, 100, true, 5, "1 2 5 10 20 50 100");
    LABELS(1e6, 1e7, true, 4, "10^6 2" TIMES "10^6 5" TIMES "10^6 10^7");
    LABELS(161, 165, true, 4, "161 162 163 164 165");
    LABELS(-3, 0, true, 2, "0.1 1 10");
    spar__axis axis = fit(1, 1000, true, true, 4);
    ok(axis.n == 28, "each decade has its minor ticks (%zu)", axis.n);
    axis = fit(1.8, 320, true, true, 4);
    ok(axis.lo == 1 && axis.hi == 400, "ends move out to a digit (%g, %g)", axis.lo, axis.hi);
    near(spar__axis_at(&axis, 20), 50, 1e-9, "the middle of a log axis is the geometric mean");
    near(spar__axis_at(&axis, 0), 0, 0, "zero lies at its start");
    near(spar__axis_at(&axis, -1), 0, 0, "so does less");
}

/* Whatever the range: ticks ascend and lie inside, not too few or many are labelled, no two labels are the same. */
static void check(double lo, double hi, bool log, bool snap, size_t wanted)
{
    spar__axis axis = fit(lo, hi, log, snap, wanted);
    size_t major = 0, wrong = 0;
    const spar__tick *last = NULL;
    for (size_t i = 0; i < axis.n; i++) {
        const spar__tick *tick = &axis.tick[i];
        double at = spar__axis_at(&axis, tick->value);
        wrong += !(at >= -1e-3 && at <= 100 + 1e-3) || (i > 0 && tick->value <= axis.tick[i - 1].value);
        if (tick->major) {
            wrong += !tick->label[0] ||
                     (last && strcmp(last->label, tick->label) == 0 && strcmp(last->power, tick->power) == 0);
            last = tick;
            major++;
        }
    }
    bool covers = !(lo <= hi) || hi < 1e-290 || (log && lo <= 0) ||
                  (axis.lo <= lo * (1 + 1e-12) + 1e-300 && axis.hi >= hi * (1 - 1e-12) - 1e-300) || lo < 0;
    ok(wrong == 0 && covers && axis.lo < axis.hi && isfinite(axis.hi - axis.lo), "%s [%g, %g] for %zu is sound",
       log ? "log" : "linear", lo, hi, wanted);
    ok(major >= (snap ? 2u : 1u) && major <= 3 * wanted + 3, "with %zu labels", major);
}

static void test_crop(void)
{
    spar__axis axis;
    spar__axis_fit(&axis, (spar__range){0.05, 1.06}, false, true, 5);
    ok(axis.lo == 0 && axis.hi > 1.06, "an axis reaches out to its ticks");
    spar__axis_crop(&axis, (spar__range){0.05, 1.06});
    axis.from = 0, axis.to = 100;
    ok(axis.lo == 0.05 && axis.hi == 1.06 && spar__axis_at(&axis, 1.06) == 100, "until it is cropped");
    ok(axis.n > 3 && axis.tick[0].value >= 0.05 && axis.tick[axis.n - 1].value <= 1.06, "with the ticks outside");
    spar__axis_crop(&axis, (spar__range){7, 7});
    ok(axis.lo == 0.05 && axis.hi == 1.06, "but not to nothing");
}

int main(void)
{
    test_linear();
    test_log();
    static const double ranges[][2] = {
        {0, 1},       {1e-280, 1e300}, {-1e300, 1e300},  {1e-9, 2e-9},  {0, 7e-200},  {5, 5},
        {-5, -5},     {1e9, 1e9 + 1},  {123456, 123457}, {-1, 1e-5},    {0.3, 0.9},   {17, 4711},
        {1e14, 9e14}, {99.9, 100.1},   {1e-320, 1e-310}, {1, 1 + 1e-9}, {-3e15, 2e15}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (size_t wanted = 2; wanted <= 9; wanted += 7)
            for (int log = 0; log < 2; log++)
                check(ranges[i][0], ranges[i][1], log, true, wanted);
    for (double hi = 1.1; hi < 2000; hi *= 1.37)
        check(1, hi, true, true, 5);
    spar__range range = SPAR__RANGE_EMPTY;
    spar__range_add(&range, NAN);
    spar__range_add(&range, HUGE_VAL);
    ok(range.lo > range.hi, "what is not finite is not in the range");
    spar__range_add(&range, 3);
    spar__range_add(&range, -2);
    ok(range.lo == -2 && range.hi == 3, "what is finite is");
    test_crop();
    return done();
}
