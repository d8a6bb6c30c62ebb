/* The same with two hundred million draws and more: a bias of 1e-3 of the probability of an arm shows. */
#include "posterior/beta_ways.h"

int main(void)
{
    static const state far = {
        "16 after a long way", 4, {{600000, 550000, 1}, {3000, 2800, 2}, {500, 520, 6}, {100, 120, 7}}};
    static const state wide = {"1000 after a long way", 3, {{400000, 200000, 1}, {2000, 1020, 9}, {150, 120, 990}}};
    (void)gsl_set_error_handler_off();
    for (size_t k = 0; k < FEW_STATES; k++)
        check_state(&few_states[k], 20000000);
    for (size_t k = 0; k < MANY_STATES; k++)
        check_state(&many_states[k], 20000000);
    for (size_t k = 2; k < FEW_STATES; k++)
        check_thresholds(&few_states[k], 4000000);
    check_walk(&far, 20000000);
    check_walk(&wide, 20000000);
    return done();
}
