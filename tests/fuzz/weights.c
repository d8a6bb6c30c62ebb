/* Any bytes as a file of rankers (`spar rank --weights`): refused with a place, or sums of features in range that rank
 * the documents of a query, each once. */
#include "fuzz.h"
#include "rank/letor.h"

#include <math.h>

static const spar__letor_rows *query(void)
{
    static spar__letor_rows rows;
    static const char text[] = "0 qid:1 1:1 2:2\n1 qid:1 1:2 3:1\n2 qid:1 2:2 65535:4\n";
    if (!rows.docs)
        require(!spar__letor_parse(text, sizeof text - 1, "q", 1, &rows, NULL));
    return &rows;
}

static void check_lists(const spar__rankers *rankers)
{
    static spar__ranking ranking;
    require(!spar__rankers_rank(rankers, query(), 1, 10, &ranking));
    require(ranking.depth == 3 && ranking.lists == rankers->n);
    for (size_t i = 0; i < ranking.lists; i++) {
        const uint16_t *list = ranking.list + i * ranking.depth;
        require(list[0] < 3 && list[1] < 3 && list[2] < 3);
        require(list[0] != list[1] && list[1] != list[2] && list[0] != list[2]);
    }
}

void fuzz_weights(const uint8_t *data, size_t size)
{
    spar__rankers rankers;
    spar_error err = {0};
    const char *path = fuzz_file(data, size);
    spar_status status = spar__rankers_weights(path, &rankers, &err);
    fuzz_refused(status, &err, path);
    if (status) {
        require(!rankers.name && !rankers.weight);
        return;
    }
    require(rankers.n > 0 && rankers.names == rankers.n && rankers.start[0] == 0);
    for (size_t i = 0; i < rankers.n; i++)
        require(rankers.start[i] < rankers.start[i + 1] && rankers.name[i][0]);
    for (size_t i = 0; i < rankers.start[rankers.n]; i++)
        require(rankers.feature[i] >= 1 && rankers.feature[i] <= SPAR__FEATURE_MOST && isfinite(rankers.weight[i]));
    check_lists(&rankers);
    spar__rankers_free(&rankers);
}
