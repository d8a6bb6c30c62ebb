#include "plot/strip.h"

#include "plot/svg.h"

#include <math.h>

enum { STRIP = 20, COLUMNS = 96 }; /* heights */

static void begin(spar__buf *out, const char *class, int height, const char *name)
{
    spar__buf_printf(out, "<svg class=\"%s\" role=\"img\" width=\"100%%\" height=\"%d\"><title>", class, height);
    spar__svg_escape(out, name);
    spar__buf_adds(out, "</title>");
}

/* A share of the width, within it. */
static void add_share(spar__buf *out, const char *attribute, double share)
{
    spar__buf_printf(out, " %s=\"", attribute);
    spar__svg_number(out, 100 * fmin(fmax(share, 0), 1));
    spar__buf_adds(out, "%\"");
}

static void add_line(spar__buf *out, const char *class, double x1, double x2, double y1, double y2)
{
    spar__buf_printf(out, "<line class=\"%s\"", class);
    add_share(out, "x1", x1);
    add_share(out, "x2", x2);
    spar__svg_attribute(out, "y1", y1);
    spar__svg_attribute(out, "y2", y2);
    spar__buf_adds(out, "/>");
}

void spar__plot_strip(const spar__strip *strip, spar__buf *out)
{
    begin(out, strip->faint ? "strip faint" : "strip", STRIP, strip->name);
    add_line(out, "axis", 0, 0, 0, STRIP);
    add_line(out, "axis", 1, 1, 0, STRIP);
    add_line(out, "half", 0.5, 0.5, 0, STRIP);
    add_line(out, "reach", strip->low, strip->high, STRIP / 2, STRIP / 2);
    if (!isnan(strip->value)) {
        spar__buf_adds(out, "<circle class=\"dot\"");
        add_share(out, "cx", strip->value);
        spar__buf_printf(out, " cy=\"%d\" r=\"5\"/>", STRIP / 2);
    }
    spar__buf_adds(out, "</svg>");
}

void spar__plot_columns(const char *name, size_t n, const uint64_t *count, spar__buf *out)
{
    uint64_t most = 1;
    for (size_t i = 0; i < n; i++)
        most = count[i] > most ? count[i] : most;
    begin(out, "columns", COLUMNS, name);
    for (size_t i = 0; i < n; i++) {
        double height = (COLUMNS - 2) * (double)count[i] / (double)most;
        if (!count[i])
            continue;
        spar__buf_adds(out, "<rect class=\"column\"");
        add_share(out, "x", ((double)i + 0.1) / (double)n);
        add_share(out, "width", 0.8 / (double)n);
        spar__svg_attribute(out, "y", COLUMNS - 1 - height);
        spar__svg_attribute(out, "height", height);
        spar__buf_adds(out, "/>");
    }
    add_line(out, "axis", 0, 1, COLUMNS - 0.5, COLUMNS - 0.5);
    spar__buf_adds(out, "</svg>");
}
