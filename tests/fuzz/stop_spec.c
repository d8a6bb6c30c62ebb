/* Any text as a rule of --stop: refused with a sentence, or numbers that evidence can be kept with. */
#include "sim/sim.h"

#include "fuzz.h"

void fuzz_stop_spec(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    spar__stop_rule rule;
    spar_error err = {0};
    spar_status status = spar__stop_rule_parse(text, &rule, &err);
    fuzz_refused(status, &err, NULL);
    require(status || (rule.delta > 0 && rule.delta < 1 && rule.eps >= 0 && rule.eps <= 20));
    free(text);
}
