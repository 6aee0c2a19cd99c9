// Mutants of the backend: people of a clinic, their roles and invitations.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the last owner can leave the clinic without one',
    file: 'packages/administration/src/people/people-lock.ts',
    from: 'rows.length === 1 && rows[0]?.id === id',
    to: 'rows.length === 0 && rows[0]?.id === id',
    caught: {
      by: 'packages/administration/test/people.test.ts',
      test: 'the last owner keeps the role, is not disabled and not removed, also beside owners who were disabled',
    },
  },
  {
    breaks: 'an owner who was disabled counts as one who is left',
    file: 'packages/administration/src/people/people-lock.ts',
    from: ' and disabled_at is null limit 2',
    to: ' limit 2',
    caught: {
      by: 'packages/administration/test/people.test.ts',
      test: 'the last owner keeps the role, is not disabled and not removed, also beside owners who were disabled',
    },
  },
  {
    breaks: 'two owners who remove each other do it in turn',
    file: 'packages/administration/src/people/in-turn.ts',
    from: '    await lockPeople(tx, session.clinic.clinic_id)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/people.test.ts',
      test: 'an owner who leaves beside another waits for that one, and then stays',
    },
  },
  {
    breaks: 'an owner who waited for another looks again whether it still is one',
    file: 'packages/administration/src/people/in-turn.ts',
    from: '    await sessionStillValid(session, rolesOf[operation])(tx)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/people.test.ts',
      test: 'of two owners who take each other’s rights at the same moment, one is left',
    },
  },
  {
    breaks: 'an operation of the console asks for the role',
    file: 'packages/administration/src/routes/session-route.ts',
    from: '      requireRole(session.administrator.role, allowed)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/roles.test.ts',
      test: 'an operation is open to its roles, and to every other one it is 403 and changes nothing',
    },
  },
  {
    breaks: 'the transaction of a change looks at the role again',
    file: 'packages/administration/src/sessions/sessions.ts',
    from: '    requireRole(role, allowed)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/people.test.ts',
      test: 'a role that was taken away while a form was open mints nothing',
    },
  },
  {
    breaks: 'an operation of the contract asks for the role',
    file: 'packages/administration/src/routes/signed-in.ts',
    from: '  requireRole(administrator.role, operation === null ? [] : rolesFor(operation))\n',
    to: '',
    caught: {
      by: 'packages/administration/test/roles.test.ts',
      test: 'an operation of the contract is open to its roles, with the scope that it needs, and to no other',
    },
  },
  {
    breaks: 'a change of the contract’s looks at the role again',
    file: 'packages/administration/src/sessions/sessions.ts',
    from: '    isAllowed(session, allowed)(row)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/ended-meanwhile.test.ts',
      test: 'an operation of the contract whose administrator was disabled or got another role since it was let in changes nothing',
    },
  },
  {
    breaks: 'a change of role waits for what was begun by the former one',
    file: 'packages/administration/src/people/person-connections.ts',
    from: '  await untilWritesEnd(database, end)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/people.test.ts',
      test: 'a change of role is answered after the changes by the former one that it met',
    },
  },
  {
    breaks: 'an app whose connection was under way ends with the role',
    file: 'packages/administration/src/people/person-connections.ts',
    from: '(tx) => endConnectionsOf(tx, end))',
    to: 'async () => [])',
    caught: {
      by: 'packages/administration/test/member-connections.test.ts',
      test: 'a narrower role ends the connections that it could not make, also one that was being made',
    },
  },
  {
    breaks: 'a member’s app gets what members may give',
    file: 'packages/connect/src/require-giver.ts',
    from: '  if (beyond.length === 0) return\n',
    to: '  if (beyond.length >= 0) return\n',
    caught: {
      by: 'packages/administration/test/member-connections.test.ts',
      test: 'a member gives apps nothing of a patient until the clinic says so, and is told what',
    },
  },
  {
    breaks: 'members may give nothing of a patient until the clinic says so',
    file: 'packages/console-contract/src/roles.ts',
    from: "USUAL_MEMBER_SCOPES: readonly Scope[] = ['catalog:read']",
    to: "USUAL_MEMBER_SCOPES: readonly Scope[] = ['catalog:read', 'patients:read']",
    caught: {
      by: 'packages/administration/test/member-connections.test.ts',
      test: 'a member gives apps nothing of a patient until the clinic says so, and is told what',
    },
  },
  {
    breaks: 'a member sees the own connections alone',
    file: 'packages/administration/src/routes/connect-handlers.ts',
    from: "role === 'member' ? { of: id } : 'all'",
    to: "role === 'auditor' ? { of: id } : 'all'",
    caught: {
      by: 'packages/administration/test/member-connections.test.ts',
      test: 'a member sees, changes and ends the own connections, and those of others are unknown',
    },
  },
  {
    breaks: 'an invitation makes one account',
    file: 'packages/administration/src/people/accept-invitation.ts',
    from: "  if (is_used) return 'used'\n",
    to: '',
    caught: {
      by: 'packages/administration/test/invitations.test.ts',
      test: 'a used, a withdrawn, an expired and a guessed invitation make nobody, and each says why',
    },
  },
  {
    breaks: 'of two who accept at once one looks again',
    file: 'packages/administration/src/people/accept-invitation.ts',
    from: '  await lockPeople(tx, clinic_id)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/invitations.test.ts',
      test: 'of two who accept at once, one is in and the other learns that it was used',
    },
  },
  {
    breaks: 'an invitation ends after 72 hours',
    file: 'packages/console-contract/src/people-operations.ts',
    from: 'invitation_hours: 72,',
    to: 'invitation_hours: 73,',
    caught: {
      by: 'packages/administration/test/invitations.test.ts',
      test: 'a used, a withdrawn, an expired and a guessed invitation make nobody, and each says why',
    },
  },
  {
    breaks: 'an invitation is for one e-mail',
    file: 'packages/administration/src/people/accept-invitation.ts',
    from: "  if (readEmail(accepting.email) !== found.email) return { state: 'other_address' }\n",
    to: '',
    caught: {
      by: 'packages/administration/test/invitations.test.ts',
      test: 'an invitation is for its own address, and whoever tries others is locked out',
    },
  },
  {
    breaks: 'whoever guesses the e-mail of an invitation is locked out',
    file: 'packages/administration/src/people/accept-invitation.ts',
    from: "  if (seconds !== null) return { state: 'locked', seconds }\n",
    to: '',
    caught: {
      by: 'packages/administration/test/invitations.test.ts',
      test: 'an invitation is for its own address, and whoever tries others is locked out',
    },
  },
  {
    breaks: 'an invitation ends with the rights of its owner',
    file: 'packages/administration/src/people/accept-invitation.ts',
    from: ' or not ${isByOwner(clinic_id)} as',
    to: ' as',
    caught: {
      by: 'packages/administration/test/invitations.test.ts',
      test: 'an invitation ends with the rights of the owner who made it',
    },
  },
  {
    breaks: 'a new invitation replaces the former one',
    file: 'packages/administration/src/people/invitations.ts',
    from: 'email = ${email} and accepted_at is null and withdrawn_at is null`)',
    to: 'email = ${email} and accepted_at is not null and withdrawn_at is null`)',
    caught: {
      by: 'packages/administration/test/invitations.test.ts',
      test: 'a new invitation of an e-mail replaces the former one',
    },
  },
  {
    breaks: 'a clinic makes a bounded number of invitations',
    file: 'packages/administration/src/people/invitations.ts',
    from: 'if (invitations >= PEOPLE.most_invitations)',
    to: 'if (invitations > PEOPLE.most_invitations)',
    caught: {
      by: 'packages/administration/test/invitations.test.ts',
      test: 'what is no e-mail is not invited, and a clinic makes a hundred invitations in three days',
    },
  },
  {
    breaks: 'an owner ends one session of a person, and not all',
    file: 'packages/administration/src/people/person-sessions.ts',
    from: 'session_id === undefined ? sql`true`',
    to: 'session_id !== undefined ? sql`true`',
    caught: {
      by: 'packages/administration/test/people.test.ts',
      test: 'an owner sees a person’s sessions, and ends one of them or all',
    },
  },
  {
    breaks: 'a removed person is not changed any more',
    file: 'packages/administration/src/people/change-person.ts',
    from: 'and id = ${id} and removed_at is null for update',
    to: 'and id = ${id} for update',
    caught: {
      by: 'packages/administration/test/people.test.ts',
      test: 'a removed person leaves the list and keeps the name in the log, and may be invited anew',
    },
  },
  {
    breaks: 'a mail of an invitation that fails costs no invitation',
    file: 'packages/administration/src/people/invitation-mail.ts',
    from: "    return 'failed'\n",
    to: '    throw error\n',
    caught: {
      by: 'packages/administration/test/invitation-mail.test.ts',
      test: 'an invitation that cannot be mailed is there to be copied, and the log holds no address',
    },
  },
  {
    breaks: 'whom the operator makes has the role that the command says',
    file: 'packages/administration/src/administrators.ts',
    from: '${name.trim()}, ${role}, ${now})`',
    to: "${name.trim()}, 'owner', ${now})`",
    caught: {
      by: 'packages/operator/test/operator-audit.test.ts',
      test: 'whom a command makes is an owner unless it says otherwise, and the last owner keeps the role',
    },
  },
  {
    breaks: 'whoever only wants to look at a mail server’s password finds none in a message',
    file: 'packages/installation/src/settings/mail.ts',
    from: 'throw new ConfigError(WRONG_URL)\n  if (!isEmail',
    to: 'throw new ConfigError(url)\n  if (!isEmail',
    caught: {
      by: 'packages/installation/test/config.test.ts',
      test: 'the settings of the mail server are both given or none, and its password stands in no message',
    },
  },
]
