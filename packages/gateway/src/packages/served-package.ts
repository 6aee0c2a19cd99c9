// A package that the service itself serves, because no registry has it: the SDK, and the command line.
import { hash } from 'node:crypto'

export interface ServedPackage {
  /** `@clinic-data/client` */
  readonly name: string
  readonly version: string
  /** The name in its address: `client.tgz`. */
  readonly file: string
  readonly bytes: Buffer
}

/** Rejects while they cannot be packed. Cheap to call again. */
export type ServedPackages = () => Promise<readonly ServedPackage[]>

/** The names of the files. Their addresses are known before they are packed. */
export const PACKAGE_FILES = ['client.tgz', 'sc.tgz'] as const

/** The hash of a package as npm writes it into lock files. */
export function integrityOf({ bytes }: ServedPackage): string {
  return `sha512-${hash('sha512', bytes, 'base64')}`
}
