// A package that the service itself serves, because no registry has it: the SDKs, and the command line (docs/decisions/0043).
import { wheelFile } from '@clinic-data/contract/projections/programs'
import manifest from '../../package.json' with { type: 'json' }

export interface ServedPackage {
  /** `@clinic-data/client` */
  readonly name: string
  readonly version: string
  /** The name in its address: `client.tgz`. */
  readonly file: string
  readonly bytes: Buffer
  /** The hash of the bytes as npm writes it into lock files: `sha512-…`. */
  readonly integrity: string
}

/** Rejects while they cannot be packed. Cheap to call again. */
export type ServedPackages = () => Promise<readonly ServedPackage[]>

/** Released together with the gateway. */
export const WHEEL_FILE = wheelFile(manifest.version)

/** The names of the files. Their addresses are known before they are packed. */
export const PACKAGE_FILES = ['client.tgz', 'sc.tgz', WHEEL_FILE] as const
