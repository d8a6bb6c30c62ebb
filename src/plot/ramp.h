/* ramp.h - a colour for a number: dark to light in equal steps to the eye, in grey print as well. */
#ifndef SPAR_PLOT_RAMP_H
#define SPAR_PLOT_RAMP_H

enum { SPAR__RAMP_SIZE = 8 };

/* "#rrggbb" for a share from 0 to 1 of the range; what lies outside has the colour of the end, NaN a light grey that
 * the ramp does not have. */
void spar__ramp(double share, char color[SPAR__RAMP_SIZE]);

#endif
