// The operations on the people of a clinic: who may open its console in which role, their sessions, and invitations.
import { MAX } from '@clinic-data/contract/limits'
import {
  about,
  choice,
  distinct,
  GivenName,
  Id,
  Instant,
  list,
  NamedReference,
  nullable,
  object,
  type Static,
  strictObject,
  Type,
  text,
  trimmed,
  whole,
} from '@clinic-data/contract/schema'
import { allScopes } from '@clinic-data/contract/scopes'
import { changeOf, consoleOperation } from './console-operation.ts'
import { ConsoleSession, RoleName } from './console-resources.ts'
import { PAIRINGS } from './pairing-operations.ts'

export const PEOPLE = {
  /** The longest list. Large clinics have some dozens. */
  most: 1_000,
  /** An invitation that waits longer is forgotten in a mailbox, where others find it. */
  invitation_hours: 72,
  /** A clinic makes at most so many invitations in that time: each may send a mail to an address that somebody typed. */
  most_invitations: 100,
  /** One person has at most so many. */
  most_sessions: 20,
} as const

/** The languages of the mail. */
export const mailLanguages = ['en', 'he'] as const

export type MailLanguage = (typeof mailLanguages)[number]

/** Whether the link was also mailed. `off`: the operator has set no mail server. */
export const mailOutcomes = ['sent', 'failed', 'off'] as const

/** Why an invitation is no longer accepted. */
export const invitationEnds = ['unknown', 'used', 'withdrawn', 'expired'] as const

export type InvitationEnd = (typeof invitationEnds)[number]

export const Person = object({
  id: Id,
  name: text(MAX.name),
  email: text(MAX.email),
  role: RoleName,
  role_group: nullable(text(MAX.name), {
    description: 'The group of the provider that gives the role. Null: somebody gave it by hand.',
  }),
  group_ended_at: nullable(Instant, {
    description: 'Since then no group gives the person a role, and nothing opens the console.',
  }),
  created_at: Instant,
  last_seen_at: nullable(Instant, { description: 'The latest sign-in, or the latest use of a session that lasts.' }),
  disabled_at: nullable(Instant),
  ways_in: object(
    {
      password: Type.Boolean(),
      passkeys: whole(0, MAX.seconds),
      provider: Type.Boolean({ description: 'An account of the identity provider is kept.' }),
      pairings: about(
        'One for each other clinic whose sign-in opens this one too, unless it has ended that. The latest first.',
        list(object({ created_at: Instant }), PAIRINGS.most),
      ),
    },
    { description: 'What opens the console for this person.' },
  ),
  sessions: whole(0, PEOPLE.most_sessions, { description: 'Browsers that are signed in now.' }),
  connections: whole(0, MAX.seconds, { description: 'Apps that this person has connected, and that still are.' }),
})

export type Person = Static<typeof Person>

export const Invitation = object({
  id: Id,
  name: text(MAX.name),
  email: text(MAX.email),
  role: RoleName,
  made_by: NamedReference,
  created_at: Instant,
  expires_at: Instant,
})

export type Invitation = Static<typeof Invitation>

export const PersonSession = object({
  id: Id,
  created_at: Instant,
  seen_at: Instant,
  user_agent: text(200, { description: 'As the browser named itself. Empty: it did not.' }),
  way: nullable(choice(['link', 'passkey']), { description: 'How it began. Null: by a password or the provider.' }),
  paired_clinic: nullable(Id, { description: 'The clinic whose sign-in has opened it. Null: it began here.' }),
  is_this: Type.Boolean({ description: 'The session that asks.' }),
})

export type PersonSession = Static<typeof PersonSession>

const Email = text(MAX.email, { minLength: 1, ...trimmed })
/** In the body: an address would stand in logs. */
const Token = text(MAX.external_id, { minLength: 1, ...trimmed })
const Scopes = list(choice(allScopes), allScopes.length, { ...distinct })
const changed = object({ data: Person })

const invitationOperations = {
  /**
   * Makes a link that is shown once. It replaces an earlier invitation of the same e-mail. 409 when the e-mail has an account already, 429 after
   * too many.
   */
  invite: consoleOperation({
    id: 'console.invitations.make',
    method: 'POST',
    path: '/console/api/invitations',
    audited: 'console.invitations.make',
    body: strictObject({
      email: Email,
      name: GivenName,
      role: RoleName,
      language: Type.Optional(choice(mailLanguages)),
    }),
    output: object({
      data: object({
        invitation: Invitation,
        url: about('The link itself, shown once.', text(MAX.url)),
        mail: choice(mailOutcomes),
      }),
    }),
    status: 201,
  }),
  /** 404 for an unknown one, 409 for one that was used. Withdrawing again changes nothing. */
  withdrawInvitation: consoleOperation({
    id: 'console.invitations.withdraw',
    method: 'POST',
    path: '/console/api/invitations/{id}/withdraw',
    audited: 'console.invitations.withdraw',
  }),
  /** Tells where an invitation leads, and changes nothing. It does not tell the e-mail: who accepts must know it. 422 as `accept`. */
  lookAtInvitation: consoleOperation({
    id: 'console.invitations.look',
    method: 'POST',
    path: '/console/api/invitations/look',
    access: 'anyone',
    body: strictObject({ token: Token }),
    output: object({
      data: object({
        name: text(MAX.name),
        role: RoleName,
        clinic: object({ clinic_id: text(63), name: text(MAX.name) }),
        made_by: text(MAX.name),
        expires_at: Instant,
      }),
    }),
  }),
  /**
   * Makes the account and begins its session. Null where only the identity provider signs in: the person goes on there. 422 names `token` with one
   * of `invitationEnds`, or `email` with `other_address`. 429 after too many other addresses. 409 when the e-mail has an account already.
   */
  acceptInvitation: consoleOperation({
    id: 'console.invitations.accept',
    method: 'POST',
    path: '/console/api/invitations/accept',
    access: 'anyone',
    audited: 'console.invitations.accept',
    body: strictObject({ token: Token, email: Email }),
    output: object({ data: nullable(ConsoleSession) }),
  }),
} as const

export const peopleOperations = {
  /** By name. Removed people are left out; disabled ones are last. */
  listPeople: consoleOperation({
    id: 'console.people.list',
    method: 'GET',
    path: '/console/api/people',
    output: object({
      data: list(Person, PEOPLE.most),
      invitations: about(
        'Those that can still be accepted, the latest first.',
        list(Invitation, PEOPLE.most_invitations),
      ),
    }),
  }),
  /** Holds from the answer on, also for what the person has under way. 409 for the last owner. */
  changeRole: consoleOperation({
    id: 'console.people.role',
    method: 'POST',
    path: '/console/api/people/{id}/role',
    audited: 'console.people.role',
    body: changeOf({ role: RoleName }),
    output: changed,
  }),
  /** Ends sessions, links and connections, and answers when all are refused. For good: who comes back is invited anew. 409 for the last owner. */
  disablePerson: consoleOperation({
    id: 'console.people.disable',
    method: 'POST',
    path: '/console/api/people/{id}/disable',
    audited: 'console.people.disable',
    output: changed,
  }),
  /** Disables, and takes the person from the list. The name stays in the log. 409 for the last owner. */
  removePerson: consoleOperation({
    id: 'console.people.remove',
    method: 'POST',
    path: '/console/api/people/{id}/remove',
    audited: 'console.people.remove',
  }),
  /** Those that last, the latest used first. */
  listPersonSessions: consoleOperation({
    id: 'console.people.sessions',
    method: 'GET',
    path: '/console/api/people/{id}/sessions',
    output: object({ data: list(PersonSession, PEOPLE.most_sessions) }),
  }),
  /** Without `session_id` all of them end. One that has ended already changes nothing. */
  endPersonSessions: consoleOperation({
    id: 'console.people.sessions.end',
    method: 'POST',
    path: '/console/api/people/{id}/sessions/end',
    audited: 'console.people.sessions.end',
    body: strictObject({ session_id: Type.Optional(Id) }),
  }),
  /**
   * Ends all apps that the person has connected, and answers when they are refused. The person stays: whoever has a role by a group, and never signs
   * in, is never asked about that group again.
   */
  endPersonConnections: consoleOperation({
    id: 'console.people.connections.end',
    method: 'POST',
    path: '/console/api/people/{id}/connections/end',
    audited: 'console.people.connections.end',
    output: changed,
  }),
  /** Members may give these to the apps that they connect. */
  memberScopes: consoleOperation({
    id: 'console.member_scopes',
    method: 'GET',
    path: '/console/api/member-scopes',
    output: object({ data: object({ scopes: Scopes }) }),
  }),
  setMemberScopes: consoleOperation({
    id: 'console.member_scopes.set',
    method: 'POST',
    path: '/console/api/member-scopes',
    audited: 'console.member_scopes.set',
    body: changeOf({ scopes: Scopes }),
    output: object({ data: object({ scopes: Scopes }) }),
  }),
  ...invitationOperations,
} as const
