/* Any bytes: the reader refuses them with a sentence, or gives a matrix that is exactly one of preferences. */
#include "env/data.h"

#include "fuzz.h"

static void check(const char *text, size_t length, bool counts)
{
    spar__matrix m;
    spar_error err = {0};
    spar_status status = spar__matrix_parse(text, length, "f", counts, 1e-6, &m, &err);
    fuzz_refused(status, &err, "f:");
    require(!status == (m.p != NULL));
    if (status)
        return;
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

void fuzz_matrix(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    check(text, size, false);
    check(text, size, true);
    free(text);
}
