// Faults that show one clinic to another, faults of files, and more faults of slots and scopes.
import { type Backend, type Grant, Problem } from '@clinic-data/contract'
import { grantFor, handled, type Row, relisted, type Wrap } from '../wrong-backends.ts'
import { type Fault, reversed, type TwoClinics } from './fault.ts'

export function isolation({ first, second }: TwoClinics): readonly Fault[] {
  let current: Grant | undefined
  const clinics = new Map([first, second].map(({ clinic }) => [clinic.clinic_id, clinic]))
  const file = (make: (own: Backend['openFile']) => Backend['openFile']): Wrap => {
    return (backend) => ({ ...backend, openFile: make(backend.openFile) })
  }
  return [
    {
      says: 'looks for a patient’s calls in every clinic',
      breaks: ['isolation.filters'],
      wrap: handled('calls.list', (own) => async (grant, input, context) => {
        const answer = await own(grant, input, context)
        // A patient of ours may have no calls, and one with the same id some there: that would break other rules too.
        const isForeign = answer.unknown_ids?.includes('patient_id') === true
        return isForeign ? own(grantFor(grant, second.clinic), input, context) : answer
      }),
    },
    {
      says: 'tells that a provider exists in another clinic',
      breaks: ['unknown-ids.foreign'],
      wrap: handled('appointments.list', (own) => async (grant, input, context) => {
        const answer = await own(grant, input, context)
        if (answer.unknown_ids === undefined) return answer
        const { unknown_ids: _, ...silent } = answer
        const theirs = await own(grantFor(grant, second.clinic), input, context)
        return theirs.unknown_ids === undefined ? silent : answer
      }),
    },
    {
      says: 'tells in a query that a provider exists in another clinic',
      breaks: ['unknown-ids.foreign-in-queries'],
      wrap: handled('query.run', (own) => async (grant, input, context) => {
        const answer = await own(grant, input, context)
        if (answer.unknown_values === undefined) return answer
        const { unknown_values: _, ...silent } = answer
        const theirs = await own(grantFor(grant, second.clinic), input, context)
        return theirs.unknown_values === undefined ? silent : answer
      }),
    },
    {
      says: 'looks for an appointment in every clinic',
      breaks: ['isolation.ids'],
      wrap: handled(
        'appointments.get',
        (own) => (grant, input, context) =>
          own(grant, input, context).catch(() => own(grantFor(grant, second.clinic), input, context)),
      ),
    },
    {
      says: 'continues a list in the clinic of the position',
      breaks: ['isolation.positions'],
      wrap: relisted('chat.messages.list', {
        position: (at, { clinic }) => [String(at), clinic.clinic_id],
        opened: ([at, of = ''], grant) => [Number(at), grantFor(grant, clinics.get(of) ?? grant.clinic)],
      }),
    },
    {
      says: 'keeps the clinic of the current call in a shared variable',
      breaks: ['isolation.at-once'],
      wrap: handled('patients.list', (own) => async (grant, input, context) => {
        current = grant
        // Long enough that another call comes in between.
        for (let look = 0; look < 4; look++) await own(grant, input, context)
        return own(current, input, context)
      }),
    },
    {
      says: 'looks for a file in every clinic',
      breaks: ['isolation.files'],
      wrap: file((own) => async (file, range) => {
        const opened = await own(file, range)
        const { clinic_id } = second.clinic
        return opened.state === 'missing' ? own({ ...file, clinic_id, key_id: second.key_id }, range) : opened
      }),
    },
    {
      says: 'opens a file for a revoked key',
      breaks: ['files.revoked'],
      wrap: file((own) => async (file, range) => {
        const opened = await own(file, range)
        return opened.state === 'revoked' ? own({ ...file, key_id: first.key_id }, range) : opened
      }),
    },
    {
      says: 'gives the beginning of a file instead of its end',
      breaks: ['files.ranges'],
      wrap: file((own) => (file, range) => own(file, range?.first === null ? { first: 0, last: range.last } : range)),
    },
    {
      says: 'gives every file the same type',
      breaks: ['files.whole'],
      wrap: file((own) => async (file, range) => {
        const opened = await own(file, range)
        return opened.state === 'open' ? { ...opened, content_type: 'application/octet-stream' } : opened
      }),
    },
    {
      says: 'has an empty file for every path',
      breaks: ['files.missing'],
      wrap: file(
        (own) => (file, range) =>
          file.file_id.startsWith('..')
            ? own({ ...file, key_id: 'no-such-key' }, range).then(() => ({ state: 'unsatisfiable', size_bytes: 0 }))
            : own(file, range),
      ),
    },
    {
      says: 'offers a slot twice',
      breaks: ['availability.free'],
      wrap: handled('availability.list', (own) => async (...args) => {
        const rows = (await own(...args)).data as Row[]
        return { data: [...rows.slice(0, 1), ...rows] }
      }),
    },
    {
      says: 'offers the last slot first',
      breaks: ['availability.order'],
      wrap: handled('availability.list', (own) => async (...args) => ({
        data: reversed((await own(...args)).data as Row[]),
      })),
    },
    {
      says: 'requires a further scope',
      breaks: ['scopes.enough'],
      wrap: handled('calls.get', (own) => async (grant, input, context) => {
        if (!grant.may('patients:read')) throw new Problem('forbidden', 'No.', { required_scope: 'calls:read' })
        return own(grant, input, context)
      }),
    },
  ]
}

/** The fault of showing the first clinic to every key. */
export function oneClinic({ first }: TwoClinics): readonly Fault[] {
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
