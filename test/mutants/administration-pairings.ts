// Mutants of one sign-in for several clinics.
import type { Mutant } from './mutant.ts'

const by = 'packages/administration/test/pairings.test.ts'
const offers = 'packages/administration/test/pairing-offers.test.ts'
const PAIRINGS = 'packages/administration/src/pairings/pairings.ts'
const PAIR = 'packages/administration/src/pairings/pair.ts'
const OPEN = 'packages/administration/src/pairings/open-paired.ts'
const SESSION = 'packages/administration/src/sessions/paired-session.ts'
const COOKIE = 'packages/administration/src/sessions/signed-cookie.ts'
const OFFER = 'packages/administration/src/pairings/offer-cookie.ts'
const HANDLERS = 'packages/administration/src/routes/pairing-handlers.ts'

const onlyOwn = 'a pairing opens nothing to another person of either clinic, and no other clinic'
const proven =
  'an offer is taken once it is proven, in the browser that made it, for as long as its session lasts and ten minutes'
const ended = (how: string) => `a paired clinic is closed to the browser from the answer on when ${how}`
const ways =
  'the provider opens a clinic that demands it, where both have the same account; a passkey opens none that demands one'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a pairing is of one person of the clinic',
    file: SESSION,
    from: 'and administrator_id = ${first.administrator.id} and other_clinic_id',
    to: 'and ${first.administrator.id} is not null and other_clinic_id',
    caught: { by, test: onlyOwn },
  },
  {
    breaks: 'each session opens the other clinic itself',
    file: SESSION,
    from: 'hashKey(`${token} ${pairing_id}`)',
    to: 'hashKey(`${token.length} ${pairing_id}`)',
    caught: { by, test: onlyOwn },
  },
  {
    breaks: 'a session in a paired clinic ends with the first one',
    file: SESSION,
    from: 'const first = await findSession(consoleDatabase, token, looking)',
    to: 'const first = await findSession(consoleDatabase, token, { ...looking, now: new Date(looking.now.getTime() - 60 * 60_000) })',
    caught: { by, test: ended('the first session is left alone') },
  },
  {
    breaks: 'ending a pairing ends the sessions that it has opened',
    file: PAIRINGS,
    from: 'and pairing_id = any(',
    to: "and 'x' || pairing_id = any(",
    caught: { by, test: ended('the second clinic’s owner ends its pairings') },
  },
  {
    breaks: 'a pairing holds while both clinics do',
    file: PAIRINGS,
    from: 'return row === undefined ? null : { ...other, pairing, ...row }',
    to: "return { ...other, pairing, ...(row ?? { clinic_name: '', role: 'owner', demand: 'any', provider_account: null }) }",
    caught: {
      by,
      test: 'a pairing that the first clinic alone has ended is in no list and opens nothing, and can be made anew',
    },
  },
  {
    breaks: 'ending a pairing ends the other clinic’s half',
    file: HANDLERS,
    from: 'await endPairingThere(database, there, id, recordFor)',
    to: 'void endPairingThere',
    caught: {
      by,
      test: 'a pairing that its person ends leaves nothing in either clinic, and each log has its row',
    },
  },
  {
    breaks: 'a paired session opens no further clinic',
    file: OPEN,
    from: "if (session.pairingId !== null) throw new Problem('conflict', FROM_THE_FIRST)",
    to: '',
    caught: {
      by,
      test: 'a pairing reaches no further: what is paired with the other clinic is opened from there alone',
    },
  },
  {
    breaks: 'an opened session carries no proof',
    file: OPEN,
    from: 'proven_at: null,',
    to: 'proven_at: now,',
    caught: { by, test: 'what gives power in a paired clinic wants a proof of its own there' },
  },
  {
    breaks: 'an opened session lasts no longer than the first one',
    file: OPEN,
    from: 'created_at: new Date(expiresAt.getTime() - LONGEST_MS),',
    to: 'created_at: new Date(Math.max(now.getTime(), expiresAt.getTime() - LONGEST_MS)),',
    caught: { by, test: 'an opened session lasts no longer than the first one, and says from where it was opened' },
  },
  {
    breaks: 'a session by a link opens no other clinic',
    file: OPEN,
    from: "const isProven = way === 'password' || way === 'passkey' || way === 'provider'",
    to: 'const isProven = true',
    caught: {
      by: offers,
      test: 'a session by a link opens no other clinic, because somebody else has let its person in',
    },
  },
  {
    breaks: 'a password opens no clinic that demands another way',
    file: OPEN,
    from: "const isDemanded = demand !== 'any' || openId?.isRequired === true",
    to: 'const isDemanded = openId?.isRequired === true',
    caught: {
      by: offers,
      test: 'a clinic that demands a way of signing in is not opened by a password of another one, and an open one is held',
    },
  },
  {
    breaks: 'where the operator demands the provider, another account of it opens no other clinic',
    file: OPEN,
    from: "demand !== 'any' || openId?.isRequired === true",
    to: "demand !== 'any'",
    caught: { by: offers, test: ways },
  },
  {
    breaks: 'no sign-in elsewhere opens a clinic that demands passkeys',
    file: OPEN,
    from: "return demand === 'passkey' ? null : { way: 'provider' }",
    to: "return { way: 'provider' }",
    caught: { by: offers, test: ways },
  },
  {
    breaks: 'the provider’s account proves only whoever signed in by it',
    file: OPEN,
    from: "const own = way === 'provider' ? await",
    to: 'const own = way !== null ? await',
    caught: { by: offers, test: ways },
  },
  {
    breaks: 'an opened session keeps no way of the first one',
    file: OPEN,
    from: 'return isProven && !isDemanded ? { way: null } : null',
    to: 'return isProven && !isDemanded ? { way } : null',
    caught: {
      by: offers,
      test: 'a clinic that comes to demand passkeys holds a session that a passkey of another clinic opened',
    },
  },
  {
    breaks: 'an offer lasts as long as its session',
    file: PAIR,
    from: 'const lasting = await consoleDatabase.read(utcSession(offer.clinic_id), offering(offer, now))',
    to: 'const lasting = [offer]',
    caught: { by: offers, test: proven },
  },
  {
    breaks: 'an offer of the same clinic is none',
    file: PAIR,
    from: "if (offer.clinic_id === clinic_id) throw new Problem('conflict', SAME_CLINIC)",
    to: '',
    caught: { by: offers, test: proven },
  },
  {
    breaks: 'the session of an offer is looked at again when the second half is stored',
    file: PAIR,
    from: "if (!isThere || rows.length === 0) throw new Problem('conflict', NOTHING_OFFERED)",
    to: 'if (!isThere && rows.length === 0) return',
    caught: { by: offers, test: 'an account whose session ends while the pairing is made is paired with nothing' },
  },
  {
    breaks: 'one person is paired with at most so many',
    file: PAIR,
    from: 'if (rows.length > PAIRINGS.most)',
    to: 'if (rows.length > PAIRINGS.most + 1)',
    caught: { by, test: 'one person is paired with at most so many clinics' },
  },
  {
    breaks: 'a changed cookie is none',
    file: COOKIE,
    from: 'return expected.length === sent.length && timingSafeEqual(expected, sent)',
    to: 'return expected.length === sent.length || timingSafeEqual(expected, sent)',
    caught: {
      by: 'packages/administration/test/signed-cookie.test.ts',
      test: 'a signed cookie opens as it was sent, and with no character changed, added or left out',
    },
  },
  {
    breaks: 'an old offer is none',
    file: COOKIE,
    from: 'content !== undefined && endsAt > now ?',
    to: 'content !== undefined && endsAt ?',
    caught: { by: offers, test: proven },
  },
  {
    breaks: 'a cookie of another kind is no offer',
    file: OFFER,
    from: "purpose: 'pairing' }",
    to: "purpose: 'openid' }",
    caught: { by: offers, test: 'the cookie of a sign-in by the provider is no offer' },
  },
  {
    breaks: 'a pairing that holds is not ended before its accounts are paired anew',
    file: 'packages/administration/src/routes/pairing-handlers.ts',
    from: 'if (held !== null) {',
    to: "if (held?.pairing.id === '') {",
    caught: {
      by: 'packages/administration/test/pairing-offers.test.ts',
      test: 'a pairing that holds stays when it is made anew, also where its other clinic can store nothing',
    },
  },
]
