#include "plot/drawing.h"

spar_status spar__draw_panels(const spar__figure *figs, size_t n, size_t columns, spar__drawing *out)
{
    spar_status status = spar__plot_page(out->name, figs, n, columns, &out->svg);
    return status ? status : spar__table_panels(figs, n, &out->tables);
}

spar_status spar__draw_grid(const spar__grid *grid, spar__drawing *out)
{
    spar__grid named = *grid;
    named.name = out->name ? out->name : grid->name;
    spar_status status = spar__plot_grid(&named, &out->svg);
    return status ? status : spar__table_grid(&named, &out->tables);
}

spar_status spar__draw_beliefs(const spar__beliefs *fig, spar__drawing *out)
{
    spar__beliefs named = *fig;
    named.name = out->name ? out->name : fig->name;
    spar_status status = spar__plot_beliefs(&named, &out->svg);
    if (!status)
        spar__table_beliefs(&named, &out->tables);
    return status ? status : out->tables.failed ? SPAR_NOMEM : SPAR_OK;
}

spar_status spar__draw_intervals(const spar__interval_figure *fig, spar__drawing *out)
{
    spar__plot_intervals(fig, &out->svg);
    spar__table_intervals(fig, &out->tables);
    return out->svg.failed || out->tables.failed ? SPAR_NOMEM : SPAR_OK;
}

void spar__drawing_free(spar__drawing *drawing)
{
    spar__buf_free(&drawing->svg);
    spar__buf_free(&drawing->tables);
}
