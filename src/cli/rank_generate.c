#include "cli/rank.h"

#include "cli/progress.h"
#include "rank/generate.h"
#include "rank/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct pipe {
    FILE *file;
    bool failed;
} pipe;

static bool pour(void *context, const char *text, size_t length)
{
    pipe *to = context;
    to->failed = fwrite(text, 1, length, to->file) != length;
    return !to->failed && !spar__stop_wanted();
}

static spar_status pour_all(const spar__generate_options *options, FILE *file, const char *shown, spar_error *err)
{
    pipe to = {.file = file};
    spar_status status = spar__generate(options, pour, &to, err);
    if (to.failed || (fflush(file) != 0 && !status))
        return spar__fail(err, SPAR_IO, "%s: cannot write: %s", shown, strerror(errno));
    return status;
}

/* The file is whole or absent. */
static spar_status generate_file(const spar__generate_options *options, const char *path, spar_error *err)
{
    spar__buf name = {0};
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return spar__fail(err, SPAR_IO, "%s: is a directory; with --generate, --out is a file", path);
    FILE *file = spar__temporary_beside(path, &name);
    if (!file) {
        spar__buf_free(&name);
        return spar__fail(err, SPAR_IO, "%s: cannot write: %s", path, strerror(errno));
    }
    spar_status status = pour_all(options, file, path, err);
    if (fclose(file) != 0 && !status)
        status = spar__fail(err, SPAR_IO, "%s: cannot write: %s", path, strerror(errno));
    if (!status && rename(name.text, path) != 0)
        status = spar__fail(err, SPAR_IO, "%s: cannot write: %s", path, strerror(errno));
    if (status)
        (void)remove(name.text);
    spar__buf_free(&name);
    return status;
}

spar_status spar__rank_generate(const spar__generate_options *options, const char *file, spar_error *err)
{
    spar__stop_catch();
    return file && strcmp(file, "-") != 0 ? generate_file(options, file, err)
                                          : pour_all(options, stdout, "standard output", err);
}
