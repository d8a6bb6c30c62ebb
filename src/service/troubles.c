/* troubles.c - see troubles.h. */
#include "service/troubles.h"

#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void spar__troubles_init(spar__troubles *troubles)
{
    troubles->n = 0;
    (void)pthread_mutex_init(&troubles->lock, NULL);
}

void spar__troubles_fini(spar__troubles *troubles)
{
    (void)pthread_mutex_destroy(&troubles->lock);
}

static void tell(const char *sentence)
{
    spar__buf shown = {0};
    spar__buf_add_printable(&shown, sentence);
    if (!shown.failed)
        (void)fprintf(stderr, "spar: warning: %s\n", shown.text);
    spar__buf_free(&shown);
}

static bool of_storage(spar_status status)
{
    return status == SPAR_IO || status == SPAR_FULL || status == SPAR_CORRUPT || status == SPAR_BUSY ||
           status == SPAR_NOMEM;
}

void spar__troubles_add(spar__troubles *troubles, spar_status status, const spar_error *err, double now)
{
    if (!troubles || !of_storage(status) || !err->text[0])
        return;
    (void)pthread_mutex_lock(&troubles->lock);
    size_t i = 0;
    while (i < troubles->n && strcmp(troubles->trouble[i].what.text, err->text) != 0)
        i++;
    if (i < troubles->n) {
        troubles->trouble[i].last = now;
        troubles->trouble[i].times++;
    } else if (i < SPAR__TROUBLES_MOST) {
        troubles->trouble[troubles->n++] = (spar__trouble){*err, now, 1};
        tell(err->text);
    }
    (void)pthread_mutex_unlock(&troubles->lock);
}

static void tell_over(const spar__trouble *trouble)
{
    spar__buf text = {0};
    spar__buf_printf(&text, "is over, after %" PRIu64 " time%s: %s", trouble->times, spar__plural(trouble->times),
                     trouble->what.text);
    if (!text.failed)
        tell(text.text);
    spar__buf_free(&text);
}

void spar__troubles_good(spar__troubles *troubles, double now)
{
    size_t kept = 0;
    (void)pthread_mutex_lock(&troubles->lock);
    for (size_t i = 0; i < troubles->n; i++)
        if (now - troubles->trouble[i].last > SPAR__TROUBLE_SECONDS)
            tell_over(&troubles->trouble[i]);
        else
            troubles->trouble[kept++] = troubles->trouble[i];
    troubles->n = kept;
    (void)pthread_mutex_unlock(&troubles->lock);
}
