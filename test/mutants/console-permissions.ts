// Mutants that loosen the console's tables of roles, proofs and approvals.
import type { Mutant } from './mutant.ts'

const caught = {
  by: 'packages/console-contract/test/permissions.test.ts',
  test: 'golden/permissions.txt says who may call what, with which proof, and what a second person approves',
}
const ROLES = 'packages/console-contract/src/roles.ts'
const CARE = 'packages/console-contract/src/care.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'only an owner says which alert stops an integration',
    file: ROLES,
    from: 'setStopRule: owners',
    to: 'setStopRule: managers',
    caught,
  },
  {
    breaks: 'a session that is held removes no passkey',
    file: ROLES,
    from: "  'addPasskey',\n]",
    to: "  'addPasskey',\n  'removePasskey',\n]",
    caught,
  },
  {
    breaks: 'a new secret of a webhook needs a proof',
    file: CARE,
    from: "'webhooks.secret.rotate': 'confirmed'",
    to: "'webhooks.secret.rotate': 'free'",
    caught,
  },
  {
    breaks: 'sums over all patients wait for an approval',
    file: 'packages/console-contract/src/approvals.ts',
    from: "['catalog:read', 'availability:read']",
    to: "['catalog:read', 'availability:read', 'analytics:read']",
    caught,
  },
]
