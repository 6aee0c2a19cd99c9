// Mutants of the backend: signing in to the console, sessions, passwords.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a used link tells nobody whose it was',
    file: 'packages/administration/src/routes/look-at-link-route.ts',
    from: 'l.used_at is null and ',
    to: '',
    caught: {
      by: 'packages/administration/test/sign-in.test.ts',
      test: 'looking at a link tells whose session it begins, changes nothing, and tells nothing of one that signs nobody in',
    },
  },
  {
    breaks: 'a session ends after 30 minutes without a request',
    file: 'packages/administration/src/sessions/sessions.ts',
    from: 'const IDLE_MS = 30 * 60 * 1000',
    to: 'const IDLE_MS = 31 * 60 * 1000',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'a session ends after 30 minutes without a request, and after 12 hours whatever is asked',
    },
  },
  {
    breaks: 'a session ends after 12 hours whatever is asked',
    file: 'packages/administration/src/sessions/sessions.ts',
    from: ' and created_at > ${begunSince}`',
    to: ' and created_at <> ${begunSince}`',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'a session ends after 30 minutes without a request, and after 12 hours whatever is asked',
    },
  },
  {
    breaks: 'signing out ends one session, and not all of the administrator',
    file: 'packages/administration/src/sessions/sessions.ts',
    from: '(${everywhere}::boolean or token_hash',
    to: '(${!everywhere}::boolean or token_hash',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'signing out ends the session, everywhere ends all of the administrator’s and no other’s',
    },
  },
  {
    breaks: 'what a page reads by itself does not keep a session',
    file: 'packages/administration/src/sessions/sessions.ts',
    from: 'greatest(seen_at, ${isUse ? now : null})',
    to: 'greatest(seen_at, ${now})',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'what a page reads by itself does not keep a session, and a change always does',
    },
  },
  {
    breaks: 'a sign-in ends the session whose token the browser had',
    file: 'packages/administration/src/sign-in/sign-in.ts',
    from: '  await endReplaced(tx, known.clinic_id, replaced)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/sign-in.test.ts',
      test: 'signing in never takes over a token that the browser already had, and ends the session of that token',
    },
  },
  {
    breaks: 'a way in is made only soon after a sign-in',
    file: 'packages/console-contract/src/care.ts',
    from: "  addPasskey: 'confirmed'",
    to: "  addPasskey: 'free'",
    caught: {
      by: 'packages/administration/test/passkeys.test.ts',
      test: 'a way in is made only soon after a sign-in or a confirmation: a passkey, or a first password',
    },
  },
  {
    breaks: 'a link signs in once',
    file: 'packages/administration/src/sign-in/sign-in.ts',
    from: '${link} and used_at is null and expires_at',
    to: '${link} and expires_at',
    caught: {
      by: 'packages/administration/test/sign-in.test.ts',
      test: 'a link signs in once, also when it is used several times at the same moment',
    },
  },
  {
    breaks: 'an expired link is refused',
    file: 'packages/administration/src/sign-in/sign-in.ts',
    from: ' and expires_at > ${now} returning',
    to: ' returning',
    caught: {
      by: 'packages/administration/test/sign-in.test.ts',
      test: 'an expired link, a replaced one and another text are refused',
    },
  },
  {
    breaks: 'the beginning of a password’s hash is not enough',
    file: 'packages/administration/src/sign-in/password.ts',
    from: "return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && stored !== null",
    to: "return timingSafeEqual(derived.subarray(0, 0), Buffer.from(hash, 'base64url').subarray(0, 0)) && stored !== null",
    caught: {
      by: 'packages/administration/test/password.test.ts',
      test: 'only the whole password is right, and none where none is stored',
    },
  },
  {
    breaks: 'a letter with its accent is one letter, however a keyboard writes it',
    file: 'packages/administration/src/sign-in/password.ts',
    from: "password.normalize('NFKC')",
    to: 'password',
    caught: {
      by: 'packages/administration/test/password.test.ts',
      test: 'a password is the same however a keyboard writes a letter with its accent, and is stored each time as another text',
    },
  },
  {
    breaks: 'a new password ends the other sessions',
    file: 'packages/administration/src/sign-in/set-password.ts',
    from: '    await tx.query(sql`delete from administrator_session where clinic_id = ${clinic_id}\n      and administrator_id = ${administrator.id} and token_hash <> ${token_hash}`)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'a new password ends all other sessions, however they began, and the open links',
    },
  },
  {
    breaks: 'a new password ends sessions that did not begin by a link',
    file: 'packages/administration/src/sign-in/set-password.ts',
    from: 'and token_hash <> ${token_hash}`',
    to: 'and token_hash <> ${token_hash} and by_link`',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'a new password ends all other sessions, however they began, and the open links',
    },
  },
  {
    breaks: 'a link opens the way to a new password for 15 minutes alone',
    file: 'packages/administration/src/sign-in/set-password.ts',
    from: 'session.isByLinkOrPasskey && isProvenLately(session, now)',
    to: 'session.isByLinkOrPasskey',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'without the current password only a session that began by a link in the last 15 minutes sets another',
    },
  },
  {
    breaks: 'a new password ends the open links',
    file: 'packages/administration/src/sign-in/set-password.ts',
    from: '    await tx.query(sql`delete from sign_in_link\n      where clinic_id = ${clinic_id} and administrator_id = ${administrator.id}`)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'a new password ends all other sessions, however they began, and the open links',
    },
  },
  {
    breaks: 'guesses at the current password are counted',
    file: 'packages/administration/src/sign-in/set-password.ts',
    from: '    if (seconds !== null) throw tooMany(seconds)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'guesses at the current password are counted like those at a sign-in',
    },
  },
  {
    breaks: 'a session that began by a link sets a password without the current one once',
    file: 'packages/administration/src/sign-in/set-password.ts',
    from: '    await tx.query(sql`update administrator_session set by_link = false, by_passkey = false\n      where clinic_id = ${clinic_id} and token_hash = ${token_hash}`)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'the current password is asked for, except once in a session that began by a link',
    },
  },
  {
    breaks: 'removing a passkey ends the sessions that it began',
    file: 'packages/administration/src/sign-in/passkeys.ts',
    from: 'and passkey_id = ${id} and token_hash <> ${token_hash}',
    to: 'and passkey_id = ${id} and token_hash = ${token_hash}',
    caught: {
      by: 'packages/administration/test/passkeys.test.ts',
      test: 'removing a passkey ends the sessions that it began, but for the one that removes it, and no others',
    },
  },
  {
    breaks: 'a passkey is removed with what its sessions were changing',
    file: 'packages/administration/src/routes/console-handlers.ts',
    from: 'beside: (tx, id) => record(tx, [id]) })\n      return { output: null, endsOthers: true }',
    to: 'beside: (tx, id) => record(tx, [id]) })\n      return { output: null }',
    caught: {
      by: 'packages/administration/test/ended-meanwhile.test.ts',
      test: 'the removal of a passkey is answered after the changes of its sessions that it met',
    },
  },
  {
    breaks: 'a first password is set only soon after a sign-in',
    file: 'packages/administration/src/sign-in/set-password.ts',
    from: 'requireCare(stored === null || wanted',
    to: "requireCare(stored === '' || wanted",
    caught: {
      by: 'packages/administration/test/confirming.test.ts',
      test: 'a first password is set only soon after a sign-in, whatever stands beside it',
    },
  },
  {
    breaks: 'a change comes from the console’s own page',
    file: 'packages/administration/src/sessions/own-page.ts',
    from: "return site === 'same-origin' && hostOf(origin) === host",
    to: "return site === 'same-origin' || hostOf(origin) === host",
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'no change is made for a page that is not the console, whatever its session',
    },
  },
  {
    breaks: 'a page does nothing in the name of somebody whom it does not show',
    file: 'packages/administration/src/routes/signed-in.ts',
    from: 'if (reader !== session.administrator.id) throw',
    to: "if (reader === '') throw",
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'a page that shows one person does nothing in the name of another who has signed in since',
    },
  },
  {
    breaks: 'a change without the console’s header is refused',
    file: 'packages/administration/src/sessions/own-page.ts',
    from: '!isConsole || !isOwn',
    to: '!isOwn',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'no change is made for a page that is not the console, whatever its session',
    },
  },
  {
    breaks: 'another page reads nothing with a session',
    file: 'packages/administration/src/routes/signed-in.ts',
    from: 'if (isRead) refuseOtherPage(request.headers)\n  else requireOwnPage(request.headers, secure)',
    to: 'if (!isRead) requireOwnPage(request.headers, secure)',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'nothing is read for a page that is not the console, and what tells of no page may read',
    },
  },
  {
    breaks: 'a same-site page is not the console',
    file: 'packages/administration/src/sessions/own-page.ts',
    from: "if (origin === undefined || host === undefined) return site === 'same-origin'",
    to: "if (origin === undefined || host === undefined) return site !== 'cross-site'",
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'no change is made for a page that is not the console, whatever its session',
    },
  },
  {
    breaks: 'no script reads the cookie of a session',
    file: 'packages/administration/src/sessions/cookie.ts',
    from: '; HttpOnly; SameSite',
    to: '; SameSite',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'no script reads the cookie, no other site sends it, and behind https no other host sets it',
    },
  },
  {
    breaks: 'behind https no other host sets the cookie',
    file: 'packages/administration/src/sessions/cookie.ts',
    from: "const SECURE_PREFIX = '__Host-'",
    to: "const SECURE_PREFIX = '__Secure-'",
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'no script reads the cookie, no other site sends it, and behind https no other host sets it',
    },
  },
  {
    breaks: 'of two cookies of one name none is believed',
    file: 'packages/administration/src/sessions/cookie.ts',
    from: 'found.length === 1 ?',
    to: 'found.length >= 1 ?',
    caught: {
      by: 'packages/administration/test/sessions.test.ts',
      test: 'no script reads the cookie, no other site sends it, and behind https no other host sets it',
    },
  },
  {
    breaks: 'a new link replaces the earlier ones',
    file: 'packages/administration/src/administrators.ts',
    from: '    await tx.query(sql`delete from sign_in_link where clinic_id = ${clinic_id} and administrator_id = ${id}`)\n    await tx.query(sql`insert',
    to: '    await tx.query(sql`insert',
    caught: {
      by: 'packages/administration/test/sign-in.test.ts',
      test: 'an expired link, a replaced one and another text are refused',
    },
  },
  {
    breaks: 'a request to the console with a field that its operation does not have is refused',
    file: 'packages/administration/src/routes/console-input.ts',
    from: '    faults.push(...(checkBody?.(read, ABOUT) ?? []).map(bodyFault))\n',
    to: '',
    caught: {
      by: 'packages/administration/test/operation-rules.test.ts',
      test: 'a field and a parameter that no operation has are each named, in one answer',
    },
  },
  {
    breaks: 'a refused change of the console is on record',
    file: 'packages/administration/src/routes/session-route.ts',
    from: '        if (audited !== null)\n          await auditRefusal',
    to: '        if (audited === null)\n          await auditRefusal',
    caught: {
      by: 'packages/administration/test/operation-rules.test.ts',
      test: 'a refused change leaves a row with its status, and a refused read none',
    },
  },
]
