/* Can the colours be told apart, also by those who do not see green, and be seen on their page? Computed from the
 * palette itself: distances in Oklab after the simulation of deuteranopia by Machado, Oliveira and Fernandes (2009),
 * and the contrast of WCAG 2. Colours that must fail show that the measures work. */
#include "plot/svg.h"

#include "tap.h"

#include <math.h>
#include <stdlib.h>

/* In Oklab a difference of 0.02 is just noticeable side by side; thin lines need some times as much. */
static const double APART = 0.08, CONTRAST = 3;

typedef struct light {
    double r, g, b; /* linear */
} light;

static double linear(const char *hex)
{
    char digits[3] = {hex[0], hex[1], '\0'};
    double c = (double)strtol(digits, NULL, 16) / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static light light_of(const char *color)
{
    return (light){linear(color + 1), linear(color + 3), linear(color + 5)};
}

static light without_green(light c)
{
    return (light){fmin(fmax(0.367322 * c.r + 0.860646 * c.g - 0.227968 * c.b, 0), 1),
                   fmin(fmax(0.280085 * c.r + 0.672501 * c.g + 0.047413 * c.b, 0), 1),
                   fmin(fmax(-0.011820 * c.r + 0.042940 * c.g + 0.968881 * c.b, 0), 1)};
}

static light oklab(light c)
{
    double l = cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
    double m = cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
    double s = cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
    return (light){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                   1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                   0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static double distance(const char *one, const char *other, bool green)
{
    light a = light_of(one), b = light_of(other);
    a = oklab(green ? a : without_green(a));
    b = oklab(green ? b : without_green(b));
    return sqrt((a.r - b.r) * (a.r - b.r) + (a.g - b.g) * (a.g - b.g) + (a.b - b.b) * (a.b - b.b));
}

static double luminance(const char *color)
{
    light c = light_of(color);
    return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

static double contrast(const char *one, const char *other)
{
    double a = luminance(one), b = luminance(other);
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

/* The least distance of two colours, and the least contrast with the page. */
static void measure(const char *const *color, size_t n, const char *page, double *apart, double *seen)
{
    *apart = *seen = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        *seen = fmin(*seen, contrast(color[i], page));
        for (size_t j = 0; j < i; j++)
            *apart = fmin(*apart, fmin(distance(color[i], color[j], true), distance(color[i], color[j], false)));
    }
}

static void test_measures(void)
{
    double apart, seen;
    ok(fabs(contrast("#ffffff", "#000000") - 21) < 1e-9 && fabs(contrast("#777777", "#ffffff") - 4.48) < 0.01,
       "black on white is 21:1, grey on white as WCAG says");
    ok(distance("#ff0000", "#00a000", false) < distance("#ff0000", "#00a000", true) / 2,
       "red and green come near each other without green");
    static const char *const okabe[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F"};
    measure(okabe, 7, SPAR__PAGE_LIGHT, &apart, &seen);
    ok(apart < APART && seen < CONTRAST, "a palette that is not good enough is noticed: %.3f, %.2f:1", apart, seen);
}

static void test_colors(void)
{
    const char *colors[2][SPAR__COLORS], *const pages[] = {SPAR__PAGE_LIGHT, SPAR__PAGE_DARK};
    for (size_t i = 0; i < SPAR__COLORS; i++) {
        colors[0][i] = spar__palette(i).color;
        colors[1][i] = spar__palette(i).dark;
    }
    for (size_t k = 0; k < 2; k++) {
        double apart, seen;
        measure(colors[k], SPAR__COLORS, pages[k], &apart, &seen);
        ok(apart >= APART, "on %s colours are %.3f apart, with and without green", pages[k], apart);
        ok(seen >= CONTRAST, "and have a contrast of %.2f:1", seen);
    }
}

/* Where there are many series, colours that are near each other have other dashes. */
static void test_many(void)
{
    size_t near = 0, same = 0, solid = 0;
    for (size_t i = 0; i < SPAR__COLORS; i++) {
        spar__style a = spar__palette_among(i, SPAR__MANY_SERIES);
        solid += !spar__palette_among(i, SPAR__MANY_SERIES - 1).dash[0];
        for (size_t j = 0; j < i; j++) {
            spar__style b = spar__palette_among(j, SPAR__MANY_SERIES);
            if (distance(a.color, b.color, false) > 0.1 && distance(a.dark, b.dark, false) > 0.1)
                continue;
            near++;
            same += strcmp(a.dash, b.dash) == 0;
        }
    }
    ok(near > 3 && same == 0, "of %zu near pairs each has two dashes", near);
    ok(solid == SPAR__COLORS, "few series are solid");
    size_t alike = 0;
    for (size_t i = 0; i < SPAR__COLORS * SPAR__DASHES; i++)
        for (size_t j = 0; j < i; j++) {
            spar__style a = spar__palette_among(i, SPAR__COLORS * SPAR__DASHES),
                        b = spar__palette_among(j, SPAR__COLORS * SPAR__DASHES);
            alike += strcmp(a.color, b.color) == 0 && strcmp(a.dash, b.dash) == 0;
        }
    ok(alike == 0, "all looks differ among many, too");
}

int main(void)
{
    int same = 0;
    size_t n = SPAR__COLORS * SPAR__DASHES;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            spar__style a = spar__palette(i), b = spar__palette(j);
            same += strcmp(a.color, b.color) == 0 && strcmp(a.dash, b.dash) == 0;
        }
    ok(same == 0, "%zu looks differ", n);
    int solid = 0;
    for (size_t i = 0; i < SPAR__COLORS; i++)
        solid += spar__palette(i).dash[0] == '\0';
    ok(solid == SPAR__COLORS, "the first %d are solid", SPAR__COLORS);
    same_text(spar__palette(n).color, spar__palette(0).color, "then they repeat");
    test_measures();
    test_colors();
    test_many();
    return done();
}
