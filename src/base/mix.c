#include "base/mix.h"

uint64_t spar__splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t spar__stream_key(uint64_t salt, uint64_t seed, uint64_t run, uint64_t purpose)
{
    uint64_t key = salt ^ seed;
    key = spar__splitmix(&key) ^ run;
    key = spar__splitmix(&key) ^ purpose;
    return spar__splitmix(&key);
}
