// Where the operator demands the identity provider, nobody signs in by a password or a passkey, and nobody adds one: it would outlive the person's
// account at the provider. An operator's link is left, for the day on which the provider fails.
import { Problem } from '@clinic-data/contract'
import type { ConsoleParts } from './console-parts.ts'

/** @throws Problem 403 where the provider is required. */
export function refuseBesideProvider({ openId }: Pick<ConsoleParts, 'openId'>): void {
  if (openId?.isRequired)
    throw new Problem('forbidden', `Only ${openId.name} opens this console. Passwords and passkeys are switched off.`)
}
