/* letor.h - a folder with learning-to-rank data for tests of rankers, and specs in which $ is that folder. */
#ifndef SPAR_TESTS_ENV_LETOR_H
#define SPAR_TESTS_ENV_LETOR_H

#include "base/buf.h"
#include "base/file.h"
#include "rank/letor.h"
#include "tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static char letor_folder[] = "lettersXXXXXX";

/* The text with every $ replaced by the folder; good for several calls. */
__attribute__((unused)) static const char *in_folder(const char *text)
{
    static char all[8][800];
    static size_t next;
    char *out = all[next++ % 8];
    size_t used = 0;
    for (out[0] = '\0'; *text && used + sizeof letor_folder < sizeof all[0]; text++)
        used += (size_t)snprintf(out + used, sizeof all[0] - used, *text == '$' ? "%s" : "%.1s",
                                 *text == '$' ? letor_folder : text);
    return out;
}

__attribute__((unused)) static void letor_write(const char *name, const char *text)
{
    if (spar__file_write(in_folder(name), text, strlen(text), NULL)) {
        printf("Bail out! can not write %s\n", name);
        exit(1);
    }
}

static bool letor_take(void *context, const char *text, size_t length)
{
    spar__buf_add(context, text, length);
    return true;
}

__attribute__((unused)) static void letor_generate(const char *name, size_t queries, size_t docs, size_t features,
                                                   uint64_t seed)
{
    spar__buf text = {0};
    spar__generate_options options = {queries, docs, features, 5, seed};
    if (spar__generate(&options, letor_take, &text, NULL))
        exit(1);
    letor_write(name, text.text);
    spar__buf_free(&text);
}

__attribute__((unused)) static void letor_open(void)
{
    if (!mkdtemp(letor_folder))
        exit(1);
}

__attribute__((unused)) static void letor_close(void)
{
    DIR *folder = opendir(letor_folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[600];
        (void)snprintf(path, sizeof path, "%s/%s", letor_folder, entry->d_name);
        if (entry->d_name[0] != '.')
            (void)remove(path);
    }
    if (folder)
        (void)closedir(folder);
    (void)rmdir(letor_folder);
}

#endif
