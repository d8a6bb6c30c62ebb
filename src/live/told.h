#include "cli/experiment/experiment.h"
#include "text/json_tree.h"
spar_status spar__told_read(const spar__json_tree *tree, spar__told *told, spar_error *err);
