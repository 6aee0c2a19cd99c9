// Fingerprints of secret keys: by them two processes find out that they have different keys, and nobody learns a key.
//
//   keyFingerprints(keys) // 'b=<32 hex digits>,a=<32 hex digits>'
//   differingKeys(keyFingerprints(own), keyFingerprints(others)) // the ids of the keys that differ
import { mac, type SecretKeys, signingKeys } from '../values/secret-keys.ts'

const LENGTH = 32
const LIST = new RegExp(`^[\\w-]{1,16}=[0-9a-f]{${LENGTH}}(,[\\w-]{1,16}=[0-9a-f]{${LENGTH}})*$`)

/** In the order of the keys. */
export function keyFingerprints(keys: SecretKeys): string {
  const { byId } = signingKeys(keys, 'fingerprint')
  return [...byId.values()].map((key) => `${key.id}=${mac(key, key.id).toString('hex').slice(0, LENGTH)}`).join(',')
}

/**
 * Returns the ids of keys that one side uses and the other does not have, and of those that both have with another content. One that
 * waits at the end of a list is used by nobody yet, as in the middle of a rotation. Empty: each side accepts what the other signs.
 */
export function differingKeys(own: string, others: string): string[] {
  const [mine, theirs] = [entriesOf(own), entriesOf(others)]
  const isOther = (id: string) => mine.get(id) !== theirs.get(id)
  const used = [mine, theirs].flatMap((entries) => [...entries.keys()].slice(0, 1))
  const shared = [...mine.keys()].filter((id) => theirs.has(id))
  return [...new Set([...used, ...shared])].filter(isOther)
}

/** Another form says nothing: empty. */
function entriesOf(list: string): Map<string, string> {
  const entries = LIST.test(list) ? list.split(',') : []
  return new Map(entries.map((entry) => entry.split('=') as [string, string]))
}
