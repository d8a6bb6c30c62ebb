/* compare_kernel_kinds.c - every kernel, every other parameter and every backing of the library's Gaussian process
 * against the references, in play. */
#include "reference/fields.h"

#define KIND_RUNS(name, ...)                                                                                           \
    static ref_result name##_kernel(const ref_world *world, size_t rounds, uint64_t seed)                              \
    {                                                                                                                  \
        ref_gp gp = {__VA_ARGS__, .delta = 0.1};                                                                       \
        return ref_kernel_self_sparring(world, 4, rounds, &gp, seed);                                                  \
    }                                                                                                                  \
    static ref_result name##_sparring(const ref_world *world, size_t rounds, uint64_t seed)                            \
    {                                                                                                                  \
        ref_gp gp = {__VA_ARGS__, .delta = 0.1};                                                                       \
        return ref_gp_sparring(world, 4, rounds, &gp, seed);                                                           \
    }

KIND_RUNS(matern32, .kind = TEXTBOOK_MATERN32, .length = 0.3, .variance = 1, .noise = 0.025)
KIND_RUNS(matern52, .kind = TEXTBOOK_MATERN52, .length = 0.2, .variance = 2, .noise = 0.1)
KIND_RUNS(product32, .kind = TEXTBOOK_PRODUCT_MATERN32, .length = 0.2, .variance = 0.5, .noise = 0.025)
KIND_RUNS(product52, .kind = TEXTBOOK_PRODUCT_MATERN52, .length = 0.4, .variance = 1, .noise = 0.05)
KIND_RUNS(linear, .kind = TEXTBOOK_LINEAR, .length = 1, .variance = 0.7, .noise = 0.025)
KIND_RUNS(centred, .kind = TEXTBOOK_SE, .length = 0.15, .variance = 0.3, .noise = 0.25, .centre = true)

static const struct {
    const char *kernel, *sparring; /* as the library writes them */
    direct_run *kernel_run, *sparring_run;
} kinds[] = {
    {"kernel_self_sparring(kernel=matern32,length=0.3)", "gp_sparring(kernel=matern32,length=0.3)", matern32_kernel,
     matern32_sparring},
    {"kernel_self_sparring(kernel=matern52,variance=2,noise=0.1)", "gp_sparring(kernel=matern52,variance=2,noise=0.1)",
     matern52_kernel, matern52_sparring},
    {"kernel_self_sparring(kernel=product_matern32,variance=0.5)", "gp_sparring(kernel=product_matern32,variance=0.5)",
     product32_kernel, product32_sparring},
    {"kernel_self_sparring(kernel=product_matern52,length=0.4,noise=0.05)",
     "gp_sparring(kernel=product_matern52,length=0.4,noise=0.05)", product52_kernel, product52_sparring},
    {"kernel_self_sparring(kernel=linear,length=1,variance=0.7)", "gp_sparring(kernel=linear,length=1,variance=0.7)",
     linear_kernel, linear_sparring},
    {"kernel_self_sparring(length=0.15,variance=0.3,noise=0.25,centre=1)",
     "gp_sparring(length=0.15,variance=0.3,noise=0.25,centre=1)", centred_kernel, centred_sparring},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static void compare_kinds(const arena *a, size_t runs)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        match m = kernel_match(a, 4, 60, runs);
        m.spec = kinds[i].kernel;
        m.direct = kinds[i].kernel_run;
        expect_same(&m);
        m.spec = kinds[i].sparring;
        m.direct = kinds[i].sparring_run;
        expect_same(&m);
    }
}

static void compare_backings(const arena *a, size_t runs)
{
    static const char *const specs[] = {"kernel_self_sparring(backing=dense)", "kernel_self_sparring(backing=basis)",
                                        "kernel_self_sparring(backing=grid)",
                                        "kernel_self_sparring(backing=matheron)"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        match m = kernel_match(a, 4, 60, runs);
        m.spec = specs[i];
        expect_same(&m);
    }
}

int main(void)
{
    compare_kinds(&forrester, 1000);
    compare_kinds(&camel[2], 200);
    compare_backings(&forrester, 1000);
    compare_backings(&camel[2], 200);
    return verdict_done();
}
