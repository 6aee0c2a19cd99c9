/*
 * Waits as the kernel does. faketime's library shows the true time while its own epoll_wait runs: an alarm that rings meanwhile sees a clock
 * that stands back, and is set anew for as long. So in a PostgreSQL that waits for a lock, no statement ended and no deadlock was found.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
  return syscall(SYS_epoll_pwait, set, events, most, timeout, NULL, _NSIG / 8);
}
