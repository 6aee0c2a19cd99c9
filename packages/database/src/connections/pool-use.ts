// What a pool's connections do at a moment, as the metrics tell it.

export interface PoolUse {
  /** The most connections that it opens. */
  most: number
  used: number
  idle: number
  /** Those who wait for a connection, or behind another on one. */
  waiting: number
}
