/* outdir.h - the output directory of a command. */
#ifndef SPAR_CLI_OUTDIR_H
#define SPAR_CLI_OUTDIR_H

#include "plot/plot.h"

/* Makes the directory and its parents if they are missing, and checks that a file can be written there. */
spar_status spar__outdir_make(const char *dir, spar_error *err);

/* dir/name into path, which is emptied first. */
spar_status spar__outdir_path(const char *dir, const char *name, spar__buf *path, spar_error *err);

spar_status spar__outdir_write(const char *dir, const char *name, const spar__buf *text, spar_error *err);

/* Writes dir/name.svg and renders it as dir/name.png; if only rendering fails, prints a warning. */
spar_status spar__outdir_plot(const char *dir, const char *name, const spar__buf *svg, spar_error *err);

/* The same, and dir/name.pdf. */
spar_status spar__outdir_print(const char *dir, const char *name, const spar__buf *svg, spar_error *err);

/* All of these, and dir/name.html: a page with the figure, its caption (HTML) and its data as tables. */
spar_status spar__outdir_figure(const char *dir, const char *name, const spar__drawing *drawing, const char *caption,
                                spar_error *err);

/* Adds "wrote DIR: a, b" about the files written so far, or how many where they are too many to name; nothing if there
 * are none. */
void spar__outdir_wrote(spar__buf *out);

#endif
