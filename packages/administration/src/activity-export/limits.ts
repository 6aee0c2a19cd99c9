// The limits of an export of the activity.

export const LIMITS = {
  /** A spreadsheet opens as many with ease, and the page holds them as some ten megabytes. */
  mostRows: 50_000,
  /** All rows of the seals that a proof needs: some 200 megabytes. */
  mostRowsOfProof: 300_000,
  /** Three years of a seal a minute, half a gigabyte. The way to the head cannot be made shorter. */
  mostSeals: 1_600_000,
  /** Those of `deploy/` wait longer, and other proxies mostly a minute for the beginning of an answer. */
  mostSearchMs: 45_000,
  /** Half a gigabyte over ten megabits a second. */
  mostWritingMs: 10 * 60_000,
}

export type Limits = typeof LIMITS
