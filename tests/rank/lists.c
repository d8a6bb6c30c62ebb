#include "rank/mix.h"

#include "base/alloc.h"
#include "tap.h"

int main(void)
{
    const uint64_t a[] = {70, 5, UINT64_MAX}, b[] = {5}, c[] = {9, 70};
    const uint64_t *const list[] = {a, b, NULL, c};
    const size_t length[] = {3, 1, 0, 2};
    spar__lists lists;
    spar_error err;
    ok(spar__lists_make(4, list, length, &lists, &err) == SPAR_OK && lists.docs == 4, "four documents");
    ok(lists.id[0] == 5 && lists.id[1] == 9 && lists.id[2] == 70 && lists.id[3] == UINT64_MAX, "in the order of ids");
    ok(lists.doc[0][0] == 2 && lists.doc[0][1] == 0 && lists.doc[0][2] == 3 && lists.doc[1][0] == 0 &&
           lists.doc[3][0] == 1 && lists.doc[3][1] == 2 && lists.length[2] == 0,
       "the lists in numbers");
    const spar__list_rank *at = lists.where + lists.from[2];
    ok(lists.from[3] - lists.from[2] == 2 && at[0].list == 0 && at[0].rank == 0 && at[1].list == 3 && at[1].rank == 1,
       "a document knows where it stands");
    ok(lists.from[0] == 0 && lists.from[4] == 6, "all of them do");
    spar__lists_free(&lists);

    const uint64_t twice[] = {4, 8, 4};
    ok(spar__lists_make(2, (const uint64_t *const[]){a, twice}, (const size_t[]){3, 3}, &lists, &err) == SPAR_INVALID,
       "a document twice in a list");
    same_text(err.text, "list[1]: document 4 stands there twice, at [0] and [2]", "is named");
    ok(!lists.doc && !lists.where, "and nothing is left");
    size_t failed = 0;
    for (size_t k = 1;; k++) {
        spar__alloc_fail_at(k);
        spar_status status = spar__lists_make(4, list, length, &lists, &err);
        if (!status)
            break;
        failed += status == SPAR_NOMEM && !lists.length;
    }
    spar__alloc_fail_at(0);
    ok(failed == 7, "each of %zu allocations may fail", failed);
    spar__lists_free(&lists);
    return done();
}
