// Wrong backends for the conformance kit: each fault, and the rules by whose names it must be told, and by no others.
// The faults of one batch do not meet: they are tried together, in one backend.
import { allScopes, type Backend, type Clinic, type Grant, Problem } from '@clinic-data/contract'
import { portPaths } from '@clinic-data/contract/port'
import type { FastifyInstance } from 'fastify'
import {
  type AnyHandler,
  answering,
  asking,
  grantFor,
  handled,
  type Input,
  type Row,
  relisted,
  type Wrap,
  writing,
} from './wrong-backends.ts'

export interface Fault {
  says: string
  breaks: readonly string[]
  wrap?: Wrap
  /** Stands before the port's routes. */
  before?: (app: FastifyInstance, token: string) => void
}

/** Two clinics, and the id of a key of each. */
export interface TwoClinics {
  first: { clinic: Clinic; key_id: string }
  second: { clinic: Clinic; key_id: string }
}

const calls = ['calls.list', 'calls.get', 'patients.calls.list'] as const
const patients = ['patients.list', 'patients.get'] as const
const treatments = ['treatments.list', 'treatments.get'] as const
const ALWAYS = '2000-01-01T00:00:00Z'

type Query = Input['query']
const byChange = ({ updated_since }: Query) => updated_since !== undefined
const isDay = (text: unknown) => String(text).length === 10
const later = (text: unknown, ms: number) => new Date(Date.parse(String(text)) + ms).toISOString()
const isLower = (text: unknown) => String(text) === String(text).toLowerCase()
const reversed = (rows: Row[]) => rows.toReversed()

/** Orders, pages and fields. */
const lists: readonly Fault[] = [
  {
    says: 'reverses a list',
    breaks: ['order.documented'],
    wrap: relisted('treatments.list', { when: (query) => !byChange(query), rows: reversed }),
  },
  {
    says: 'reverses the order of changes',
    breaks: ['order.changes'],
    wrap: relisted('chat.messages.list', { when: byChange, rows: reversed }),
  },
  {
    says: 'begins a page with the last row of the one before',
    breaks: ['pages.rows-once'],
    wrap: relisted('payments.list', { begins: (end) => end - 1 }),
  },
  {
    says: 'loses a row between two pages',
    breaks: ['pages.alike'],
    wrap: relisted('patients.chat_messages.list', { begins: (end) => end + 1 }),
  },
  {
    says: 'goes on after the last row',
    breaks: ['pages.end'],
    wrap: handled('patients.appointments.list', (own) => async (grant, input, context) => {
      if (input.query.after?.[0] === 'end') return { data: [], next: null }
      const answer = await own(grant, input, context)
      return { ...answer, next: answer.next ?? ((answer.data as Row[]).length > 0 ? ['end'] : null) }
    }),
  },
  {
    says: 'answers a row too many',
    breaks: ['pages.limit'],
    wrap: asking('chat.conversations.list', ({ limit }) => ({ limit: limit + 1 })),
  },
  {
    says: 'gives positions that fit into no address',
    breaks: ['pages.position'],
    wrap: relisted('chat.conversations.messages.list', { position: (at) => [String(at), 'x'.repeat(4000)] }),
  },
  {
    says: 'does not say where the feed has been read to',
    breaks: ['events.resume'],
    wrap: handled('events.list', (own) => async (...given) => {
      const { resume: _, ...answer } = await own(...given)
      return answer
    }),
  },
  {
    says: 'drops a required field',
    breaks: ['answers.fields'],
    wrap: answering(calls, ({ ring_seconds: _, ...row }) => row),
  },
  {
    says: 'drops a field of the detailed form',
    breaks: ['answers.detailed'],
    wrap: answering(patients, ({ contacts, ...row }) =>
      contacts === undefined
        ? row
        : { ...row, contacts: (contacts as Row[]).map(({ is_primary: _, ...contact }) => contact) },
    ),
  },
  {
    says: 'tells another thing in the detailed form',
    breaks: ['answers.detailed-agrees'],
    wrap: answering(patients, (row) => ('balance' in row ? { ...row, birth_date: '1900-01-01' } : row)),
  },
  {
    says: 'tells times in UTC',
    breaks: ['answers.times'],
    wrap: answering(treatments, ({ performed_at, ...row }) => ({
      ...row,
      performed_at: performed_at && `${later(performed_at, 0).slice(0, 19)}Z`,
    })),
  },
  {
    says: 'computes prices as floats',
    breaks: ['answers.money'],
    wrap: answering(treatments, (row) => ({ ...row, price: 100 / 3 })),
  },
  {
    says: 'calls a payment refunded of which nothing was given back',
    breaks: ['answers.refunds'],
    wrap: answering(['payments.list', 'payments.get', 'payments.create'], (row) =>
      row.is_refund || row.status !== 'recorded' ? row : { ...row, status: 'refunded' },
    ),
  },
  {
    says: 'lists a provider twice',
    breaks: ['answers.rows-once'],
    wrap: handled('catalog.providers.list', (own) => async (...given) => {
      const rows = (await own(...given)).data as Row[]
      return { data: [...rows, rows[0]] }
    }),
  },
  {
    says: 'answers without {data}',
    breaks: ['answers.form'],
    wrap: handled(
      'me.get',
      (own) =>
        async (...given) =>
          (await own(...given)).data as never,
    ),
  },
]

/** Filters, periods and searches. */
const filters: readonly Fault[] = [
  {
    says: 'ignores a filter',
    breaks: ['filters.hold'],
    wrap: asking('chat.messages.list', () => ({ direction: undefined })),
  },
  {
    says: 'loses a row under a filter',
    breaks: ['filters.complete'],
    wrap: relisted('calls.list', { when: isAlone('status'), rows: (rows) => rows.slice(1) }),
  },
  {
    says: 'passes over one of two filters',
    breaks: ['filters.combine'],
    wrap: asking('calls.list', ({ has_recording }) => (has_recording === undefined ? {} : { direction: undefined })),
  },
  {
    says: 'shows everything for an id that does not exist',
    breaks: ['filters.unknown-id'],
    wrap: asking('treatments.list', ({ appointment_id }) =>
      appointment_id === 'no-such-id-7f3a' ? { appointment_id: undefined } : {},
    ),
  },
  {
    says: 'takes % for a wildcard',
    breaks: ['filters.literal'],
    wrap: asking('patients.list', ({ query }) => (String(query).includes('%') ? { query: undefined } : {})),
  },
  {
    says: 'passes over `to` when it stands alone',
    breaks: ['periods.hold'],
    wrap: asking('payments.list', ({ from }) => (from === undefined ? { to: undefined } : {})),
  },
  {
    says: 'takes `to` for exclusive',
    breaks: ['periods.inclusive'],
    wrap: asking('patients.calls.list', ({ to }) => (to === undefined || isDay(to) ? {} : { to: later(to, -1) })),
  },
  {
    says: 'ends a day at its first instant',
    breaks: ['periods.days'],
    wrap: asking('chat.conversations.messages.list', ({ to }) => (isDay(to) ? { to: `${to}T00:00:00Z` } : {})),
  },
  {
    says: 'shows every change whatever `updated_since` says',
    breaks: ['changes.hold'],
    wrap: asking('appointments.list', (query) => (byChange(query) ? { updated_since: ALWAYS } : {})),
  },
  {
    says: 'takes `updated_since` for exclusive',
    breaks: ['changes.inclusive'],
    wrap: asking('patients.appointments.list', (query) =>
      byChange(query) ? { updated_since: later(query.updated_since, 1) } : {},
    ),
  },
  {
    says: 'loses the latest change but one',
    breaks: ['changes.complete'],
    wrap: relisted('patients.list', {
      when: byChange,
      rows: (rows) => (rows.length > 4 ? rows.toSpliced(rows.length - 2, 1) : rows),
    }),
  },
  {
    says: 'knows phones in international form only',
    breaks: ['searches.phone-forms'],
    wrap: asking('patients.list', ({ phone }) =>
      phone === undefined || String(phone).startsWith('+') ? {} : { phone: '+972500000000' },
    ),
  },
  {
    says: 'compares emails by the case of their letters',
    breaks: ['searches.email-case'],
    wrap: asking('patients.list', ({ email }) => (email === undefined || isLower(email) ? {} : { email: 'a@b.co' })),
  },
  {
    says: 'compares names by the case of their letters',
    breaks: ['searches.names'],
    wrap: asking('patients.list', ({ query }) => (query === undefined || isLower(query) ? {} : { query: 'nobody' })),
  },
]

/** Whether a filter is the only one; null: whether there is none. */
function isAlone(name: string | null) {
  return ({ limit: _, after: __, ...query }: Query) =>
    Object.entries(query).every(([one, value]) => (one === name) === (value !== undefined))
}

/** Ids, free slots and scopes. */
const ids: readonly Fault[] = [
  {
    says: 'finds somebody under any id',
    breaks: ['ids.unknown', 'isolation.ids'],
    wrap: (backend) =>
      handled(
        'patients.get',
        (own) => (grant, input, context) =>
          own(grant, input, context).catch(async () => {
            const list = backend.handlers['patients.list'] as unknown as AnyHandler
            const { data } = await list(grant, { ...input, query: { limit: 1, after: null } }, context)
            return { data: (data as Row[])[0] }
          }),
      )(backend),
  },
  {
    says: 'tells another price in the single treatment',
    breaks: ['ids.listed'],
    wrap: answering('treatments.get', (row) => ({ ...row, price: 1.5 })),
  },
  {
    says: 'keeps the old names of patients in calls',
    breaks: ['ids.embedded'],
    wrap: answering(calls, (row) => ({
      ...row,
      patients: (row.patients as Row[]).map((patient) => ({ ...patient, last_name: 'Before' })),
    })),
  },
  {
    says: 'leaves a call out of the list of its patient',
    breaks: ['ids.lists-of-one'],
    wrap: relisted('patients.calls.list', { when: isAlone(null), rows: (rows) => rows.slice(0, -1) }),
  },
  {
    says: 'gives a link where there is no recording',
    breaks: ['ids.files'],
    wrap: handled(
      'calls.recording.get',
      (own) =>
        (...given) =>
          own(...given).catch((error: Error) => {
            if (!error.message.includes('no recording')) throw error
            return { data: { file_id: 'recording1', content_type: 'audio/wav', file_name: 'a.wav', size_bytes: 0 } }
          }),
    ),
  },
  {
    says: 'offers slots whose last start leaves no time for a visit',
    breaks: ['availability.sound'],
    wrap: answering('availability.list', (row) => ({ ...row, latest_start: row.end })),
  },
  {
    says: 'leaves slots out when one provider is asked for',
    breaks: ['availability.provider'],
    wrap: handled('availability.list', (own) => async (grant, input, context) => {
      const rows = (await own(grant, input, context)).data as Row[]
      return { data: input.query.provider_id === undefined ? rows : rows.slice(2) }
    }),
  },
  {
    says: 'does not look at scopes',
    breaks: ['scopes.required'],
    before: (app) =>
      app.addHook('preHandler', async ({ body }) => {
        const { principal } = (body ?? {}) as { principal?: { scopes: unknown } }
        if (principal && Array.isArray(principal.scopes)) principal.scopes = allScopes
      }),
  },
]

/** What one clinic learns of another; files; more of slots and scopes. */
function isolation({ first, second }: TwoClinics): readonly Fault[] {
  let current: Grant | undefined
  const clinics = new Map([first, second].map(({ clinic }) => [clinic.clinic_id, clinic]))
  const file = (make: (own: Backend['openFile']) => Backend['openFile']): Wrap => {
    return (backend) => ({ ...backend, openFile: make(backend.openFile) })
  }
  return [
    {
      says: 'looks for calls of a patient in every clinic',
      breaks: ['isolation.filters'],
      wrap: handled('calls.list', (own) => async (grant, input, context) => {
        const answer = await own(grant, input, context)
        const isOurs = input.query.patient_id === undefined || (answer.data as Row[]).length > 0
        return isOurs ? answer : own(grantFor(grant, second.clinic), input, context)
      }),
    },
    {
      says: 'looks for a treatment in every clinic',
      breaks: ['isolation.ids'],
      wrap: handled(
        'appointments.get',
        (own) => (grant, input, context) =>
          own(grant, input, context).catch(() => own(grantFor(grant, second.clinic), input, context)),
      ),
    },
    {
      says: 'goes on in the clinic of the position',
      breaks: ['isolation.positions'],
      wrap: relisted('chat.messages.list', {
        position: (at, { clinic }) => [String(at), clinic.clinic_id],
        opened: ([at, of = ''], grant) => [Number(at), grantFor(grant, clinics.get(of) ?? grant.clinic)],
      }),
    },
    {
      says: 'keeps the clinic of the call under way in one place',
      breaks: ['isolation.at-once'],
      wrap: handled('patients.list', (own) => async (grant, input, context) => {
        current = grant
        await own(grant, input, context)
        return own(current, input, context)
      }),
    },
    {
      says: 'looks for a file in every clinic',
      breaks: ['isolation.files'],
      wrap: file((own) => async (asked, range) => {
        const opened = await own(asked, range)
        const { clinic_id } = second.clinic
        return opened.state === 'missing' ? own({ ...asked, clinic_id, key_id: second.key_id }, range) : opened
      }),
    },
    {
      says: 'opens a file whatever became of the key',
      breaks: ['files.revoked'],
      wrap: file((own) => async (asked, range) => {
        const opened = await own(asked, range)
        return opened.state === 'revoked' ? own({ ...asked, key_id: first.key_id }, range) : opened
      }),
    },
    {
      says: 'takes the end of a file for its beginning',
      breaks: ['files.ranges'],
      wrap: file((own) => (asked, range) => own(asked, range?.first === null ? { first: 0, last: range.last } : range)),
    },
    {
      says: 'gives every file one type',
      breaks: ['files.whole'],
      wrap: file((own) => async (asked, range) => {
        const opened = await own(asked, range)
        return opened.state === 'open' ? { ...opened, content_type: 'application/octet-stream' } : opened
      }),
    },
    {
      says: 'has a file of no bytes for every path',
      breaks: ['files.missing'],
      wrap: file(
        (own) => (asked, range) =>
          asked.file_id.startsWith('..')
            ? own({ ...asked, key_id: 'no-such-key' }, range).then(() => ({ state: 'unsatisfiable', size_bytes: 0 }))
            : own(asked, range),
      ),
    },
    {
      says: 'offers a slot twice',
      breaks: ['availability.free'],
      wrap: handled('availability.list', (own) => async (...given) => {
        const rows = (await own(...given)).data as Row[]
        return { data: [...rows.slice(0, 1), ...rows] }
      }),
    },
    {
      says: 'offers the last slot first',
      breaks: ['availability.order'],
      wrap: handled('availability.list', (own) => async (...given) => ({
        data: reversed((await own(...given)).data as Row[]),
      })),
    },
    {
      says: 'asks for a scope more',
      breaks: ['scopes.enough'],
      wrap: handled('calls.get', (own) => async (grant, input, context) => {
        if (!grant.may('patients:read')) throw new Problem('forbidden', 'No.', { required_scope: 'calls:read' })
        return own(grant, input, context)
      }),
    },
  ]
}

/** Nothing but the first clinic, whoever asks. */
function oneClinic({ first }: TwoClinics): readonly Fault[] {
  return [
    {
      says: 'knows one clinic only',
      breaks: ['isolation.lists', 'isolation.positions', 'isolation.ids', 'isolation.filters'],
      wrap: (backend) =>
        handled(
          Object.keys(backend.handlers),
          (own) => (grant, input, context) => own(grantFor(grant, first.clinic), input, context),
        )(backend),
    },
  ]
}

/** The port itself, keys and the audit log. */
const port: readonly Fault[] = [
  {
    says: 'speaks another version',
    breaks: ['port.ready'],
    before: (app) =>
      app.addHook('onSend', async ({ url }, reply, payload) =>
        url === portPaths.ready && reply.statusCode === 200 ? '{"version":2}' : payload,
      ),
  },
  {
    says: 'does without the token',
    breaks: ['port.token'],
    before: (app, token) =>
      app.addHook('onRequest', async ({ headers }) => {
        headers.authorization ??= `Bearer ${token}`
      }),
  },
  {
    says: 'answers every path',
    breaks: ['port.unknown-path'],
    before: (app) => app.setNotFoundHandler((_, reply) => reply.send({})),
  },
  {
    says: 'takes a body that is not JSON for a fault of its own',
    breaks: ['port.form'],
    before: (app) =>
      app.addHook('onSend', async ({ url }, reply, payload) => {
        if (url === portPaths.authenticate && reply.statusCode === 400) reply.code(500)
        return payload
      }),
  },
  {
    says: 'knows no deadline',
    breaks: ['port.deadline'],
    before: (app) =>
      app.addHook('onRequest', async ({ headers }) => {
        delete headers['x-deadline-ms']
      }),
  },
  {
    says: 'opens a clinic to any key, for seconds since 1970',
    breaks: ['keys.principal', 'keys.unknown'],
    wrap: (backend) => {
      let known: Awaited<ReturnType<Backend['authenticate']>> = null
      return {
        ...backend,
        authenticate: async (hash) => {
          known = (await backend.authenticate(hash)) ?? known
          return known && { ...known, expires_at: Math.floor(Date.now() / 1000) + 86_400 }
        },
      }
    },
  },
  {
    says: 'stores no row of an agent',
    breaks: ['audit.stored'],
    before: (app) =>
      app.addHook('preHandler', async ({ url, body }, reply) => {
        if (url === portPaths.audit && JSON.stringify(body).includes('"mcp"')) return reply.code(400).send({})
      }),
  },
  {
    says: 'takes bodies of a megabyte at most',
    breaks: ['audit.full-group'],
    before: (app) =>
      app.addHook('onRequest', async ({ headers }, reply) => {
        if (Number(headers['content-length']) > 1_000_000) return reply.code(413).send({})
      }),
  },
  {
    says: 'takes every surface for REST',
    breaks: ['audit.malformed'],
    before: (app) =>
      app.addHook('preHandler', async ({ url, body }) => {
        const { rows } = (body ?? {}) as { rows?: unknown }
        if (url !== portPaths.audit || !Array.isArray(rows)) return
        for (const row of rows) if (row.surface === 'fax') row.surface = 'rest'
      }),
  },
]

/** A person who is asked for under another phone or email is another person. */
let others = 0
const another = () => `+97252${String(++others).padStart(7, '0')}`

/** Drops what tells that a request was there before, while an equal one is under way. */
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

function writes({ first, second }: TwoClinics): readonly Fault[] {
  return [
    {
      says: 'answers a lead without its attribution',
      breaks: ['writes.answered'],
      wrap: answering('leads.create', ({ attribution: _, ...row }) => row),
    },
    {
      says: 'takes no notice of Idempotency-Key',
      breaks: ['writes.idempotency-key'],
      wrap: handled(
        'payments.create',
        (own) => (grant, input, context) => own(grant, { ...input, idempotency_key: null }, context),
      ),
    },
    {
      says: 'makes leads after their time',
      breaks: ['writes.deadline'],
      before: (app) =>
        app.addHook('onRequest', async ({ url, headers }) => {
          if (url === portPaths.operation('leads.create')) delete headers['x-deadline-ms']
        }),
    },
    {
      says: 'lets whoever reads payments record them',
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
      says: 'compares phones as they are written',
      breaks: ['leads.phone'],
      wrap: writing('leads.create', ({ phone }) => (/[ -]/.test(String(phone)) ? { phone: another() } : {})),
    },
    {
      says: 'compares emails as they are written',
      breaks: ['leads.email'],
      wrap: writing('leads.create', ({ email }) => (isLower(email) ? {} : { email: `a${++others}@b.co` })),
    },
    {
      says: 'knows submissions by their phone alone',
      breaks: ['leads.external-id'],
      wrap: writing('leads.create', ({ phone }) => (phone === undefined ? {} : { external_id: undefined })),
    },
    {
      says: 'looks first and makes a lead then',
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
      says: 'answers amounts without their cents',
      breaks: ['payments.readable'],
      wrap: answering('payments.create', (row) => ({ ...row, amount: Math.floor(Number(row.amount)) })),
    },
    {
      says: 'takes another amount for the same payment',
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
      says: 'begins the feed now, wherever its reader was',
      breaks: ['events.told'],
      wrap: asking('events.list', () => ({ after: null })),
    },
    {
      says: 'takes any currency for the clinic’s',
      breaks: ['payments.refused'],
      wrap: writing('payments.create', () => ({ currency: undefined })),
    },
    {
      says: 'records equal payments that come at once',
      breaks: ['payments.at-once'],
      wrap: forgetting('payments.create', () => ({ external_id: undefined })),
    },
    {
      says: 'books to patients of every clinic',
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
      says: 'calls a message sent before it is',
      breaks: ['chat.queued'],
      wrap: answering('chat.messages.create', (row) => ({ ...row, status: 'sent' })),
    },
    {
      says: 'accepts messages to nobody',
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

export type Batch = 'port' | 'lists' | 'filters' | 'ids' | 'isolation' | 'one clinic' | 'writes'

/** Each batch, by what it is about. */
export function faultBatches(two: TwoClinics): Readonly<Record<Batch, readonly Fault[]>> {
  return { port, lists, filters, ids, isolation: isolation(two), 'one clinic': oneClinic(two), writes: writes(two) }
}
