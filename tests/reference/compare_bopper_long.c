/* compare_bopper_long.c - the library's bopper against the reference on Forrester's function. */
#include "reference/fields.h"

int main(void)
{
    match b = bopper_match(&forrester, 100, 200);
    expect_same(&b);
    return verdict_done();
}
