// A database of a peer's own in the PostgreSQL that both sides share.
import { openDatabase, type Row, type Statement, sql } from '@clinic-data/database'
import type { QueueGround } from './queue-ground.ts'

export interface OwnDatabase {
  /** As drivers written in Go read it: a socket's folder is a parameter. */
  readonly url: string
  /** Drops it and creates it anew. */
  empty(): Promise<void>
  drop(): Promise<void>
  /** Asks it on a connection that ends with the answer. */
  query<R extends Row>(statement: Statement): Promise<readonly R[]>
}

export function ownDatabase({ owner, server }: QueueGround, name: string): OwnDatabase {
  const ours = new URL(server.ownerUrl)
  const { username, password, hostname, port } = ours
  ours.pathname = name
  const drop = async () => {
    await owner.query(sql`drop database if exists ${sql.identifier(name)} with (force)`)
  }
  return {
    url: `postgres://${username}:${password}@/${name}?host=${hostname}&port=${port}&sslmode=disable`,
    async empty() {
      await drop()
      await owner.query(sql`create database ${sql.identifier(name)}`)
    },
    drop,
    async query<R extends Row>(statement: Statement) {
      const database = await openDatabase({ url: ours.href, statementTimeoutMs: 0 })
      try {
        return (await database.query<R>(statement)).rows
      } finally {
        await database.close()
      }
    },
  }
}
