/* items.c - items of an experiment: from JSON lines that Python made, and what a screen shows of one. */
#include "experiment.h"

#include "live/items/items.h"

#include <string.h>

/* Where in the list an item is wrong; the reader says so by itself. */
static void fail_at(const spar__item_list *list, size_t i, spar_status status, spar_error *err)
{
    spar_error why = *err;
    if (i < list->n)
        (void)spar__fail(err, status, "items:%zu: %s", list->line[i], why.text);
}

int py_items_add(spar_setup *setup, const char *text)
{
    spar__item_list list = {0};
    spar_error err = {0};
    spar_status status = text ? spar__items_read(text, strlen(text), "items", &list, &err) : SPAR_OK;
    for (size_t i = 0; i < list.n && !status; i++) {
        status = spar_setup_add_item(setup, list.item[i], &err);
        if (status)
            fail_at(&list, i, status, &err);
    }
    spar__item_list_free(&list);
    if (status)
        (void)py_fail(&err);
    return status ? -1 : 0;
}

static PyObject *add_items_inside(experiment_object *self, PyObject *text, PyObject *named)
{
    (void)named;
    spar__item_list list = {0};
    spar__items_added result = {0};
    spar_error err = {0};
    spar_status status;
    const char *words;
    PyObject *held = py_bytes_of(text, &words);
    if (!held)
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = spar__items_read(words, strlen(words), "items", &list, &err);
    if (!status) {
        status = spar__live_add_items(self->experiment, list.n, (const spar_item *const *)list.item, &result, &err);
        if (status)
            fail_at(&list, result.at, status, &err);
    }
    spar__item_list_free(&list);
    Py_END_ALLOW_THREADS Py_DECREF(held);
    return status ? py_fail(&err) : Py_BuildValue("(nn)", (Py_ssize_t)result.added, (Py_ssize_t)result.changed);
}

PyObject *py_experiment_add_items(PyObject *object, PyObject *text)
{
    return py_experiment_inside(object, add_items_inside, text, NULL);
}

PyObject *py_item_of(const spar_screen *screen)
{
    if (spar_screen_item(screen) == SPAR_NO_ITEM)
        return py_text(NULL);
    return Py_BuildValue("{s:N,s:N,s:N}", "id", py_text(spar_screen_item_id(screen)), "prompt",
                         py_text(spar_screen_prompt(screen)), "group", py_text(spar_screen_group(screen)));
}

PyObject *py_outputs_of(const spar_screen *screen)
{
    size_t m = spar_screen_slots(screen);
    if (spar_screen_item(screen) == SPAR_NO_ITEM)
        return py_text(NULL);
    PyObject *outputs = PyTuple_New((Py_ssize_t)m);
    for (size_t place = 0; outputs && place < m; place++)
        if (PyTuple_SetItem(outputs, (Py_ssize_t)place, py_text(spar_screen_body(screen, place))))
            Py_CLEAR(outputs);
    return outputs;
}
