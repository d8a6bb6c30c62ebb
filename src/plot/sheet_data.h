/* sheet_data.h - sheet.css and sheet.js, line by line; each ends with NULL. */
#ifndef SPAR_PLOT_SHEET_DATA_H
#define SPAR_PLOT_SHEET_DATA_H

extern const char *const spar__sheet_css[], *const spar__sheet_js[];

#endif
