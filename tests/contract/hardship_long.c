/* The hardships, endured for so long that whatever can fill up, run dry or drift does. */
#define HARDSHIP_ROUNDS 100000
#include "contract/hardship.c"
