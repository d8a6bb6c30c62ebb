/* outdir.c - the output directory of a command: its files, and figures as SVG, PNG, PDF and a page. What rsvg-convert
 * cannot do is a warning, not a failure. */
#include "cli/outdir.h"

#include "base/alloc.h"
#include "base/file.h"
#include "plot/plot.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

spar_status spar__outdir_path(const char *dir, const char *name, spar__buf *path, spar_error *err)
{
    spar__buf_clear(path);
    spar__buf_printf(path, "%s/%s", dir, name);
    return path->failed ? spar__fail_memory(err) : SPAR_OK;
}

/* What was written, for the user: names while they are few. */
static struct {
    char dir[200], names[160];
    size_t n, used;
} wrote;

static void note_file(const char *dir, const char *name, const char *kind)
{
    int length =
        snprintf(wrote.names + wrote.used, sizeof wrote.names - wrote.used, "%s%s%s", wrote.n ? ", " : "", name, kind);
    wrote.used += length < 0 || (size_t)length >= sizeof wrote.names - wrote.used ? sizeof wrote.names - wrote.used - 1
                                                                                  : (size_t)length;
    wrote.n++;
    (void)snprintf(wrote.dir, sizeof wrote.dir, "%s", dir);
}

void spar__outdir_wrote(spar__buf *out)
{
    if (!wrote.n)
        return;
    spar__buf_adds(out, "wrote ");
    if (wrote.used + 1 >= sizeof wrote.names)
        spar__buf_printf(out, "%zu files in ", wrote.n);
    spar__buf_add_printable(out, wrote.dir);
    if (wrote.used + 1 < sizeof wrote.names) {
        spar__buf_adds(out, ": ");
        spar__buf_add_printable(out, wrote.names);
    }
    spar__buf_adds(out, "\n");
}

spar_status spar__outdir_write(const char *dir, const char *name, const spar__buf *text, spar_error *err)
{
    spar__buf path = {0};
    spar_status status = spar__outdir_path(dir, name, &path, err);
    if (!status)
        status = spar__file_write(path.text, text->text, text->length, err);
    if (!status)
        note_file(dir, name, "");
    spar__buf_free(&path);
    return status;
}

/* Without the tool there is no picture at all: saying so once is enough. */
static void warn_no_picture(const char *name, const char *kind, const spar_error *trouble)
{
    static bool said;
    if (trouble->status != SPAR_UNSUPPORTED)
        (void)fprintf(stderr, "spar: warning: no %s.%s: %s\n", name, kind, trouble->text);
    else if (!said)
        (void)fputs("spar: warning: plots are written as SVG only: PNG and PDF need rsvg-convert (Debian: apt install "
                    "librsvg2-bin)\n",
                    stderr);
    said |= trouble->status == SPAR_UNSUPPORTED;
}

/* Turns dir/name.svg into dir/name.kind. The tool writes the present time into a PDF unless it is told another: the
 * same command is to give the same bytes. */
static spar_status render(const char *dir, const char *name, const char *kind, spar_error *err)
{
    spar__buf from = {0}, to = {0};
    spar__buf_printf(&from, "%s/%s.svg", dir, name);
    spar__buf_printf(&to, "%s/%s.%s", dir, name, kind);
    spar_status status = from.failed || to.failed ? spar__fail_memory(err) : SPAR_OK;
    spar_error trouble = {0};
    (void)setenv("SOURCE_DATE_EPOCH", "0", 0);
    if (!status && spar__svg_render(from.text, to.text, &trouble))
        warn_no_picture(name, kind, &trouble);
    else if (!status)
        note_file(dir, name, strcmp(kind, "png") == 0 ? ".png" : ".pdf");
    spar__buf_free(&from);
    spar__buf_free(&to);
    return status;
}

spar_status spar__outdir_plot(const char *dir, const char *name, const spar__buf *svg, spar_error *err)
{
    spar__buf file = {0};
    spar__buf_printf(&file, "%s.svg", name);
    spar_status status = file.failed ? spar__fail_memory(err) : spar__outdir_write(dir, file.text, svg, err);
    spar__buf_free(&file);
    return status ? status : render(dir, name, "png", err);
}

spar_status spar__outdir_print(const char *dir, const char *name, const spar__buf *svg, spar_error *err)
{
    spar_status status = spar__outdir_plot(dir, name, svg, err);
    return status ? status : render(dir, name, "pdf", err);
}

spar_status spar__outdir_figure(const char *dir, const char *name, const spar__drawing *drawing, const char *caption,
                                spar_error *err)
{
    spar__buf page = {0}, file = {0};
    spar_status status = spar__outdir_print(dir, name, &drawing->svg, err);
    spar__sheet_of(drawing, caption, &page);
    spar__buf_printf(&file, "%s.html", name);
    if (!status)
        status = page.failed || file.failed ? spar__fail_memory(err) : spar__outdir_write(dir, file.text, &page, err);
    spar__buf_free(&page);
    spar__buf_free(&file);
    return status;
}

static spar_status make_one(const char *path, const char *dir, spar_error *err)
{
    struct stat info;
    if (mkdir(path, 0777) == 0)
        return SPAR_OK;
    int reason = errno; /* stat sets errno too */
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return SPAR_OK;
    return spar__fail(err, SPAR_IO, "%s: cannot make the directory: %s", dir,
                      reason == EEXIST ? "a file is in the way" : strerror(reason));
}

/* Permission bits are not enough: root, read-only and full file systems. A signal has to wait, so that nothing is
 * left. */
static spar_status probe(const char *dir, spar_error *err)
{
    char name[32];
    (void)snprintf(name, sizeof name, ".spar-%ld", (long)getpid());
    spar__buf path = {0};
    spar_status status = spar__outdir_path(dir, name, &path, err);
    sigset_t waiting, before;
    (void)sigemptyset(&waiting);
    (void)sigaddset(&waiting, SIGINT);
    (void)sigaddset(&waiting, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &waiting, &before);
    if (!status && spar__file_write(path.text, "", 0, NULL))
        status = spar__fail(err, SPAR_IO, "%s: cannot write there: %s", dir, strerror(errno));
    if (!status)
        (void)remove(path.text);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    spar__buf_free(&path);
    return status;
}

spar_status spar__outdir_make(const char *dir, spar_error *err)
{
    char *path = spar__strdup(dir);
    if (!path)
        return spar__fail_memory(err);
    spar_status status = SPAR_OK;
    for (char *c = path + 1; !status && path[0] && *c; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        status = make_one(path, dir, err);
        *c = '/';
    }
    if (!status)
        status = make_one(path, dir, err);
    spar__free(path);
    return status ? status : probe(dir, err);
}
