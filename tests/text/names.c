#include "text/names.h"

#include "tap.h"

int main(void)
{
    spar__names names = {0};
    bool good = true;
    size_t number;
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < 5000; i++) {
            char text[20];
            int length = snprintf(text, sizeof text, "%zu", i * i);
            good = good && !spar__names_get(&names, text, (size_t)length, &number) && number == i;
        }
    ok(good && names.n == 5000, "each text has one number, in order");
    same_text(spar__names_at(&names, 4), "16", "and can be had back");
    ok(!spar__names_get(&names, "", 0, &number) && number == 5000, "the empty text is one too");
    ok(!spar__names_get(&names, "169", 2, &number) && number == 4, "only the length given counts");
    spar__names_free(&names);
    return done();
}
