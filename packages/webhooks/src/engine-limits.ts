// The numbers of the delivery engine, each with its reason.

/** A claimed delivery is nobody else's for so long: three times the longest attempt. */
export const LEASE_MS = 45_000

/** An attempt starts so soon after its claim, by the monotonic clock, or not at all: what was deleted meanwhile is not sent. */
export const START_WINDOW_MS = 1_000

/** Attempts at once: in a process (sockets and memory), of a clinic (so that four clinics do not fill a process). */
export const AT_ONCE = { process: 256, clinic: 64 } as const

/** Second and later attempts take no more than a quarter of a process: new events never wait for old ones. */
export const RETRIES_AT_ONCE = AT_ONCE.process / 4

/** Claims at once: each takes a connection of the eight that write for a millisecond. */
export const CLAIMS_AT_ONCE = 3

/** Outcomes are stored together: as soon as there are so many, or after so long. */
export const FLUSH = { rows: 128, ms: 5 } as const

/** Nobody may have said that something is due: it is looked for so often. One query a second is what idling costs. */
export const SCAN_MS = 1_000

/** So often it is looked for times that lie ahead; when this process's own clock goes back, at once. */
export const TIMES_LOOK_MS = 60_000

/** Clinics that one look tells of. */
export const MOST_CLINICS = 1_000
