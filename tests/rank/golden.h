/* golden.h - files as an earlier version wrote them. A change of the format needs a new version and a new file. */
#ifndef SPAR_TESTS_RANK_GOLDEN_H
#define SPAR_TESTS_RANK_GOLDEN_H

#include "base/file.h"
#include "tap.h"

#include <stdlib.h>

/* The bytes of tests/rank/golden/NAME; the caller frees them. */
static inline spar__buf golden_read(const char *name)
{
    char path[4096];
    spar__buf out = {0};
    const char *tests = getenv("SPAR_TESTS");
    (void)snprintf(path, sizeof path, "%s/rank/golden/%s", tests ? tests : "tests", name);
    if (spar__file_read(path, 0, &out, NULL))
        printf("# cannot read %s\n", path);
    return out;
}

static inline bool golden_same(const char *name, const spar__buf *bytes)
{
    spar__buf golden = golden_read(name);
    bool same = golden.length && golden.length == bytes->length && memcmp(golden.text, bytes->text, golden.length) == 0;
    spar__buf_free(&golden);
    return same;
}

#endif
