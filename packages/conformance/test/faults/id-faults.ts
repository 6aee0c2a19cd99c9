// Faults of ids, free slots and scopes.
import { allScopes } from '@clinic-data/contract'
import { type AnyHandler, answering, asking, handled, type Row, relisted } from '../wrong-backends.ts'
import { calls, type Fault, isAlone } from './fault.ts'

export const ids: readonly Fault[] = [
  {
    says: 'finds a patient under any id',
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
    says: 'gives another price when the treatment is read by its id',
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
    says: 'gives a link when there is no recording',
    breaks: ['ids.files'],
    wrap: handled(
      'calls.recording.get',
      (own) =>
        (...args) =>
          own(...args).catch((error: Error) => {
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
    says: 'knows no length of visits',
    breaks: ['availability.length'],
    wrap: asking('availability.list', () => ({ duration_minutes: undefined })),
  },
  {
    says: 'omits slots when one provider is asked for',
    breaks: ['availability.provider'],
    wrap: handled('availability.list', (own) => async (grant, input, context) => {
      const rows = (await own(grant, input, context)).data as Row[]
      return { data: input.query.provider_id === undefined ? rows : rows.slice(2) }
    }),
  },
  {
    says: 'does not check scopes',
    breaks: ['scopes.required'],
    before: (app) =>
      app.addHook('preHandler', async ({ body }) => {
        const { principal } = (body ?? {}) as { principal?: { scopes: unknown } }
        if (principal && Array.isArray(principal.scopes)) principal.scopes = allScopes
      }),
  },
]
