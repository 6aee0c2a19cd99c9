// Faults of the operations that write.
import { handlerOf, type Position, type Problem } from '@clinic-data/contract'
import { portPaths } from '@clinic-data/contract/port'
import { answering, asking, grantFor, handled, type Input, type Wrap, writing } from '../wrong-backends.ts'
import { type Fault, isLower, type TwoClinics } from './fault.ts'

/** Each fault that needs another phone or email takes a new one. */
let others = 0
const another = () => `+97252${String(++others).padStart(7, '0')}`

/** Drops the fields that identify a repeated request, while an equal one is under way. */
function forgetting(id: string, forget: (body: Input['body']) => object): Wrap {
  const underWay = new Set<unknown>()
  return handled(id, (own) => async (grant, input, context) => {
    const { external_id } = input.body
    if (underWay.has(external_id))
      return own(grant, { ...input, body: { ...input.body, ...forget(input.body) } }, context)
    underWay.add(external_id)
    return own(grant, input, context).finally(() => underWay.delete(external_id))
  })
}

export function writes({ first, second }: TwoClinics): readonly Fault[] {
  return [
    {
      says: 'answers a lead without its attribution',
      breaks: ['writes.answered'],
      wrap: answering('leads.create', ({ attribution: _, ...row }) => row),
    },
    {
      says: 'ignores Idempotency-Key',
      breaks: ['writes.idempotency-key'],
      wrap: handled(
        'payments.create',
        (own) => (grant, input, context) => own(grant, { ...input, idempotency_key: null }, context),
      ),
    },
    {
      says: 'keeps what it only rehearses',
      breaks: ['writes.rehearsed'],
      wrap: (backend) => ({
        ...backend,
        rehearse: (grant, input, context) => handlerOf(backend, grant.operation)(grant, input, context),
      }),
    },
    {
      says: 'makes leads after their deadline',
      breaks: ['writes.deadline'],
      before: (app) =>
        app.addHook('onRequest', async ({ url, headers }) => {
          if (url === portPaths.operation('leads.create')) delete headers['x-deadline-ms']
        }),
    },
    {
      says: 'lets a key that may read payments record them',
      breaks: ['writes.scopes'],
      before: (app) =>
        app.addHook('preHandler', async ({ url, body }) => {
          if (url !== portPaths.operation('payments.create')) return
          const { principal } = body as { principal: { scopes: string[] } }
          principal.scopes.push('payments:write')
        }),
    },
    {
      says: 'forgets last names',
      breaks: ['leads.as-sent'],
      wrap: answering('leads.create', (row) => ({ ...row, last_name: null })),
    },
    {
      says: 'compares phones without normalizing them',
      breaks: ['leads.phone'],
      wrap: writing('leads.create', ({ phone }) => (/[ -]/.test(String(phone)) ? { phone: another() } : {})),
    },
    {
      says: 'compares emails without normalizing them',
      breaks: ['leads.email'],
      wrap: writing('leads.create', ({ email }) => (isLower(email) ? {} : { email: `a${++others}@b.co` })),
    },
    {
      says: 'recognizes submissions by their phone alone',
      breaks: ['leads.external-id'],
      wrap: writing('leads.create', ({ phone }) => (phone === undefined ? {} : { external_id: undefined })),
    },
    {
      says: 'checks for a lead and makes one without a lock',
      breaks: ['leads.at-once'],
      wrap: forgetting('leads.create', () => ({ external_id: undefined, phone: another() })),
    },
    {
      says: 'has one list of leads for all clinics',
      breaks: ['isolation.leads'],
      wrap: handled(
        'leads.create',
        (own) => (grant, input, context) => own(grantFor(grant, first.clinic), input, context),
      ),
    },
    {
      says: 'drops the cents of amounts',
      breaks: ['payments.readable'],
      wrap: answering('payments.create', (row) => ({ ...row, amount: Math.floor(Number(row.amount)) })),
    },
    {
      says: 'accepts the same payment with another amount',
      breaks: ['payments.external-id'],
      wrap: handled(
        'payments.create',
        (own) => async (grant, input, context) =>
          own(grant, input, context).catch((error: Problem) => {
            if (error.slug !== 'conflict') throw error
            return own(grant, { ...input, body: { ...input.body, amount: 12.34 } }, context)
          }),
      ),
    },
    {
      says: 'always begins the feed at its end',
      breaks: ['events.told'],
      wrap: asking('events.list', () => ({ after: null })),
    },
    {
      says: 'tells where a full page of the feed ends by a number, which a gateway refuses',
      breaks: ['events.told'],
      wrap: handled('events.list', (own) => async (...args) => {
        const answer = await own(...args)
        if (!answer.next) return answer
        const numbered = [Number(answer.next[0]), ...answer.next.slice(1)] as unknown as Position
        return { ...answer, next: numbered, resume: numbered }
      }),
    },
    {
      says: 'accepts any currency as the clinic’s',
      breaks: ['payments.refused'],
      wrap: writing('payments.create', () => ({ currency: undefined })),
    },
    {
      says: 'records equal payments that come at the same time',
      breaks: ['payments.at-once'],
      wrap: forgetting('payments.create', () => ({ external_id: undefined })),
    },
    {
      says: 'books payments to patients of every clinic',
      breaks: ['isolation.payments'],
      wrap: handled(
        'payments.create',
        (own) => (grant, input, context) =>
          own(grant, input, context).catch((error: Problem) => {
            if (error.slug !== 'not-found') throw error
            return own(grantFor(grant, second.clinic), input, context)
          }),
      ),
    },
    {
      says: 'reports a message as sent too early',
      breaks: ['chat.queued'],
      wrap: answering('chat.messages.create', (row) => ({ ...row, status: 'sent' })),
    },
    {
      says: 'accepts messages to an unknown patient',
      breaks: ['chat.refused'],
      wrap: handled(
        'chat.messages.create',
        (own) => (grant, input, context) =>
          own(grant, input, context).catch((error: Problem) => {
            if (input.body.patient_id === undefined) throw error
            return { data: { id: 'out_1' }, meta: { delivery_mode: 'free_text' } }
          }),
      ),
    },
  ]
}
