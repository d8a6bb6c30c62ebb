/* Any bytes as names of features (`spar rank --names`): refused with a place, or names that are not empty, one for each
 * line that is no comment. */
#include "fuzz.h"
#include "rank/letor.h"

void fuzz_names(const uint8_t *data, size_t size)
{
    spar__rankers rankers;
    spar_error err = {0};
    const char *path = fuzz_file(data, size);
    spar_status status = spar__rankers_features(path, 0, &rankers, &err);
    fuzz_refused(status, &err, path);
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    require(status ? !rankers.name : rankers.names > 0 && rankers.names <= lines && rankers.n == 0);
    for (size_t i = 0; !status && i < rankers.names; i++) {
        const char *name = rankers.name[i];
        require(name[0] && name[0] != ' ' && name[0] != '#' && name[strlen(name) - 1] != ' ' && !strchr(name, '\n'));
    }
    if (!status)
        spar__rankers_free(&rankers);
}
