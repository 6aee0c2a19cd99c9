// Mutants of care before power: what asks who sits there, what proves it, and the longest life of keys and connections.
import type { Mutant } from './mutant.ts'

const CARE = 'packages/administration/test/care.test.ts'
const CONFIRMING = 'packages/administration/test/confirming.test.ts'
const PROVIDER = 'packages/administration/test/confirming-provider.test.ts'
const LIFE = 'packages/administration/test/longest-life.test.ts'
const PROOF = 'packages/administration/src/sessions/proof.ts'
const CONFIRM = 'packages/administration/src/confirming/confirm.ts'
const BY_PROVIDER = 'packages/administration/src/confirming/confirm-by-provider.ts'

const passkey = {
  by: CONFIRMING,
  test: 'a passkey confirms in the session that asked, for a person whom the device knows, once',
}
const widening = { by: CARE, test: 'a change asks if it widens, and never if it narrows or only renames' }
const ownSession = {
  by: PROVIDER,
  test: 'an answer from the provider’s own session confirms nothing, and leaves a row',
}

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an operation that gives power asks',
    file: 'packages/administration/src/routes/session-route.ts',
    from: "if (care === 'confirmed') requireCare(true)",
    to: "if (care === 'confirmed') requireCare(false)",
    caught: {
      by: CARE,
      test: 'without a late proof each operation that gives power is refused, changes nothing, and has its row',
    },
  },
  {
    breaks: 'a proof counts for 15 minutes',
    file: 'packages/console-contract/src/care.ts',
    from: 'PROOF_MINUTES = 15',
    to: 'PROOF_MINUTES = 16',
    caught: { by: CARE, test: 'a proof is of one session alone, and of its last 15 minutes' },
  },
  {
    breaks: 'a proof is of one session',
    file: PROOF,
    from: 'where clinic_id = ${clinic_id} and token_hash = ${token_hash} and administrator_id',
    to: 'where clinic_id = ${clinic_id} and token_hash is not null and administrator_id',
    caught: { by: CARE, test: 'a proof is of one session alone, and of its last 15 minutes' },
  },
  {
    breaks: 'a proof that a fast clock made is forgotten',
    file: 'packages/administration/src/sessions/sessions.ts',
    from: 'case when proven_at <= ${latestProof(now)} then proven_at end',
    to: 'case when proven_at <= ${latestProof(now)} then proven_at else proven_at end',
    caught: { by: CARE, test: 'a clock that goes back forgets the proofs that it made while it was ahead' },
  },
  {
    breaks: 'a higher limit of a key asks',
    file: 'packages/administration/src/pages/key-page.ts',
    from: 'isWider = isLonger || isFaster ||',
    to: 'isWider = isLonger ||',
    caught: widening,
  },
  {
    breaks: 'a longer life asks',
    file: 'packages/connect/src/connections/change-connection.ts',
    from: 'return stored !== null && (wanted === null || wanted > stored)',
    to: 'return stored !== null && wanted !== null && wanted > stored',
    caught: widening,
  },
  {
    breaks: 'a role that may anything more asks',
    file: 'packages/administration/src/people/change-person.ts',
    from: 'mayMore(role, former.role)',
    to: 'mayMore(former.role, role)',
    caught: widening,
  },
  {
    breaks: 'a looser rule about apps asks',
    file: 'packages/connect/src/consent/app-rule.ts',
    from: 'appRules.indexOf(wanted) < appRules.indexOf(former)',
    to: 'appRules.indexOf(wanted) > appRules.indexOf(former)',
    caught: widening,
  },
  {
    breaks: 'a webhook that goes elsewhere asks',
    file: 'packages/administration/src/approvals/weighed-webhook.ts',
    from: 'isWider = url !== stored.url || ',
    to: 'isWider = ',
    caught: {
      by: 'packages/administration/test/careful-webhooks.test.ts',
      test: 'a webhook is made, sent elsewhere and shown a new secret only after a late proof, and paused and deleted without one',
    },
  },
  {
    breaks: 'guesses at a confirmation are counted',
    file: CONFIRM,
    from: 'if (seconds !== null) throw tooMany(seconds)',
    to: 'if (seconds === 0) throw tooMany(seconds)',
    caught: {
      by: CONFIRMING,
      test: 'a wrong password confirms nothing, has its row, and after ten no password is looked at',
    },
  },
  {
    breaks: 'another person’s passkey confirms nothing',
    file: CONFIRM,
    from: 'if (owner?.administrator_id !== administrator.id) return false',
    to: 'if (owner === null) return false',
    caught: {
      by: CONFIRMING,
      test: 'another person’s passkey confirms nothing, in the same clinic or in another',
    },
  },
  {
    breaks: 'a challenge to confirm is of one session',
    file: CONFIRM,
    from: 'boundTo: token_hash',
    to: 'boundTo: token_hash.slice(0, 0)',
    caught: passkey,
  },
  {
    breaks: 'the challenge of a sign-in confirms nothing',
    file: CONFIRM,
    from: "purpose: 'confirm'",
    to: "purpose: 'add-passkey'",
    caught: {
      by: CONFIRMING,
      test: 'a challenge to add a passkey does not confirm',
    },
  },
  {
    breaks: 'a provider that tells when it asked confirms nothing without it',
    file: BY_PROVIDER,
    from: 'if (askedAt === null) return !tellsWhenAsked',
    to: 'if (askedAt === null) return tellsWhenAsked || !tellsWhenAsked',
    caught: ownSession,
  },
  {
    breaks: 'an answer from the provider’s own session confirms nothing',
    file: BY_PROVIDER,
    from: 'askedAt.getTime() >= asked_at - PROVIDER_SKEW_MS && ',
    to: '',
    caught: ownSession,
  },
  {
    breaks: 'another account of the provider confirms nothing',
    file: BY_PROVIDER,
    from: ' and openid_subject = ${person.subject}',
    to: '',
    caught: { by: PROVIDER, test: 'another account of the provider confirms nothing, and signs nobody in' },
  },
  {
    breaks: 'an answer of the provider confirms once',
    file: BY_PROVIDER,
    from: '|| !isFirst || ',
    to: '|| ',
    caught: {
      by: PROVIDER,
      test: 'an answer confirms once, in the browser that asked, and only while its session lasts',
    },
  },
  {
    breaks: 'a session that a provider began without asking is not proven',
    file: 'packages/administration/src/openid/openid-sign-in.ts',
    from: 'return askedAt < now ? askedAt : now',
    to: 'return now',
    caught: {
      by: PROVIDER,
      test: 'a session that a provider began is proven from when the provider asked, and not at all when it does not say',
    },
  },
  {
    breaks: 'no key lasts longer than the clinic allows',
    file: 'packages/administration/src/pages/console-keys.ts',
    from: "        requireLife(tx, { clinic_id, expires_at, pointer: '#/expires_at', now })\n",
    to: '',
    caught: {
      by: LIFE,
      test: 'no key is minted or made to last longer than the clinic allows, and those of before stay',
    },
  },
  {
    breaks: 'no app is connected for longer than the clinic allows',
    file: 'packages/connect/src/consent/new-connection.ts',
    from: "      requireLife(tx, { clinic_id, expires_at, pointer: '#/days', now })\n",
    to: '',
    caught: {
      by: LIFE,
      test: 'no app is connected for longer, by a browser or a device, and no connection is extended beyond it',
    },
  },
]
