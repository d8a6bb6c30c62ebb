#include "plot/plot.h"

#include "base/alloc.h"
#include "base/file.h"
#include "tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char svg[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"><rect width=\"9\" height=\"9\"/></svg>";

static char source[64], png[64], pdf[64], broken[64];

static size_t count_temporaries(void)
{
    size_t n = 0;
    DIR *dir = opendir(".");
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        n += strstr(entry->d_name, ".tmp") && (strncmp(entry->d_name, ".spar-", 6) == 0 || strstr(entry->d_name, png));
    if (dir)
        (void)closedir(dir);
    return n;
}

/* The old name of the temporary, made a link to another file: it must not be followed. */
static void test_link(void)
{
    spar_error err = {0};
    spar__buf bytes = {0};
    char victim[64], trap[96];
    (void)snprintf(victim, sizeof victim, "test_render.%ld.victim", (long)getpid());
    (void)snprintf(trap, sizeof trap, "%s.%ld.tmp", png, (long)getpid());
    ok(spar__file_write(victim, "mine", 4, &err) == SPAR_OK && symlink(victim, trap) == 0, "a trap");
    ok(spar__svg_render(source, png, &err) == SPAR_OK, "a png is made: %s", err.text);
    ok(spar__file_read(victim, 0, &bytes, &err) == SPAR_OK && strcmp(bytes.text, "mine") == 0, "next to it");
    (void)remove(trap);
    ok(symlink(victim, trap) == 0 && remove(png) == 0 && symlink(victim, png) == 0, "a link as the target");
    ok(spar__svg_render(source, png, &err) == SPAR_OK, "is followed: %s", err.text);
    struct stat now;
    ok(lstat(png, &now) == 0 && S_ISLNK(now.st_mode), "and stays");
    spar__buf_clear(&bytes);
    ok(spar__file_read(victim, 0, &bytes, &err) == SPAR_OK && memcmp(bytes.text, "\x89PNG", 4) == 0, "with the png");
    spar__buf_free(&bytes);
    (void)remove(trap);
    (void)remove(victim);
}

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
    ok(count_temporaries() == 0, "and leaves nothing behind");
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
    if (access(png, F_OK) == 0)
        test_link();
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
