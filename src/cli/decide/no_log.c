/* no_log.c - where the library for live experiments is left out. */
#include "cli/decide/decide.h"

bool spar__decide_is_place(const char *path)
{
    (void)path;
    return false;
}

bool spar__decide_is_log(const char *text, size_t length)
{
    (void)text;
    (void)length;
    return false;
}

bool spar__decide_is_rows(const char *text, size_t length)
{
    return spar__decide_is_log(text, length);
}

spar_status spar__decide_rows_open(const char *path, spar__buf *text, spar__decide_log **out, spar_error *err)
{
    return spar__decide_log_open(path, text, out, err);
}

spar_status spar__decide_log_open(const char *path, spar__buf *text, spar__decide_log **out, spar_error *err)
{
    (void)text;
    *out = NULL;
    return spar__fail(err, SPAR_UNSUPPORTED, "%s: this program was built without live experiments", path);
}

void spar__decide_log_free(spar__decide_log *log)
{
    (void)log;
}

spar_status spar__decide_log_judge(spar__decide_report *report, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED, "%s: this program was built without live experiments", report->source);
}

spar_status spar__decide_log_stand(spar__decide_report *report, spar_error *err)
{
    return spar__decide_log_judge(report, err);
}
