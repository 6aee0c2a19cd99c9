// How a database is opened, and how one write of it runs.

import type { ReplicaNews } from './connections/replica.ts'

export type DatabaseOptions = {
  url: string
  /**
   * The owner's url for an application, whose requests run as the login of `url`. That login is refused unless row level security
   * binds it. Work that no request may do runs as the owner (`append`).
   */
  ownerUrl?: string
  /** A standby of this database, which scans go to while it is close behind. With the login of `url`. */
  replicaUrl?: string
  readConnections?: number
  writeConnections?: number
  /** The number of connections for reads that scan much, and so of such reads at once. */
  scanConnections?: number
  /** 0 means no limit, for migrations. */
  statementTimeoutMs?: number
  /** Called for connections that broke while idle. */
  onError?: (error: Error) => void
  /** Called when the standby begins to answer scans, or cannot. */
  onReplicaNews?: (news: ReplicaNews) => void
}

export type WriteOptions = {
  timeoutMs?: number
  /** False: a crash of the server within the next moments may undo the write. For work that is found again anyway. */
  isDurable?: boolean
  /**
   * Plans the transaction's prepared statements once per connection, not for each set of values. For statements that look rows up by
   * keys and whose planning costs more than it gains.
   */
  plansOnce?: boolean
}
