// The token by which the provider is asked for a person's groups, as a session keeps it: sealed for the person.
import { openText, sealText } from '@clinic-data/contract/sealed-text'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import type { Holder } from '@clinic-data/surface/still-valid'
import type { GroupsToken } from '../sign-in/openid-provider.ts'

export function sealGroupsToken(keys: SigningKeys, { clinic_id, id }: Holder, token: GroupsToken): Buffer {
  return sealText(keys, ['groups', clinic_id, id], JSON.stringify(token))
}

/** Null: it was sealed with a key that is listed no more, or for somebody else. */
export function openGroupsToken(keys: SigningKeys, { clinic_id, id }: Holder, sealed: Uint8Array): GroupsToken | null {
  try {
    return JSON.parse(openText(keys, ['groups', clinic_id, id], sealed)) as GroupsToken
  } catch {
    return null
  }
}
