#include "plot/plot.h"

#include "base/alloc.h"
#include "base/file.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

static const char svg[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"><rect width=\"9\" height=\"9\"/></svg>";

static char source[64], png[64], pdf[64], broken[64];

static void test_formats(void)
{
    spar_error err = {0};
    spar__buf bytes = {0};
    spar_status status = spar__svg_render(source, png, &err);
    if (status == SPAR_UNSUPPORTED) {
        ok(strstr(err.text, "rsvg-convert") && strstr(err.text, "librsvg2-bin"), "without rsvg-convert, this is said");
        skip("no rsvg-convert here");
        return;
    }
    ok(status == SPAR_OK, "a png is made: %s", err.text);
    ok(spar__file_read(png, 0, &bytes, &err) == SPAR_OK && memcmp(bytes.text, "\x89PNG", 4) == 0, "it is one");
    ok(bytes.length > 24 && bytes.text[19] == 60 && bytes.text[23] == 40, "of twice the pixels");
    spar__buf_clear(&bytes);
    ok(spar__svg_render(source, pdf, &err) == SPAR_OK, "a pdf is made");
    ok(spar__file_read(pdf, 0, &bytes, &err) == SPAR_OK && memcmp(bytes.text, "%PDF", 4) == 0, "it is one");
    spar__buf_free(&bytes);
    err.text[0] = '\0';
    ok(spar__svg_render(broken, png, &err) == SPAR_IO && strstr(err.text, "rsvg-convert failed: ") &&
           !strstr(err.text, "no reason"),
       "what is no SVG fails with a reason");
    ok(spar__svg_render("no such file.svg", png, &err) == SPAR_IO, "so does a missing file");
    char left[96];
    (void)snprintf(left, sizeof left, "%s.%ld.tmp", png, (long)getpid());
    ok(access(left, F_OK) != 0, "and leaves nothing behind");
    ok(spar__file_read(png, 0, &bytes, &err) == SPAR_OK && memcmp(bytes.text, "\x89PNG", 4) == 0,
       "the picture of before is still there");
    spar__buf_free(&bytes);
    char dashed[80];
    (void)snprintf(dashed, sizeof dashed, "-%s", png);
    ok(spar__svg_render(source, dashed, &err) == SPAR_OK, "a name may begin with a dash");
    (void)remove(dashed);
    ok(spar__svg_render(source, "no/such/folder/x.png", &err) == SPAR_IO, "a folder that is not there is an error");
}

int main(void)
{
    spar_error err = {0};
    (void)snprintf(source, sizeof source, "test_render.%ld.svg", (long)getpid());
    (void)snprintf(broken, sizeof broken, "test_render.%ld.broken.svg", (long)getpid());
    (void)snprintf(png, sizeof png, "test_render.%ld.png", (long)getpid());
    (void)snprintf(pdf, sizeof pdf, "test_render.%ld.pdf", (long)getpid());
    ok(spar__file_write(source, svg, strlen(svg), &err) == SPAR_OK, "an SVG to render");
    ok(spar__file_write(broken, svg, strlen(svg) - 9, &err) == SPAR_OK, "and half a one");
    test_formats();
    ok(spar__svg_render(source, "x.gif", &err) == SPAR_INVALID && strstr(err.text, "x.gif"),
       "other formats are refused");
    spar__alloc_fail_at(1);
    ok(spar__svg_render(source, png, &err) == SPAR_NOMEM, "so is a lack of memory");
    spar__alloc_fail_at(0);
    ok(setenv("PATH", "/nowhere", 1) == 0, "a machine without tools");
    ok(spar__svg_render(source, png, &err) == SPAR_UNSUPPORTED && strstr(err.text, "rsvg-convert") &&
           strstr(err.text, "librsvg2-bin"),
       "the missing tool and its package are named");
    (void)remove(source);
    (void)remove(broken);
    (void)remove(png);
    (void)remove(pdf);
    return done();
}
