// Streams the files of a running embedded server, as the server itself packs them: one tar archive, with the log that makes the copy
// consistent. Nobody waits for it: clients read and write meanwhile.

import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Connection, Submittable } from 'pg'
import { connector, destroy } from '../connections/connect.ts'
import { failureOf } from '../connections/database-failure.ts'

/**
 * The archive holds every change that was committed before this call, and ends with an error unless the server has sent all of it.
 * Destroying it ends the copy.
 */
export async function openBaseBackup(ownerUrl: string): Promise<Readable> {
  const url = new URL(ownerUrl)
  url.searchParams.set('replication', 'true')
  const connect = connector({ url: url.href, statementTimeoutMs: 0, onError: () => undefined })
  const client = await connect({ pipeline: false })
  const slot = `clinicd_backup_${randomBytes(8).toString('hex')}`
  try {
    // The server keeps the log that the copy needs for as long as this connection lives.
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`)
  } catch (error) {
    destroy(client)
    throw failureOf(error)
  }
  const backup = new BaseBackup()
  client.on('error', (error) => backup.archive.destroy(error))
  // After an error too, the server's side of the copy ends with the connection.
  backup.archive.once('close', () => destroy(client))
  client.query(backup)
  return backup.archive
}

/** The first byte of a message: an archive begins, a part of it. Others report progress. */
const [BEGIN, PART] = ['n'.charCodeAt(0), 'd'.charCodeAt(0)]

/** In the form that the driver calls. */
class BaseBackup implements Submittable {
  #connection: Connection | undefined
  #archives = 0
  readonly archive = new Readable({ read: () => void this.#connection?.stream.resume() })

  submit(connection: Connection): void {
    this.#connection = connection
    connection.query("BASE_BACKUP (LABEL 'clinicd', CHECKPOINT 'fast', WAL true, MANIFEST 'no')")
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    if (chunk[0] === BEGIN && ++this.#archives > 1)
      this.archive.destroy(new Error('the database has tablespaces of its own, which no backup holds'))
    // The driver uses the memory of its messages again.
    const isFull = chunk[0] === PART && !this.archive.push(Buffer.from(chunk.subarray(1)))
    if (isFull) connection.stream.pause()
  }

  handleError(error: Error): void {
    this.archive.destroy(failureOf(error))
  }

  handleReadyForQuery(): void {
    this.archive.push(null)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
