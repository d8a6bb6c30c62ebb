/* page.h - what can be read off a picture. */
#ifndef SPAR_TESTS_PLOT_PAGE_H
#define SPAR_TESTS_PLOT_PAGE_H

#include "plot/svg.h"
#include "tap.h"
#include "xml.h"

#include <math.h>
#include <stdlib.h>

__attribute__((unused)) static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static double attribute(const char *tag, const char *name)
{
    const char *at = strstr(tag, name);
    return at && at < strchr(tag, '>') ? strtod(at + strlen(name), NULL) : NAN;
}

/* Texts that start outside the page or reach over its right edge. */
__attribute__((unused)) static size_t texts_outside(const char *svg)
{
    double width = attribute(svg, " width=\""), height = attribute(svg, " height=\"");
    size_t outside = 0;
    for (const char *at = svg; (at = strstr(at, "<text")); at++) {
        char content[400];
        const char *start = strchr(at, '>') + 1;
        size_t n = 0;
        for (; *start != '<' && n + 1 < sizeof content; start++) {
            content[n++] = *start;
            if (*start == '&') /* an entity is one character */
                start = strchr(start, ';');
        }
        content[n] = '\0';
        double size = attribute(at, " font-size=\""), left = attribute(at, " x=\"");
        double wide = spar__svg_text_width(&(spar__font){size, false, ""}, content);
        const char *end = strchr(at, '>');
        const char *anchor = strstr(at, "text-anchor"), *turned = strstr(at, "rotate");
        if (turned && turned < end)
            continue;
        if (anchor && anchor < end)
            left -= strncmp(anchor + 13, "middle", 6) == 0 ? wide / 2 : wide;
        outside += !(left >= 0 && left + wide <= width) || !(attribute(at, " y=\"") <= height);
    }
    return outside;
}

/* What holds for every picture. */
__attribute__((unused)) static void sound_page(const char *svg, const char *what)
{
    const char *wrong = xml_wrong(svg);
    ok(!wrong, "%s: well-formed: %s", what, wrong ? wrong : "yes");
    ok(!strstr(svg, "nan") && !strstr(svg, "inf") && !strstr(svg, "e+"), "%s: no odd numbers", what);
    ok(texts_outside(svg) == 0, "%s: all texts are on the page", what);
}

#endif
