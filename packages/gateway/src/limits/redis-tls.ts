// The authority that a Redis's certificate must come from: `?sslrootcert=<file>` of its address names it, as in PostgreSQL's addresses.
import { readFileSync } from 'node:fs'

/** @returns options of the driver. @throws where the file cannot be read. */
export function redisTls(url: string): { tls?: { ca: Buffer } } {
  const file = new URL(url).searchParams.getAll('sslrootcert').at(-1)
  return file === undefined || file === '' ? {} : { tls: { ca: readFileSync(file) } }
}
