// The signals that end a program in good order, so that no unfinished file and no server of its own stays behind.

/**
 * A supervisor's, Ctrl-C, a terminal or a connection that closes, and Ctrl-\. Node.js heeds them under `nohup` too: it sets all signals
 * to their defaults when it starts.
 */
export const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const
