// Counts what a pool's connections do at a moment, for the metrics.

export interface PoolUse {
  /** The most connections that it opens. */
  most: number
  used: number
  idle: number
  /** Those who wait for a connection, or behind another on one. */
  waiting: number
}
