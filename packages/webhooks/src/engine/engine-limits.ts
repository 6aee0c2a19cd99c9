// The numbers of the delivery engine, each with its reason.

/**
 * An attempt starts this soon after its claim, by the monotonic clock, or not at all. So nothing is sent for long after its
 * deletion.
 */
export const START_WINDOW_MS = 1_000

/** Attempts at once: in a process (sockets and memory), and of a clinic. How they are shared: `kept-places.ts`. */
export const AT_ONCE = { process: 256, clinic: 64 } as const

/**
 * Second and later attempts at once, but for requested ones: in a process, and of a clinic. A quarter of all, so that new events never wait
 * for old ones.
 */
export const RETRIES_AT_ONCE = { process: AT_ONCE.process / 4, clinic: AT_ONCE.clinic / 4 } as const

/** Claims at once. Each uses one of the eight writing connections for about a millisecond. */
export const CLAIMS_AT_ONCE = 3

/** Outcomes are stored together, as soon as there are this many or this time has passed. */
export const FLUSH = { rows: 128, ms: 5 } as const

/** The interval of scans for due deliveries without a notice. An idle engine sends one query per second, and its heartbeat. */
export const SCAN_MS = 1_000

/** The interval of the search for times in the future. It also runs at once when this process's own clock goes back. */
export const TIMES_LOOK_MS = 60_000

/** The maximum of clinics that one scan returns. */
export const MOST_CLINICS = 1_000
