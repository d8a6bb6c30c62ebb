/* fault_vfs.h - a VFS for SQLite that fails when it is told to, fills the disk, and loses power.
 *
 * It stands between SQLite and the real files. Power cuts: of each file the sectors that were written since its last
 * sync are kept as they were then. When the power goes, every call fails until fault_reboot, which gives each of those
 * sectors its old or its new contents, as luck will have it, and cuts files that grew at a random sector. Nothing is
 * really synced: only what SQLite was promised counts. */
#ifndef SPAR_TESTS_STORE_FAULT_VFS_H
#define SPAR_TESTS_STORE_FAULT_VFS_H

#include "events.h"

#include <errno.h>
#include <fcntl.h>

enum { SECTOR = 512, MOST_FILES = 16, MOST_SECTORS = 1 << 14 };

typedef enum fault_op {
    FAULT_OPEN,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_SYNC,
    FAULT_TRUNCATE,
    FAULT_SIZE,
    FAULT_DELETE,
    FAULT_SHM,
    FAULT_OPS
} fault_op;

static const char *const fault_names[] = {"open",     "read", "write",  "sync",
                                          "truncate", "size", "delete", "shared memory"};

typedef struct fault_disk { /* a file, as the disk has it */
    char path[200];
    bool dirty;
    int64_t size;                        /* when it was last synced */
    unsigned char *sector[MOST_SECTORS]; /* what it had then, NULL: nothing was written to it since */
    bool doomed[MOST_SECTORS];           /* written, but a sync failed: the next one will not write it, either */
} fault_disk;

static struct {
    sqlite3_vfs vfs, *real;
    uint64_t calls[FAULT_OPS]; /* since fault_at was called */
    int op; /* the call that fails, once; -1: none; FAULT_OPS: power is cut at any call that changes */
    uint64_t at;
    uint64_t bad_sync; /* the sync that fails besides, 0: none */
    bool full, dead, hit;
    uint64_t luck;
    fault_disk disk[MOST_FILES];
} fault;

typedef struct fault_file {
    sqlite3_file base;
    fault_disk *disk; /* NULL: not followed */
    sqlite3_file real[];
} fault_file;

static uint64_t fault_random(void)
{
    fault.luck ^= fault.luck << 13;
    fault.luck ^= fault.luck >> 7;
    fault.luck ^= fault.luck << 17;
    return fault.luck * UINT64_C(0x2545F4914F6CDD1D) >> 11;
}

/* The k-th call of this kind from now fails, once; op -1: none does. */
static void fault_at(int op, uint64_t k)
{
    memset(fault.calls, 0, sizeof fault.calls);
    fault.op = op;
    fault.at = k;
    fault.hit = false;
    fault.bad_sync = 0;
}

/* Is this the call that fails? */
static bool fault_now(fault_op op)
{
    uint64_t call = ++fault.calls[op];
    if (fault.dead)
        return true;
    if (fault.op == FAULT_OPS &&
        (op == FAULT_WRITE || op == FAULT_SYNC || op == FAULT_TRUNCATE || op == FAULT_DELETE)) {
        uint64_t all = fault.calls[FAULT_WRITE] + fault.calls[FAULT_SYNC] + fault.calls[FAULT_TRUNCATE] +
                       fault.calls[FAULT_DELETE];
        fault.dead = fault.hit = all == fault.at;
        return fault.dead;
    }
    if (fault.op != (int)op || call != fault.at)
        return false;
    fault.hit = true;
    errno = EIO;
    return true;
}

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((fault_file *)(void *)file)->real;
}

static fault_disk *disk_of(sqlite3_file *file)
{
    return ((fault_file *)(void *)file)->disk;
}

static fault_disk *find_disk(const char *path)
{
    for (size_t i = 0; i < MOST_FILES; i++)
        if (strcmp(fault.disk[i].path, path) == 0)
            return &fault.disk[i];
    for (size_t i = 0; i < MOST_FILES; i++)
        if (!fault.disk[i].path[0]) {
            (void)snprintf(fault.disk[i].path, sizeof fault.disk[i].path, "%s", path);
            return &fault.disk[i];
        }
    abort();
}

static void disk_clean(fault_disk *disk)
{
    for (size_t i = 0; i < MOST_SECTORS; i++) {
        free(disk->sector[i]);
        disk->sector[i] = NULL;
    }
    memset(disk->doomed, 0, sizeof disk->doomed);
    disk->dirty = false;
}

/* A sync that works writes all but what an earlier one failed to write: the system takes that for clean. */
static void disk_sync(fault_disk *disk, bool works)
{
    bool dirty = false;
    for (size_t i = 0; i < MOST_SECTORS; i++) {
        disk->doomed[i] = disk->sector[i] && (disk->doomed[i] || !works);
        if (!disk->doomed[i]) {
            free(disk->sector[i]);
            disk->sector[i] = NULL;
        }
        dirty = dirty || disk->doomed[i];
    }
    disk->dirty = dirty;
}

/* Before bytes [from, to) change: keeps what the disk has of them. */
static void keep_sectors(sqlite3_file *file, int64_t from, int64_t to)
{
    fault_disk *disk = disk_of(file);
    if (!disk)
        return;
    if (!disk->dirty)
        need(real_of(file)->pMethods->xFileSize(real_of(file), (sqlite3_int64 *)&disk->size) == SQLITE_OK);
    disk->dirty = true;
    for (int64_t s = from / SECTOR; s * SECTOR < to; s++) {
        need(s < MOST_SECTORS);
        disk->doomed[s] = false;
        if (disk->sector[s])
            continue;
        need((disk->sector[s] = calloc(1, SECTOR)) != NULL);
        (void)real_of(file)->pMethods->xRead(real_of(file), disk->sector[s], SECTOR, s * SECTOR);
    }
}

static int f_close(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int f_read(sqlite3_file *file, void *out, int amount, sqlite3_int64 at)
{
    return fault_now(FAULT_READ) ? SQLITE_IOERR_READ : real_of(file)->pMethods->xRead(real_of(file), out, amount, at);
}

static int f_write(sqlite3_file *file, const void *bytes, int amount, sqlite3_int64 at)
{
    bool fails = fault_now(FAULT_WRITE);
    if (fault.full && !fault.dead)
        return SQLITE_FULL;
    if (fails && fault.dead)
        return SQLITE_IOERR_WRITE;
    keep_sectors(file, at, at + amount);
    if (fails) { /* half of it was written */
        (void)real_of(file)->pMethods->xWrite(real_of(file), bytes, amount / 2, at);
        return fault.at % 2 ? SQLITE_IOERR_WRITE : SQLITE_FULL;
    }
    return real_of(file)->pMethods->xWrite(real_of(file), bytes, amount, at);
}

static int f_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    sqlite3_int64 now = 0;
    if (fault_now(FAULT_TRUNCATE))
        return SQLITE_IOERR_TRUNCATE;
    (void)real_of(file)->pMethods->xFileSize(real_of(file), &now);
    keep_sectors(file, size, now);
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int f_sync(sqlite3_file *file, int flags)
{
    (void)flags;
    bool fails = fault_now(FAULT_SYNC) || fault.calls[FAULT_SYNC] == fault.bad_sync;
    if (disk_of(file) && !fault.dead)
        disk_sync(disk_of(file), !fails);
    return fails ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int f_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return fault_now(FAULT_SIZE) ? SQLITE_IOERR_FSTAT : real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int f_lock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int f_unlock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int f_reserved(sqlite3_file *file, int *out)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int f_control(sqlite3_file *file, int op, void *arg)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), op, arg);
}

static int f_sector(sqlite3_file *file)
{
    (void)file;
    return SECTOR;
}

static int f_traits(sqlite3_file *file)
{
    (void)file;
    return 0; /* no promise about what a power cut leaves */
}

static int f_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out)
{
    if (fault_now(FAULT_SHM))
        return SQLITE_IOERR_SHMMAP;
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}

static int f_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}

static void f_shm_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int f_shm_unmap(sqlite3_file *file, int remove)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove && !fault.dead);
}

static const sqlite3_io_methods fault_methods = {.iVersion = 2,
                                                 .xClose = f_close,
                                                 .xRead = f_read,
                                                 .xWrite = f_write,
                                                 .xTruncate = f_truncate,
                                                 .xSync = f_sync,
                                                 .xFileSize = f_size,
                                                 .xLock = f_lock,
                                                 .xUnlock = f_unlock,
                                                 .xCheckReservedLock = f_reserved,
                                                 .xFileControl = f_control,
                                                 .xSectorSize = f_sector,
                                                 .xDeviceCharacteristics = f_traits,
                                                 .xShmMap = f_shm_map,
                                                 .xShmLock = f_shm_lock,
                                                 .xShmBarrier = f_shm_barrier,
                                                 .xShmUnmap = f_shm_unmap};

static int f_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    fault_file *f = (fault_file *)(void *)file;
    (void)vfs;
    f->base.pMethods = NULL;
    if (fault_now(FAULT_OPEN))
        return SQLITE_CANTOPEN;
    int code = fault.real->xOpen(fault.real, name, f->real, flags, out);
    if (code)
        return code;
    f->disk = name ? find_disk(name) : NULL;
    f->base.pMethods = &fault_methods;
    return SQLITE_OK;
}

static int f_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs, (void)sync;
    if (fault_now(FAULT_DELETE))
        return SQLITE_IOERR_DELETE;
    disk_clean(find_disk(name));
    return fault.real->xDelete(fault.real, name, 0);
}

static int f_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs;
    return fault.real->xAccess(fault.real, name, flags, out);
}

static int f_full_path(sqlite3_vfs *vfs, const char *name, int n, char *out)
{
    (void)vfs;
    return fault.real->xFullPathname(fault.real, name, n, out);
}

/* All stores of a test use it from now on. */
MAYBE_UNUSED static void fault_start(void)
{
    fault.real = sqlite3_vfs_find(NULL);
    fault.vfs = *fault.real;
    fault.vfs.pNext = NULL;
    fault.vfs.zName = "fault";
    fault.vfs.szOsFile = (int)sizeof(fault_file) + fault.real->szOsFile;
    fault.vfs.xOpen = f_open;
    fault.vfs.xDelete = f_delete;
    fault.vfs.xAccess = f_access;
    fault.vfs.xFullPathname = f_full_path;
    fault.luck = 88172645463325252u;
    fault_at(-1, 0);
    need(sqlite3_vfs_register(&fault.vfs, 0) == SQLITE_OK);
    spar__sqlite_vfs = "fault";
}

/* What the disk has of a file after the power went: every sector that was not synced is old or new. */
static void disk_lose(fault_disk *disk)
{
    struct stat info;
    int fd = open(disk->path, O_RDWR);
    if (fd < 0 || !disk->dirty || fstat(fd, &info) != 0) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    int64_t size = (int64_t)info.st_size;
    uint64_t mood = fault_random() % 3; /* 0: all is lost, 1: nothing is, 2: by sector */
    for (int64_t s = 0; s < MOST_SECTORS; s++)
        if (disk->sector[s] && (mood == 0 || (mood == 2 && fault_random() % 2)))
            need(pwrite(fd, disk->sector[s], SECTOR, (off_t)(s * SECTOR)) == SECTOR);
    if (mood == 0 || (mood == 2 && size < disk->size))
        size = disk->size;
    else if (mood == 2 && size > disk->size)
        size = disk->size + (int64_t)(fault_random() % (uint64_t)(size - disk->size + 1)) / SECTOR * SECTOR;
    need(ftruncate(fd, (off_t)size) == 0);
    (void)close(fd);
}

/* The power is back. All stores must have been closed. */
MAYBE_UNUSED static void fault_reboot(void)
{
    for (size_t i = 0; i < MOST_FILES; i++) {
        size_t length = strlen(fault.disk[i].path);
        if (length)
            disk_lose(&fault.disk[i]);
        disk_clean(&fault.disk[i]);
    }
    fault.dead = false;
    fault_at(-1, 0);
}

/* Forgets all files, before their folder goes. */
MAYBE_UNUSED static void fault_forget(void)
{
    for (size_t i = 0; i < MOST_FILES; i++) {
        disk_clean(&fault.disk[i]);
        fault.disk[i].path[0] = '\0';
    }
    fault.dead = fault.full = false;
    fault_at(-1, 0);
}

#endif
