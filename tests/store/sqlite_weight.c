/* Bytes in the file, of few events. */
#include "store/weight.h"

int main(void)
{
    weigh_both(20000, 60, 60);
    return done();
}
