#include "base/alloc.h"

#include "tap.h"

#include <stdint.h>

int main(void)
{
    spar_scratch *s = NULL;
    ok(spar_scratch_new(&s) == SPAR_OK, "made");
    unsigned char *a = spar__scratch_take(s, 100, 1);
    double *b = spar__scratch_take(s, 10, sizeof *b);
    ok((uintptr_t)a % 64 == 0 && (uintptr_t)b % 64 == 0, "pieces are aligned");
    memset(a, 1, 100);
    b[9] = 2;
    size_t mark = spar__scratch_mark(s);
    unsigned char *large = spar__scratch_take(s, 100000, 1);
    ok(large && a[99] == 1 && b[9] == 2, "growing leaves earlier pieces where they are");
    memset(large, 3, 100000);
    spar__scratch_release(s, mark);
    ok(a[0] == 1 && b[9] == 2, "so does releasing");
    unsigned char *next = spar__scratch_take(s, 1000, 1);
    memset(next, 4, 1000); /* the address sanitizer looks on */
    ok(next > a && next + 1000 <= a + 4096 && a[99] == 1 && b[9] == 2,
       "what is taken after that lies behind the pieces that were kept");
    spar__scratch_release(s, 0);
    spar__alloc_fail_at(1);
    ok(spar__scratch_take(s, 100000, 1) != NULL, "once grown it does not allocate again");
    ok(spar__alloc_count() == 0, "not even once");
    ok(spar__scratch_take(s, SIZE_MAX / 2, 4) == NULL, "a size that overflows is refused");
    ok(spar__scratch_take(s, 10000000, 1) == NULL, "and so is one that cannot be had");
    spar__alloc_fail_at(0);
    spar__scratch_release(s, 0);
    spar_scratch_free(s);
    spar_scratch_free(NULL);
    for (size_t k = 1; k <= 2; k++) {
        spar__alloc_fail_at(k);
        ok(spar_scratch_new(&s) == SPAR_NOMEM && !s, "allocation %zu fails cleanly", k);
    }
    spar__alloc_fail_at(0);
    return done();
}
