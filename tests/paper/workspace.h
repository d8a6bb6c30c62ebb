/* workspace.h - a paper with settings of the test's own, and a directory for its cells. */
#ifndef SPAR_TESTS_PAPER_WORKSPACE_H
#define SPAR_TESTS_PAPER_WORKSPACE_H

#include "base/alloc.h"
#include "paper/paper.h"
#include "tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static inline spar__paper *workspace_paper(const spar__paper_options *options)
{
    spar__paper *paper = spar__alloc(1, sizeof *paper);
    paper->options = *options;
    return paper;
}

/* A new directory; its name lives as long as the program. */
static inline const char *workspace_folder(void)
{
    static char name[16][64];
    static int n;
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(name[n], sizeof name[n], "%s/spar-paper-XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
    return mkdtemp(name[n++]);
}

/* Calls visit (may be NULL) with every file in it, and counts them. */
static inline size_t workspace_each(const char *folder, void (*visit)(const char *path))
{
    size_t n = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[400];
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        n++;
        if (visit)
            visit(path);
    }
    if (dir)
        (void)closedir(dir);
    return n;
}

static inline void workspace_remove(const char *path)
{
    (void)remove(path);
}

static inline void workspace_clear(const char *folder)
{
    (void)workspace_each(folder, workspace_remove);
    (void)rmdir(folder);
}

#endif
