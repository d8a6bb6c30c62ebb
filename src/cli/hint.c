#include "cli/hint.h"

#include "base/spec.h"
#include "base/error.h"
#include "cli/list/list.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/* Part of a sentence, and what to do then. */
static const char *const hints[][2] = {
    {"the arms have no features", "envs with features: function, 'utility(features=utility)'"},
    {"have no features to plot", "envs with features: function, 'utility(features=utility)'"},
    {"expected '=' after the parameter name", "parameters are written name(parameter=value)"},
    {"expected '/' or the end", "parameters are written name(parameter=value)"},
    {"gives rewards, one arm a round", "give --m 1"},
    {"win counts need counts=1", "of 'spar describe': --counts"},
    {"could not find expected ':'", "a run file has lines such as 'rounds: 20000'"},
    {"did not find expected", "a run file has lines such as 'rounds: 20000'"},
    {"was never asked", "'spar ask FILE' shows a screen"},
    {": there is no option '", "'spar status FILE' names the options"},
    {"there is no voter '", "'spar export FILE --format csv --with-names' names the voters"},
    {"cannot make: File exists", "name a file that is not there yet"},
    {"name 1 is empty", "expected a square of numbers, a row a line"},
    {"name 2 is empty", "expected a square of numbers, a row a line"},
    {"a file is in the way", "--out takes a directory"},
};

static const char *option_of(const char *name)
{
    static const struct {
        spar_family family;
        const char *option;
    } families[] = {{SPAR_FAMILY_POLICY, "--policy"}, {SPAR_FAMILY_ALIAS, "--policy"}, {SPAR_FAMILY_ENV, "--env"}};
    const spar_entry *entry;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (size_t k = 0; (entry = spar_catalog_entry(families[i].family, k)); k++)
            if (strcmp(spar_entry_name(entry), name) == 0)
                return families[i].option;
    return NULL;
}

/* The file in the folder of `path` whose name is nearest to it, into out; false if there is none. */
static bool nearest_file(const char *path, char out[256])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char folder[512] = ".";
    if (slash)
        (void)snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
    DIR *dir = opendir(folder);
    size_t best = strlen(name) / 3 + 1; /* a file of another name is no slip */
    out[0] = '\0';
    for (struct dirent *file; dir && (file = readdir(dir));) {
        spar__nearest nearest = spar__nearest_to(name);
        spar__nearest_offer(&nearest, file->d_name);
        bool nearer = nearest.best &&
                      (nearest.distance < best || (nearest.distance == best && *out && strcmp(file->d_name, out) < 0));
        if (nearer && file->d_name[0] != '.') {
            best = nearest.distance;
            (void)snprintf(out, 256, "%s", file->d_name);
        }
    }
    if (dir)
        (void)closedir(dir);
    return *out;
}

/* "PATH: cannot open: No such file or directory" */
static bool add_missing_file(const char *sentence, spar__buf *out)
{
    const char *end = strstr(sentence, ": cannot open: No such file");
    char path[600] = "", found[256];
    if (!end || (size_t)(end - sentence) >= sizeof path)
        return false;
    memcpy(path, sentence, (size_t)(end - sentence));
    const char *option = option_of(path);
    if (option)
        spar__buf_printf(out, " (did you mean %s %s?)", option, path);
    else if (nearest_file(path, found)) {
        spar__buf_adds(out, " (did you mean '");
        spar__buf_add_printable(out, found);
        spar__buf_adds(out, "'?)");
    } else
        spar__buf_adds(out, " (check the path: no file there has a similar name)");
    return true;
}

void spar__hint(const char *sentence, spar__buf *out)
{
    const char *family = spar__list_asked(sentence);
    if (family) {
        spar__buf_printf(out, " ('spar list %s' shows all)", family);
        return;
    }
    if (add_missing_file(sentence, out))
        return;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strstr(sentence, hints[i][0])) {
            spar__buf_printf(out, " (%s)", hints[i][1]);
            return;
        }
}
