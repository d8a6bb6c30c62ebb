/* What the server signed, with any change: only the text itself is taken. The first byte says which (screen, voter,
 * session, form), the rest are changes, three bytes each: where, and what to add there; a first byte of 128 or more
 * takes the rest as the text. */
#include "service_world.h"

static bool is_good(const service_world *world, unsigned kind, const char *text)
{
    spar__login login;
    spar__keyring keys = spar__service_keys(world->service);
    spar__screen_token token;
    spar_experiment *experiment = NULL;
    spar_screen *screen = NULL;
    uint64_t number = 0;
    if (kind == 1)
        return spar__voter_check(&keys, text, spar__now(), &number);
    if (kind == 2)
        return spar__login_check(&keys, text, spar__now(), &login);
    if (kind == 3)
        return spar__form_check(&keys, world->session, spar__now(), text);
    if (!spar__screen_token_read(text, &token) || token.screen != 1)
        return false;
    spar__hosted *place = spar__hosting_find(&world->service->hosting, "tea");
    require(!spar__hosted_open(place, SPAR__BY_READER, &experiment, NULL));
    require(!spar_experiment_screen(experiment, 1, &screen, NULL));
    bool good = spar__screen_token_check(&keys, "tea", screen, world->name, spar__now(), &token);
    spar_screen_free(screen);
    return good;
}

void fuzz_service_token(const uint8_t *data, size_t size)
{
    service_world *world = service_world_get();
    if (size == 0)
        return;
    unsigned kind = data[0] % 4;
    const char *const genuine[] = {world->screen, world->voter, world->session, world->form};
    const char *whole = genuine[kind];
    char *text = data[0] >= 128 ? fuzz_text(data + 1, size - 1) : strdup(whole);
    require(text);
    for (size_t at = 1; data[0] < 128 && at + 3 <= size; at += 3) {
        size_t where = (size_t)(data[at] | data[at + 1] << 8) % strlen(whole);
        text[where] = (char)(text[where] + data[at + 2]);
    }
    require(is_good(world, kind, whole));
    require(is_good(world, kind, text) == (strcmp(text, whole) == 0));
    free(text);
}
