// A request that waits for approval: its fields, and sending it again once it is approved.

import {
  type AnswerOf,
  type Approval,
  api,
  type BodyOf,
  type MintedConsoleKey,
  type PatientErasure,
} from '@clinic-data/console-parts/api'
import { v1 } from '@clinic-data/console-parts/v1'
import type { Language } from '@clinic-data/console-words/language'
import type { Scope } from '@clinic-data/contract/scopes'

/** A field of a request that a person reads. Each may be absent: the request may come from another version. */
export interface Subject {
  name?: string
  /** A change gives it this one. `name` is the one that is known. */
  new_name?: string
  host?: string | null
  is_verified?: boolean
  scopes?: Scope[]
  url?: string
  event_types?: string[] | null
  enabled?: boolean
  expires_at?: string | null
  days?: number | null
  rate_limit?: number | null
  networks?: string[] | null
  email?: string
  /** Null: none. */
  role?: string | null
  is_on?: boolean
  include_doubtful?: boolean
}

interface Requested {
  params: { id: string }
  /** The operation that takes it checks its form. */
  body: never
  shown: Subject & { former?: Subject }
}

const requestOf = ({ request }: Approval): Requested => JSON.parse(request)

/** A request may leave these out, and whoever approves it must know what that means. */
const LEFT_OUT: Readonly<Record<string, Subject>> = {
  'console.keys.mint': { expires_at: null, networks: null },
  'webhooks.create': { event_types: null },
}

/** Everything that is approved, and how it is now. */
export function subjectOf(approval: Approval): { subject: Subject; former: Subject } {
  const { body, shown } = requestOf(approval)
  const { former = {}, ...about } = shown
  const { name, ...wanted } = (body ?? {}) as Subject
  const renamed = name === undefined || name === about.name ? {} : { new_name: name }
  return { subject: { ...LEFT_OUT[approval.operation], ...wanted, ...about, ...renamed }, former }
}

/** The result, which may hold what is shown once. */
export type Finished =
  | { kind: 'key'; minted: MintedConsoleKey }
  | { kind: 'webhook'; secret: string }
  | { kind: 'invitation'; made: AnswerOf<'invite'>['data'] }
  | { kind: 'erased'; erasure: PatientErasure }
  | { kind: 'done' }

type Repeat = (requested: Requested, idempotencyKey: string, language: Language) => Promise<Finished>

const done = async (changed: Promise<unknown>): Promise<Finished> => {
  await changed
  return { kind: 'done' }
}

const REPEATS: Readonly<Record<string, Repeat>> = {
  'console.keys.mint': async ({ body }, once) => ({ kind: 'key', minted: await api.mintKey(body, once) }),
  'console.keys.change': ({ params, body }) => done(api.changeKey(params.id, body)),
  'console.connections.change': ({ params, body }) => done(api.changeConnection(params.id, body)),
  'console.invitations.make': async ({ body }, _, language) => {
    // The language of its mail is not approved.
    const wanted: BodyOf<'invite'> = body
    return { kind: 'invitation', made: await api.invite({ ...wanted, language }) }
  },
  'console.people.role': ({ params, body }) => done(api.changeRole(params.id, body)),
  'console.group_roles.set': ({ body }) => done(api.setGroupRole(body)),
  'console.approvals.rule': () => done(api.setApprovalRule(false)),
  'console.patients.erase': async ({ params, body }) => ({
    kind: 'erased',
    erasure: await api.erasePatient(params.id, (body as { include_doubtful: boolean }).include_doubtful),
  }),
  'webhooks.create': async ({ body }, idempotencyKey) => {
    const { data } = await v1('webhooks.create', { body, idempotencyKey })
    return { kind: 'webhook', secret: data.secret }
  },
  'webhooks.update': ({ params, body }) => done(v1('webhooks.update', { params, body })),
}

/** An app has to ask anew: its request is over. */
export const isRepeatable = ({ operation }: Approval) => Object.hasOwn(REPEATS, operation)

/** Sends the same request again: it goes through once. @param language of a mail that it sends. */
export async function repeat(approval: Approval, language: Language): Promise<Finished> {
  const again = REPEATS[approval.operation]
  // Nobody is offered another one.
  return again ? again(requestOf(approval), approval.id, language) : { kind: 'done' }
}
