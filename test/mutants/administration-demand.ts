// Mutants of the backend: what a clinic demands of those who sign in.
import type { Mutant } from './mutant.ts'

const by = 'packages/administration/test/sign-in-demand.test.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a session that the clinic’s demand holds opens nothing',
    file: 'packages/administration/src/routes/signed-in.ts',
    from: 'if (isHeld(session)) throw',
    to: 'if (isHeld(session) && isOpenWhileHeld) throw',
    caught: {
      by,
      test: 'a session that is held may see why, sign out and add a first passkey, and nothing else of all operations',
    },
  },
  {
    breaks: 'a request whose body arrives after the demand stores nothing',
    file: 'packages/administration/src/sessions/sessions.ts',
    from: 'if (!isHeld(session) && !meetsDemand(demand, session.way))',
    to: 'if (isHeld(session) && !meetsDemand(demand, session.way))',
    caught: {
      by,
      test: 'nothing is stored of what arrives in a session that the demand holds meanwhile, and the demand is answered after it',
    },
  },
  {
    breaks: 'a password adds no passkey beside the person’s own',
    file: 'packages/administration/src/sign-in/passkeys.ts',
    from: "(way === 'link' || !administrator.has_passkey)",
    to: "(way !== 'link' || !administrator.has_passkey)",
    caught: {
      by,
      test: 'whoever has no passkey adds one in the held session, and signs in with it; a password adds none beside it',
    },
  },
  {
    breaks: 'two first passkeys at once are one',
    file: 'packages/administration/src/sign-in/passkeys.ts',
    from: 'has_passkey: has > 0',
    to: 'has_passkey: has > 1',
    caught: { by, test: 'two first passkeys at once are one' },
  },
  {
    breaks: 'an owner locks out nobody’s own session',
    file: 'packages/administration/src/people/sign-in-rule.ts',
    from: 'if (!rule.met.includes(demand))',
    to: 'if (rule.met.length === 0)',
    caught: {
      by,
      test: 'an owner who came by password demands what that meets, and is told why nothing else is taken',
    },
  },
  {
    breaks: 'the later of two demands meets the former',
    file: 'packages/administration/src/people/sign-in-rule.ts',
    from: "inTurn(consoleDatabase, session, 'setSignInRule', async",
    to: 'consoleDatabase.write(session.clinic, async',
    caught: {
      by,
      test: 'a demand beside sign-ins and beside another owner’s demand lets nobody in who does not meet it',
    },
  },
  {
    breaks: 'the last passkey stays where the clinic demands one',
    file: 'packages/administration/src/sign-in/passkeys.ts',
    from: "if (demand === 'passkey') await",
    to: "if (demand === 'provider') await",
    caught: { by, test: 'the last passkey is not removed where the clinic demands one' },
  },
  {
    breaks: 'an invitation begins no session where the provider is demanded',
    file: 'packages/administration/src/people/accept-invitation.ts',
    from: "row.sign_in_demand !== 'provider'",
    to: "row.sign_in_demand !== 'passkey'",
    caught: { by, test: 'whoever accepts an invitation under the demand provider gets in only so' },
  },
  {
    breaks: 'a session of the version before is by passkey only if a passkey began it',
    file: 'packages/administration/src/sessions/sessions.ts',
    from: 'case when passkey_id is not null',
    to: 'case when passkey_id is null',
    caught: {
      by,
      test: 'a passkey’s session of the version before meets the demand, and any other of that version does not',
    },
  },
]
