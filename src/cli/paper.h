/* paper.h - what `spar paper` prints and writes. */
#ifndef SPAR_CLI_PAPER_H
#define SPAR_CLI_PAPER_H

#include "paper/paper.h"

/* The claims and their verdicts, for a terminal. */
void spar__paper_text(const spar__paper *paper, bool styled, spar__buf *out);

/* Figures and claims in Markdown, for documents. */
void spar__paper_markdown(const spar__paper *paper, const char *command, spar__buf *out);

/* All files: figures, results.csv, curves.csv, results.json, report.md, index.html. */
spar_status spar__paper_files(const spar__paper *paper, const char *command, const char *dir, spar_error *err);

#endif
