/* item.h - an item of a live experiment: a prompt or a query, with one output for each option. A screen then shows the
 * outputs of its options for one item.
 *
 *   id       short text, unique in the experiment
 *   prompt   what was asked, Markdown
 *   group    short text, or none: standings are also made for each group
 *   outputs  by the id of an option, Markdown; may be empty; an option without one is not shown with this item
 *
 * Limits: id and group 200 characters, prompt and each output 64 KiB, 100,000 items in an experiment; valid UTF-8
 * without control characters (prompts and outputs may have line breaks and tabs).
 *
 * Threads: an item may be read by several threads at once; a thread that changes it must be alone. NULL: refused with
 * SPAR_INVALID, or NULL, 0 is returned, unless said otherwise; err may be NULL. */
#ifndef SPAR_ITEM_H
#define SPAR_ITEM_H

#include <spar/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_item spar_item;

/* An item with an id alone. */
SPAR_API spar_status spar_item_new(const char *id, spar_item **out, spar_error *err);
SPAR_API void spar_item_free(spar_item *item); /* NULL is fine */

/* Each is checked and copied; NULL takes it away. After a failure the item is as it was. An output that is there is
 * replaced. */
SPAR_API spar_status spar_item_set_prompt(spar_item *item, const char *prompt, spar_error *err);
SPAR_API spar_status spar_item_set_group(spar_item *item, const char *group, spar_error *err);
SPAR_API spar_status spar_item_set_output(spar_item *item, const char *option, const char *text, spar_error *err);

/* Borrowed until the item changes; NULL where it has none. Outputs are in the order in which they were first set. */
SPAR_API const char *spar_item_id(const spar_item *item);
SPAR_API const char *spar_item_prompt(const spar_item *item);
SPAR_API const char *spar_item_group(const spar_item *item);
SPAR_API size_t spar_item_outputs(const spar_item *item);
SPAR_API const char *spar_item_option(const spar_item *item, size_t i); /* the id of an option */
SPAR_API const char *spar_item_output(const spar_item *item, size_t i); /* and its text */

#ifdef __cplusplus
}
#endif

#endif
