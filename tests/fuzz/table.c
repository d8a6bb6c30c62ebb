/* Any bytes: the reader refuses them with a sentence, or gives a table of finite numbers. */
#include "env/data.h"

#include "fuzz.h"

#include <math.h>

static void check(const char *text, size_t length, const char *utility, bool scale)
{
    spar__arm_table t;
    spar_error err = {0};
    spar_status status = spar__arm_table_parse(text, length, "f", utility, scale, &t, &err);
    fuzz_refused(status, &err, "f:");
    if (status) {
        require(!t.x && !t.utility && !t.names);
        return;
    }
    require(t.n >= 2 && t.dim <= SPAR__TABLE_MOST_FEATURES && (t.dim > 0) == (t.x != NULL));
    for (size_t i = 0; i < t.n; i++) {
        require(isfinite(t.utility[i]) && (!t.names || t.names[i][0]));
        for (size_t d = 0; d < t.dim; d++)
            require(scale ? t.x[i * t.dim + d] >= 0 && t.x[i * t.dim + d] <= 1 : isfinite(t.x[i * t.dim + d]));
    }
    spar__arm_table_free(&t);
}

void fuzz_table(const uint8_t *data, size_t size)
{
    check((const char *)data, size, "utility", true);
    check((const char *)data, size, "u", false);
}
