/* The text of a space, and its values: what is read, what is refused, and that nothing is lost by rounding. */
#include "session/axes.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

static spar_error err;

static spar_axes *read_axes(const char *text)
{
    spar_axes *axes = NULL;
    if (spar_axes_new(text, &axes, &err)) {
        printf("Bail out! %s\n", err.text);
        abort();
    }
    return axes;
}

static void refuse(const char *text, const char *why)
{
    spar_axes *axes = NULL;
    spar_status status = spar_axes_new(text, &axes, &err);
    if (!ok(status == SPAR_PARSE && !axes && strstr(err.text, why), "'%.60s' is refused: %s", text, why))
        printf("# got %d: %s\n", (int)status, status ? err.text : "");
    spar_axes_free(axes);
}

static void test_text(void)
{
    static const char text[] =
        " speed 0.1..2 m/s, gain 1..10 log dB,level { 1, 2,5 } mm , f 1..3 kHz log, mode {a,b c}";
    spar_axes *axes = read_axes(text);
    same_text(spar_axes_text(axes), text, "the text is kept as it was");
    ok(spar_axes_count(axes) == 5 && spar_axes_dim(axes) == 6, "five axes, of which the choice has two numbers");
    same_text(spar_axes_name(axes, 2), "level", "a name that a comma goes before");
    same_text(spar_axes_unit(axes, 0), "m/s", "the unit of a range");
    same_text(spar_axes_unit(axes, 1), "dB", "a unit behind log");
    same_text(spar_axes_unit(axes, 2), "mm", "the unit of levels");
    same_text(spar_axes_unit(axes, 3), "kHz", "a unit before log");
    ok(spar_axes_unit(axes, 4) == NULL, "a choice has none");
    ok(spar_axes_kind(axes, 0) == SPAR_AXIS_RANGE && spar_axes_kind(axes, 1) == SPAR_AXIS_LOG &&
           spar_axes_kind(axes, 2) == SPAR_AXIS_LEVELS && spar_axes_kind(axes, 3) == SPAR_AXIS_LOG &&
           spar_axes_kind(axes, 4) == SPAR_AXIS_CHOICE,
       "the kinds");
    ok(spar_axes_values(axes, 0) == 191 && spar_axes_values(axes, 1) == 901 && spar_axes_values(axes, 2) == 3,
       "how many values there are");
    ok(spar_axes_number(axes, 0, 0) == 0.1 && spar_axes_number(axes, 0, 190) == 2 && spar_axes_number(axes, 2, 2) == 5,
       "limits are values");
    ok(isnan(spar_axes_number(axes, 4, 0)), "a choice is no number");
    char word[SPAR__AXES_VALUE];
    (void)spar_axes_write(axes, 4, 1, word, sizeof word);
    same_text(word, "b c", "a choice in words");
    spar_axes_free(axes);
    spar_axes_free(NULL);
}

static void test_refused(void)
{
    refuse("", "an axis is missing");
    refuse("a 0..1,", "an axis is missing");
    refuse("a 0..1, , b 0..1", "an axis is missing");
    refuse("a", "has no values");
    refuse("a 1", "'a' has '1' in place of values");
    refuse("cable length 1..2 m", "'cable' has 'length' in place of values");
    refuse("a x..2", "no numbers");
    refuse("a 1..nan", "no numbers");
    refuse("a 2..1", "ends where it begins");
    refuse("a 1..1", "ends where it begins");
    refuse("a 0..1 log", "above 0");
    refuse("a 1000..1001", "too narrow");
    refuse("a 1..1.001 log", "too narrow");
    refuse("a 0..1e13", "another unit");
    refuse("a 0..1e-13", "another unit");
    refuse("a {1}", "one value only");
    refuse("a {}", "no value");
    refuse("a {1,,2}", "no value");
    refuse("a {1,2", "does not end");
    refuse("a {1,{2,3}}", "list in a list");
    refuse("a {2,1}", "do not rise");
    refuse("a {x,x}", "twice");
    refuse("a {x,y} m", "no unit");
    refuse("a 0..1, a 0..2", "is there twice");
    refuse("a 0..1 {m}", "expected a comma");
    refuse("a 0..1 m b 1..10", "expected a comma");
    refuse("a 0..1 step 0.1", "expected a comma");
    refuse("a {1,2} s b {3,4}", "expected a comma");
    refuse("a 0...1", "no numbers");
    refuse("a 0..1 \x1b[1m", "no plain text");
    refuse("\xff 0..1", "no plain text");
    refuse("a 0..1,b 0..1,c 0..1,d 0..1,e 0..1,f 0..1,g 0..1,h 0..1,i 0..1,j 0..1,k 0..1,l 0..1,m 0..1,n 0..1,o 0..1,"
           "p 0..1,q 0..1",
           "more than 16 axes");
}

/* Significant digits of a decimal. */
static size_t digits_of(const char *text)
{
    size_t n = 0, zeros = 0;
    bool point = strchr(text, '.') != NULL;
    for (; *text; text++)
        if (*text >= '1' && *text <= '9') {
            n += n ? zeros + 1 : 1;
            zeros = 0;
        } else if (*text == '0')
            zeros++;
    return n + (point ? zeros : 0);
}

/* Is value i, at x, the nearest of points that are nearer to it than to the value before, at `last`, and not of others?
 */
static bool takes_its_half(const spar_axes *axes, size_t i, double last, double x)
{
    size_t near_to = i + 1, far_from = i + 1;
    spar_axes_nearest(axes, &(double){last + 0.51 * (x - last)}, &near_to);
    spar_axes_nearest(axes, &(double){last + 0.49 * (x - last)}, &far_from);
    return near_to == i && far_from == i - 1;
}

/* Every value: within the limits, at most 4 digits, read back as the same number, and its point leads back to it. */
static void test_axis(const char *text, double lo, double hi)
{
    spar_axes *axes = read_axes(text);
    size_t n = spar_axes_values(axes, 0), wrong = 0, outside = 0, longest = 0, lost = 0, unsorted = 0;
    double last = -1;
    for (size_t i = 0; i < n; i++) {
        char word[SPAR__AXES_VALUE];
        double x = 0, number = spar_axes_number(axes, 0, i);
        size_t back = n;
        (void)spar_axes_write(axes, 0, i, word, sizeof word);
        wrong += strtod(word, NULL) != number;
        outside += number < lo || number > hi;
        longest = digits_of(word) > longest ? digits_of(word) : longest;
        spar_axes_point(axes, &i, &x);
        spar_axes_nearest(axes, &x, &back);
        lost += back != i || (i && !takes_its_half(axes, i, last, x));
        unsorted += !(x > last && x >= 0 && x <= 1);
        last = x;
    }
    ok(!wrong && !lost && !outside && !unsorted && longest <= 4,
       "%s: %zu values, %zu are not read back, %zu not found again, %zu outside, %zu in no order, %zu digits", text, n,
       wrong, lost, outside, unsorted, longest);
    spar_axes_free(axes);
}

/* Points beyond every edge go to a value. */
static void test_edges(void)
{
    spar_axes *axes = read_axes("a 0.1..2, b 1e-12..1e12 log, c {1,2,5}, d {x,y}, e -3.3..7.77, f 0.123456..9.87654");
    double wild[] = {-1e300, -1e-300, 0, 1e-17, 0.5, 1 - 1e-16, 1, 1 + 1e-15, 1e300};
    size_t n = sizeof wild / sizeof *wild, value[6], again[6], bad = 0;
    uint64_t state = 1;
    for (size_t i = 0; i < 100000; i++) {
        double x[7], y[7];
        for (size_t d = 0; d < 7; d++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            x[d] = wild[(state >> 33) % n];
        }
        spar_axes_nearest(axes, x, value);
        spar_axes_point(axes, value, y);
        spar_axes_nearest(axes, y, again);
        bad += memcmp(value, again, sizeof value) != 0;
        double a = spar_axes_number(axes, 0, value[0]), f = spar_axes_number(axes, 5, value[5]);
        bad += !(a >= 0.1 && a <= 2 && f >= 0.123456 && f <= 9.87654);
    }
    ok(bad == 0, "100,000 points at the edges become settings within the limits");
    spar_axes_free(axes);
}

static void test_separate(void)
{
    spar_axes *axes = read_axes("a {1,2,5}, b {x,y}");
    double before[6 * 3], x[3];
    size_t n = 0;
    const size_t value[2] = {1, 0};
    spar_axes_point(axes, value, x);
    for (; n < 6; n++) {
        spar_axes_point(axes, value, x);
        if (!spar__axes_separate(axes, n, before, x))
            break;
        memcpy(before + 3 * n, x, sizeof x);
    }
    ok(n == 6, "all 6 points of a space are found, one by one: %zu", n);
    spar_axes_point(axes, value, x);
    ok(!spar__axes_separate(axes, 6, before, x), "and there is no seventh");
    size_t step[2];
    spar_axes_nearest(axes, before + 3, step);
    ok(step[0] == 0 && step[1] == 0, "the nearest comes first: one axis, one step");
    spar_axes_free(axes);
}

int main(void)
{
    test_text();
    test_refused();
    test_axis("a 0.1..2", 0.1, 2);
    test_axis("a 0..1000", 0, 1000);
    test_axis("a -5..5", -5, 5);
    test_axis("a 20..22", 20, 22);
    test_axis("a 0.123..9.87", 0.123, 9.87);
    test_axis("a 0..1e-12", 0, 1e-12);
    test_axis("a 0..1e12", 0, 1e12);
    test_axis("a 1..10 log", 1, 10);
    test_axis("a 0.0123..4567 log", 0.0123, 4567);
    test_axis("a 1e-12..1e12 log", 1e-12, 1e12);
    test_edges();
    test_separate();
    return done();
}
