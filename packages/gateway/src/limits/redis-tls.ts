// Whom a Redis's certificate is trusted from: `?sslrootcert=<file>` of its address, as in PostgreSQL's, in place of everybody's authorities.
import { readFileSync } from 'node:fs'

/** @returns options of the driver. @throws where the file cannot be read. */
export function redisTls(url: string): { tls?: { ca: Buffer } } {
  const file = new URL(url).searchParams.getAll('sslrootcert').at(-1)
  return file === undefined || file === '' ? {} : { tls: { ca: readFileSync(file) } }
}
