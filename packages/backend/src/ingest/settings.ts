// The clinic's settings that its own system may change: a patch, answered with all settings.

import { SLOT_STEPS } from '@clinic-data/administration/clinics'
import { type Clinic, MAX, one } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { bodyFault } from '@clinic-data/contract/findings'
import { nullable, object, type Static, strictObject, Type, text, whole } from '@clinic-data/contract/schema'
import { type ClinicDatabase, type Statement, sql, type Transaction } from '@clinic-data/database'
import { findTemplate } from '@clinic-data/messaging/stored-template'
import { type Unsuitable, wrappingVariable } from '@clinic-data/messaging/wrapping-template'
import type { PlainOperation } from './ingest-operation.ts'

const tag = 'Settings'

const name = text(MAX.name, { pattern: '\\S', description: 'Shown to operators and to agents.' })
const week_start = whole(0, 1, { description: 'The first day of the weeks of analytics: 0 is Sunday, 1 is Monday.' })
const min_visit_minutes = whole(1, MAX.duration_minutes, {
  description: 'The shortest visit. Shorter free times are not offered.',
})
const slot_step_minutes = Type.Unsafe<number>({
  type: 'integer',
  enum: SLOT_STEPS,
  description: "Today's first free slot begins at the next multiple of this many minutes on the clinic's clock.",
})
const ai_transcription = Type.Boolean({ description: 'Whether answered calls may be transcribed.' })
const wrapping_template = nullable(
  strictObject({ name: text(MAX.template_name, { minLength: 1 }), language: text(MAX.code, { minLength: 1 }) }),
  {
    description:
      'The message template that carries free text while the free-text window is closed. It must be approved, have the category `marketing`, and have one variable, in its body. Null: there is none, and such free text is refused.',
  },
)

const Settings = object({
  name,
  time_zone: text(MAX.code, { description: 'IANA name. Set by the operator.' }),
  country: text(2, { description: 'ISO 3166-1 alpha-2. Set by the operator.' }),
  currency: text(3, { description: 'ISO 4217. Set by the operator.' }),
  week_start,
  min_visit_minutes,
  slot_step_minutes,
  ai_transcription,
  wrapping_template,
})
type Settings = Static<typeof Settings>

const SettingsPatch = strictObject({
  name: Type.Optional(name),
  week_start: Type.Optional(week_start),
  min_visit_minutes: Type.Optional(min_visit_minutes),
  slot_step_minutes: Type.Optional(slot_step_minutes),
  ai_transcription: Type.Optional(ai_transcription),
  wrapping_template: Type.Optional(wrapping_template),
})
type SettingsPatch = Static<typeof SettingsPatch>

const settings: Settings = {
  name: 'Cohen Dental',
  time_zone: 'Asia/Jerusalem',
  country: 'IL',
  currency: 'ILS',
  week_start: 0,
  min_visit_minutes: 15,
  slot_step_minutes: 5,
  ai_transcription: true,
  wrapping_template: { name: 'clinic_message', language: 'he' },
}

export const settingsOperations: readonly PlainOperation[] = [
  {
    id: 'settings.get',
    method: 'GET',
    path: '/settings',
    tag,
    summary: 'Read the settings',
    description: "The clinic's settings.",
    params: strictObject({}),
    output: one(Settings),
    example: { answer: { data: settings } },
    run: async ({ database, principal: { clinic } }) => ({
      data: await settingsOf(database, clinic),
      ids: [],
      patient_ids: [],
    }),
  },
  {
    id: 'settings.update',
    method: 'POST',
    path: '/settings',
    tag,
    summary: 'Change settings',
    description:
      'Changes only the fields that are sent, and answers all settings. Gateways use them within a second. Fires no event.',
    params: strictObject({}),
    body: SettingsPatch,
    output: one(Settings),
    example: {
      body: { min_visit_minutes: 20, ai_transcription: true },
      answer: { data: { ...settings, min_visit_minutes: 20 } },
    },
    run: async ({ database, principal: { clinic }, body }) => {
      await database.write(clinic, (tx) => changeSettings(tx, clinic, body as SettingsPatch))
      return { data: await settingsOf(database, clinic), ids: [], patient_ids: [] }
    },
  },
]

type Row = Omit<Settings, 'wrapping_template'> & {
  wrapping_template_name: string | null
  wrapping_template_language: string | null
}

async function settingsOf(database: ClinicDatabase, clinic: Clinic): Promise<Settings> {
  const [row] = await database.read<Row>(
    clinic,
    sql`select name, time_zone, country, currency, week_start, min_visit_minutes, slot_step_minutes, ai_transcription,
      wrapping_template_name, wrapping_template_language from clinic where clinic_id = ${clinic.clinic_id}`,
  )
  if (row === undefined) throw new Error('the clinic is gone')
  const { wrapping_template_name, wrapping_template_language, ...settings } = row
  const wrapping_template =
    wrapping_template_name === null || wrapping_template_language === null
      ? null
      : { name: wrapping_template_name, language: wrapping_template_language }
  return { ...settings, wrapping_template }
}

async function changeSettings(tx: Transaction, clinic: Clinic, patch: SettingsPatch): Promise<void> {
  const { wrapping_template, ...plain } = patch
  const changes: Statement[] = Object.entries(plain).map(([column, value]) => sql`${sql.identifier(column)} = ${value}`)
  if (wrapping_template !== undefined) {
    await requireTemplate(tx, clinic, wrapping_template)
    changes.push(
      sql`wrapping_template_name = ${wrapping_template?.name ?? null}`,
      sql`wrapping_template_language = ${wrapping_template?.language ?? null}`,
    )
  }
  if (changes.length === 0) return
  await tx.query(sql`update clinic set ${sql.join(changes)} where clinic_id = ${clinic.clinic_id}`)
}

async function requireTemplate(
  tx: Transaction,
  clinic: Clinic,
  name: NonNullable<SettingsPatch['wrapping_template']> | null,
): Promise<void> {
  if (name === null) return
  const template = await findTemplate(tx, clinic, name)
  const unsuitable = template === null ? unknownTemplate : wrappingVariable(template)
  if (typeof unsuitable === 'string') return
  throw faultProblem('unprocessable', [bodyFault({ place: '/wrapping_template', ...unsuitable })])
}

const unknownTemplate: Unsuitable = {
  code: 'unknown_template',
  detail: "must be one of the clinic's message templates, by its name and language",
}
