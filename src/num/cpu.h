/* cpu.h - which instruction set the vector code uses.
 *
 * Vector code is one source compiled once per instruction set; each copy fills a const table of function pointers and
 * the caller takes the one at spar__cpu_level(). The arithmetic is the same in every copy, so are the bits. The level
 * is the best the CPU has, or the one named by SPAR_CPU=baseline|avx2|avx512 (the best below it where the CPU lacks
 * it; an unknown name, which the command refuses, is ignored). It is settled at the first use and may be asked for by
 * any thread. */
#ifndef SPAR_NUM_CPU_H
#define SPAR_NUM_CPU_H

#include <stdbool.h>

typedef enum spar__cpu { SPAR__CPU_BASELINE, SPAR__CPU_AVX2, SPAR__CPU_AVX512 } spar__cpu;

enum {
#if defined(__x86_64__)
    SPAR__CPU_COUNT = 3
#else
    SPAR__CPU_COUNT = 1
#endif
};

/* The tables of one function set, by level: spar__num_ops *const tables[] = SPAR__CPU_TABLES(spar__num_ops). */
#if defined(__x86_64__)
#define SPAR__CPU_TABLES(name)                                                                                         \
    {                                                                                                                  \
        &name##_baseline, &name##_avx2, &name##_avx512                                                                 \
    }
#else
#define SPAR__CPU_TABLES(name)                                                                                         \
    {                                                                                                                  \
        &name##_baseline                                                                                               \
    }
#endif

/* The name of this copy's table, in a source compiled with -DSPAR_ISA=<level>. */
#define SPAR__ISA_PASTE(name, isa) name##_##isa
#define SPAR__ISA_NAME(name, isa) SPAR__ISA_PASTE(name, isa)

spar__cpu spar__cpu_level(void);
const char *spar__cpu_name(void); /* of the level in use: "baseline", "avx2", "avx512" */
bool spar__cpu_supported(spar__cpu level);

/* The level for a value of SPAR_CPU, which may be NULL; and whether it is the name of one. */
spar__cpu spar__cpu_choose(const char *wanted);
bool spar__cpu_known(const char *name);

/* For tests: use this level from now on; false when the CPU lacks it. Not while other threads draw. */
bool spar__cpu_force(spar__cpu level);

#endif
