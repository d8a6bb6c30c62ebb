#include "validity_table.h"

int main(void)
{
    return validity_table(HOSTILE);
}
