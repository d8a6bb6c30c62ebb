/* lab.h - a folder of its own for a test, and files in it. */
#ifndef SPAR_TESTS_RANK_LAB_H
#define SPAR_TESTS_RANK_LAB_H

#include "tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static char lab_folder[300];

static inline void lab_open(void)
{
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(lab_folder, sizeof lab_folder, "%s/spar-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(lab_folder))
        lab_folder[0] = '\0';
}

/* The path of a file in the folder; good for many calls. */
static inline const char *lab_path(const char *name)
{
    static char path[64][700];
    static int next;
    next = (next + 1) % 64;
    (void)snprintf(path[next], sizeof path[next], "%s/%s", lab_folder, name);
    return path[next];
}

static inline void lab_write(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(lab_path(name), "wb");
    if (!file || fwrite(bytes, 1, length, file) != length)
        printf("# cannot write %s\n", name);
    if (file)
        (void)fclose(file);
}

static inline void lab_text(const char *name, const char *text)
{
    lab_write(name, text, strlen(text));
}

/* How many files there are. */
static inline int lab_files(void)
{
    int n = 0;
    DIR *folder = opendir(lab_folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        n += entry->d_name[0] != '.';
    if (folder)
        (void)closedir(folder);
    return n;
}

static inline void lab_close(void)
{
    DIR *folder = opendir(lab_folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            (void)remove(lab_path(entry->d_name));
    if (folder)
        (void)closedir(folder);
    (void)rmdir(lab_folder);
}

#endif
