// The refusal of a session that began in another way than the clinic demands.
import type { SignInDemand } from '@clinic-data/console-contract/sign-in-demand'
import { Problem } from '@clinic-data/contract'

const SAID: Readonly<Record<SignInDemand, string>> = {
  any: 'Sign in again.',
  passkey: 'The clinic demands a passkey of everybody. Sign in with yours, or add one first if you have none.',
  provider: 'The clinic demands of everybody to sign in by the identity provider. Sign in again by it.',
}

export function notAsDemanded(demand: SignInDemand): Problem {
  return new Problem('forbidden', SAID[demand])
}
