// Keeps a copy of a clinic's patients, appointments, treatments and payments in a file. It takes the feed's cursor first, then reads the
// lists whole, then follows the feed. The cursor is stored with the rows that it stands for, so a kill loses nothing: run it again.
// In production, store rows and cursor in one transaction of your database.
//
//   node keep-a-copy.mjs ./copy.json
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ClinicDataClient, NotFoundError } from '@clinic-data/client'

const { SC_API_KEY: apiKey, SC_BASE_URL: baseUrl } = process.env
const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})
if (values.help) {
  console.log('usage: node keep-a-copy.mjs [file]    file: where the copy is kept (default: copy.json)')
  process.exit()
}
const [file = 'copy.json'] = positionals
/** An outage is waited for, however long it is. */
const client = new ClinicDataClient({ apiKey, baseUrl, maxRetries: Number.MAX_SAFE_INTEGER })
const { patients, appointments, treatments, payments } = client
const ofClinic = { patients: patients.list, appointments: appointments.list, payments: payments.search }
const ofPatient = { appointments: patients.appointments.list, treatments: treatments.list, payments: payments.list }

const empty = () => ({ cursor: null, since: {}, patients: {}, appointments: {}, treatments: {}, payments: {} })
let copy = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : empty()
console.log(`keeping a copy in ${file}`)
for (;;) {
  try {
    await catchUp(copy)
    writeFileSync(`${file}.new`, JSON.stringify(copy), { flush: true })
    renameSync(`${file}.new`, file)
  } catch (error) {
    // The cursor is too old, or the service was restored from a backup. What the lists have no more is left out then.
    const isOutOfStep =
      error instanceof NotFoundError || error.problem?.errors?.some(({ parameter }) => parameter === 'cursor')
    if (!isOutOfStep) throw error
    console.log('starting over')
    copy = empty()
  }
}

async function catchUp(copy) {
  const isFirst = copy.cursor === null
  const feed = await client.events.list(isFirst ? {} : { cursor: copy.cursor, limit: 100, wait: 5 })
  const changed = new Set(feed.data.map(patientOf))
  // They also have what has no event: a corrected payment, imported patients.
  for (const [kind, list] of Object.entries(ofClinic)) {
    for await (const row of list({ updated_since: copy.since[kind] ?? '1970-01-01T00:00:00Z', limit: 100 })) {
      if (kind === 'patients' && copy.patients[row.id]?.updated_at !== row.updated_at) changed.add(row.id)
      copy[kind][row.id] = row
      copy.since[kind] = new Date(Date.parse(row.updated_at) - 60_000).toISOString()
    }
    if (isFirst) console.log(`read ${Object.keys(copy[kind]).length} ${kind}`)
  }
  changed.delete(undefined)
  // Only treatments have no list of the whole clinic. The others have just been read.
  const lists = isFirst ? { treatments: treatments.list } : ofPatient
  for (const [index, id] of [...changed].entries()) {
    await readPatient(copy, id, lists)
    if (isFirst && (index + 1) % 100 === 0)
      console.log(`read the treatments of ${index + 1} patients of ${changed.size}`)
  }
  if (isFirst) console.log(`read ${Object.keys(copy.treatments).length} treatments, patient by patient`)
  copy.cursor = feed.resume_cursor
}

function patientOf({ type, data }) {
  return type.startsWith('patient.') ? data.id : data.patient?.id
}

/** All rows of a patient: one may be gone, and each of them holds the patient's name. */
async function readPatient(copy, id, lists) {
  for (const [kind, list] of Object.entries(lists)) {
    for (const row of Object.values(copy[kind])) if (row.patient?.id === id) delete copy[kind][row.id]
    for await (const row of list(id, { limit: 100 })) copy[kind][row.id] = row
  }
}
