/* spar.c - the command on one machine; src/mpi has the other one. */
#include "cli/options.h"

int main(int argc, char **argv)
{
    return spar__main(argc, argv);
}
