// Describes what a backup says of itself, and checks whether this program and these secret keys fit it.
import { hash } from 'node:crypto'
import { migrations } from '@clinic-data/backend/migrations'
import { mac, type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import { embeddedMajor } from '@clinic-data/database/embedded/restore-postgres'
import { checksumOf } from '@clinic-data/database/schema/form-of-rows'
import program from '../../package.json' with { type: 'json' }
import type { BackupManifest } from './backup-file.ts'

export async function manifestOf(owner: Database, secretKeys: SecretKeys): Promise<BackupManifest> {
  const { rows } = await owner.query<{ major: number }>(
    sql`select current_setting('server_version_num')::integer / 10000 as major`,
  )
  return {
    version: program.version,
    made_at: new Date().toISOString(),
    postgres: rows[0]?.major ?? 0,
    processor: process.arch,
    migrations: await appliedMigrations(owner),
    secret_keys: marksOf(secretKeys),
    mac_key: secretKeys[0].id,
  }
}

export async function appliedMigrations(owner: Database): Promise<BackupManifest['migrations']> {
  const { rows } = await owner.query<{ id: string; checksum: string }>(
    sql`select id, checksum from schema_migration order by id`,
  )
  return rows
}

/** @throws Error when this program cannot serve what the backup holds. */
export async function requireProgram({ version, postgres, processor, migrations: applied }: BackupManifest) {
  const known = new Map(migrations.map(({ id, statements }) => [id, hash('sha256', statements)]))
  if (applied.some(({ id, checksum }) => known.get(id) !== checksumOf(checksum)))
    throw new Error(
      `clinicd ${version} made the backup, a newer version than ${program.version}: restore it with that one`,
    )
  const major = await embeddedMajor()
  if (postgres !== major || processor !== process.arch)
    throw new Error(
      `the backup is of PostgreSQL ${postgres} on ${processor}, and this is ${major} on ${process.arch}: restore it there`,
    )
}

/** The ids of the secret keys of the backup's installation that are not given, or are others of that name. */
export function missingKeys({ secret_keys }: BackupManifest, keys: SecretKeys | null): string[] {
  const marks = keys === null ? {} : marksOf(keys)
  return Object.keys(secret_keys).filter((id) => marks[id] !== secret_keys[id])
}

function marksOf(secretKeys: SecretKeys): Record<string, string> {
  const { byId } = signingKeys(secretKeys, 'backup')
  return Object.fromEntries([...byId].map(([id, key]) => [id, mac(key, id).toString('hex')]))
}
