// The parts of the ingest API.

import type { ChangeParts } from '@clinic-data/changes/writing/write-changes'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import type { Log } from '@clinic-data/surface/log'

export interface IngestParts extends ChangeParts {
  log: Log
  /** The public API's address without a slash at its end: problems are described there, and files are served. */
  baseUrl: string
  /** The gateways' own keys for file links (`signingKeys(secretKeys, 'file-link')`). */
  fileLinkKeys: SigningKeys
}
