/* The power goes at a random write, sync or truncate; what was written since the last sync is lost or torn. SPAR_CUTS
 * says how often (40). */
#include "store/fault_life.h"

static bool cut_once(uint64_t at, size_t *cuts)
{
    char folder[64];
    fault_life life = {0};
    (void)snprintf(life.path, sizeof life.path, "%s/power.db", new_folder(folder));
    for (int i = 0; i < 3; i++) { /* lives that end early, one after the other, on one file */
        fault_at(FAULT_OPS, 1 + (at + fault_random()) % (i == 0 ? 150 : 60));
        if (at % 2) /* a sync fails before */
            fault.bad_sync = 1 + fault_random() % (i == 0 ? 30 : 12);
        live_on(&life);
        *cuts += fault.dead;
        fault_reboot();
        char shm[120];
        (void)snprintf(shm, sizeof shm, "%s-shm", life.path);
        (void)unlink(shm); /* it was in memory only */
        look(&life);
    }
    if (life.fault[0])
        printf("# %s\n", life.fault);
    fault_forget();
    remove_folder(folder);
    return !life.fault[0];
}

int main(void)
{
    const char *text = getenv("SPAR_CUTS");
    size_t wanted = text ? (size_t)strtoul(text, NULL, 10) : 40, cuts = 0;
    bool good = true;
    fault_start();
    for (uint64_t i = 0; good && cuts < wanted; i++)
        good = cut_once(i, &cuts);
    ok(good, "%zu power cuts: nothing acknowledged is lost, nothing is there twice", cuts);
    return done();
}
