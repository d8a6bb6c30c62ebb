#include "cli/rank/rank.h"

#include "base/file.h"
#include "cli/progress.h"
#include "rank/generate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool write_text(void *context, const char *text, size_t length)
{
    spar__file *file = context;
    if (fwrite(text, 1, length, file->stream) != length)
        file->error = errno;
    return !file->error && !spar__stop_wanted();
}

spar_status spar__rank_generate(const spar__generate_options *options, const char *path, spar_error *err)
{
    spar__file file;
    struct stat info;
    if (path && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return spar__fail(err, SPAR_IO, "%s: is a directory; with --generate, --out is a file", path);
    spar__stop_catch();
    spar_status status = spar__file_begin(&file, path ? path : "-", err);
    if (status)
        return status;
    status = spar__generate(options, write_text, &file, err);
    if (!status || file.error)
        return spar__file_commit(&file, false, err);
    spar__file_abandon(&file);
    return status;
}
