/* Any bytes: the reader refuses them with a sentence, or gives a matrix that is exactly one of preferences. */
#include "env/matrix_read.h"

#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int good)
{
    if (!good)
        abort();
}

static void check(const char *text, size_t length, bool counts)
{
    spar__matrix m;
    spar_error err = {0};
    if (spar__matrix_parse(text, length, "f", counts, 1e-6, &m, &err)) {
        require(!m.p && !m.names && strncmp(err.text, "f:", 2) == 0);
        return;
    }
    require(m.n > 0);
    for (size_t i = 0; i < m.n; i++) {
        require(m.p[i * m.n + i] == 0.5 && (!m.names || m.names[i][0]));
        for (size_t j = 0; j < m.n; j++) {
            double p = m.p[i * m.n + j];
            require(p >= 0 && p <= 1 && p == 1 - m.p[j * m.n + i]);
        }
    }
    spar__matrix_free(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = spar__alloc(size + 1, 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    check(text, size, false);
    check(text, size, true);
    spar__free(text);
    return 0;
}
