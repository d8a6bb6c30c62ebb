/* The law of the best arm, whichever way it is found, against quadrature. */
#include "posterior/beta/ways.h"

int main(void)
{
    (void)gsl_set_error_handler_off();
    for (size_t k = 0; k < FEW_STATES; k++)
        check_state(&few_states[k], 400000);
    for (size_t k = 0; k < MANY_STATES; k++)
        check_state(&many_states[k], 200000);
    for (size_t k = 0; k < FEW_STATES; k++)
        check_thresholds(&few_states[k], 100000);
    for (size_t k = 0; k < FEW_STATES; k++)
        check_distinct(&few_states[k], true, 20000);
    for (size_t k = 0; k < MANY_STATES && state_arms(&many_states[k]) <= MOST_KINDS; k++) {
        check_distinct(&many_states[k], false, 4000);
        check_distinct(&many_states[k], true, 4000);
    }
    check_walk(&few_states[3], 400000);
    check_walk(&few_states[5], 400000);
    check_walk(&many_states[3], 200000);
    check_walk(&many_states[5], 200000);
    return done();
}
