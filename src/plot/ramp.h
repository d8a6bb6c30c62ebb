/* ramp.h - a colour for a number, from dark to light in equal perceived steps, also in grey print. */
#ifndef SPAR_PLOT_RAMP_H
#define SPAR_PLOT_RAMP_H

enum { SPAR__RAMP_SIZE = 8 };

/* "#rrggbb" for a share from 0 to 1; outside of that the colour of the end, for NaN a light grey. */
void spar__ramp(double share, char color[SPAR__RAMP_SIZE]);

#endif
