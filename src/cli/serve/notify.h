/* notify.h - what a service manager wants to hear (systemd, Type=notify). Without one nothing happens. */
#ifndef SPAR_CLI_NOTIFY_H
#define SPAR_CLI_NOTIFY_H

/* "READY=1", "STOPPING=1", "WATCHDOG=1"; several with line breaks between them. Goes to the socket that NOTIFY_SOCKET
 * names. */
void spar__notify(const char *state);

/* Seconds within which the manager wants to hear WATCHDOG=1; 0: it does not. */
double spar__notify_watchdog(void);

#endif
