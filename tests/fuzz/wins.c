/* Any bytes as win counts: refused with a sentence, or whole numbers that are not negative. */
#include "env/data.h"

#include "fuzz.h"

#include <math.h>

void fuzz_wins(const uint8_t *data, size_t size)
{
    spar__matrix m;
    spar_error err = {0};
    char *text = fuzz_text(data, size);
    spar_status status = spar__wins_parse(text, size, "f", &m, &err);
    fuzz_refused(status, &err, "f:");
    require(!status == (m.p != NULL));
    for (size_t i = 0; !status && i < m.n * m.n; i++)
        require(m.p[i] >= 0 && m.p[i] == floor(m.p[i]) && isfinite(m.p[i]));
    if (!status)
        spar__matrix_free(&m);
    free(text);
}
