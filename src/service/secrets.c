/* secrets.c - what the store keeps for servers: keys, manage tokens, invitations. Another program may have changed
 * them: the store knows. */
#include "service/server.h"

#include "store/digest.h"

spar__keyring spar__service_keys(spar__service *service)
{
    (void)pthread_mutex_lock(&service->keys_lock);
    spar__keyring keys = service->keys;
    (void)pthread_mutex_unlock(&service->keys_lock);
    return keys;
}

static spar_status load_keys(spar__service *service, spar_error *err)
{
    spar__keyring keys;
    spar_status status = spar__keyring_load(service->store, &keys, err);
    if (status)
        return status;
    (void)pthread_mutex_lock(&service->keys_lock);
    service->keys = keys;
    (void)pthread_mutex_unlock(&service->keys_lock);
    return SPAR_OK;
}

static spar_status load_voter_key(spar__service *service, spar_error *err)
{
    spar_status status = spar__random_bytes(service->voter_key, SPAR_HASH_SIZE, err);
    return status ? status : spar__secret_settle(service->store, "voters", service->voter_key, SPAR_HASH_SIZE, err);
}

/* Tokens are read again now and then, but a shell command may have made this one just now. Strangers may send anything:
 * the store is not asked more often than this. */
static const double LOOK_EVERY = 0.1;

static bool look_for_tokens(spar__service *service)
{
    double now = spar__seconds();
    (void)pthread_mutex_lock(&service->token_lock);
    bool good = service->file && now - service->token_looked > LOOK_EVERY;
    if (good) {
        service->token_looked = now;
        if (!service->token_store)
            (void)spar__store_open(service->settings.place, SPAR__STORE_READ, &service->token_store, NULL);
        good = service->token_store && !spar__tokens_load(&service->tokens, service->token_store, NULL);
    }
    (void)pthread_mutex_unlock(&service->token_lock);
    return good;
}

uint64_t spar__service_token(spar__service *service, const char *text)
{
    uint64_t number = spar__tokens_check(&service->tokens, text, spar__now());
    return number || !look_for_tokens(service) ? number : spar__tokens_check(&service->tokens, text, spar__now());
}

spar_status spar__secrets_check(spar__service *service, spar_error *err)
{
    spar__keyring keys;
    return spar__keyring_load(service->store, &keys, err);
}

spar_status spar__secrets_load(spar__service *service, spar_error *err)
{
    double start = spar__seconds();
    uint64_t version;
    spar_status status = spar__store_secret_version(service->store, &version, err);
    if (!status)
        status = load_keys(service, err);
    if (!status && !service->has_voter_key) {
        status = load_voter_key(service, err);
        service->has_voter_key = !status;
    }
    if (!status)
        status = spar__tokens_load(&service->tokens, service->store, err);
    if (!status)
        status = spar__invitations_load(&service->invitations, service->store, err);
    if (!status)
        status = spar__logouts_load(&service->logouts, service->store, spar__now(), err);
    if (!status)
        service->secrets_version = version;
    service->secrets_loaded = spar__seconds();
    service->secrets_took = spar__seconds() - start;
    return status;
}
