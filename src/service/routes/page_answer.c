/* page_answer.c - answers and undos from a page: as programs send them (answers.c), then back to the page. */
#include "service/routes/page_vote.h"

/* What the program's route has answered with success becomes a redirection. */
static void go_back(spar__call *call, const char *said)
{
    if (call->reply.status >= 200 && call->reply.status < 300)
        spar__go_vote(call, said);
}

static const char *said_of(const spar__call *call)
{
    const spar__json_node *root = spar__json_root(&call->json);
    return spar__json_member(&call->json, root, "skip") ? "skipped" : "saved";
}

/* The next screen is asked with the answer, if the voter has no other open one: after an undo there is. */
void spar__prepare_page_answer(spar__call *call, spar_experiment *experiment)
{
    uint64_t first;
    call->wants_next = spar__voter_open(call, experiment, &first) < SPAR__OPEN_MOST;
    spar__prepare_tell(call, experiment);
    go_back(call, said_of(call));
}

void spar__finish_page_answer(spar__call *call, spar_experiment *experiment)
{
    call->wants_next = false; /* the page that follows shows it */
    spar__finish_tell(call, experiment);
    go_back(call, said_of(call));
}

void spar__prepare_page_undo(spar__call *call, spar_experiment *experiment)
{
    spar__prepare_undo(call, experiment);
    go_back(call, "undone");
}

void spar__finish_page_undo(spar__call *call, spar_experiment *experiment)
{
    spar__finish_undo(call, experiment);
    go_back(call, "undone");
}

/* Whoever opens the address of a form by hand. */
void spar__read_page_start_again(spar__call *call, spar_experiment *experiment)
{
    (void)experiment;
    spar__go_vote(call, NULL);
}

void spar__read_page_answer_again(spar__call *call, spar_experiment *experiment)
{
    spar__read_page_start_again(call, experiment);
}

void spar__read_page_undo_again(spar__call *call, spar_experiment *experiment)
{
    spar__read_page_start_again(call, experiment);
}
