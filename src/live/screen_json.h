#include "cli/experiment/experiment.h"
