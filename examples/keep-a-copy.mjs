// Keeps a copy of a clinic's patients, appointments, treatments and payments in a file. It takes the feed's cursor first, then reads the
// lists whole, then follows the feed. The cursor is stored with the rows that it stands for, so a kill loses nothing: run it again. The
// first read is kept beside the file until it is whole, and goes on where it was. In production, store rows and cursor in one transaction of
// your database.
//
//   node keep-a-copy.mjs ./copy.json
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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

const EVER = '1970-01-01T00:00:00Z'
/** Pages of a list in the first read: a kill loses at most these. */
const STORED_AFTER = 10
const begun = `${file}.begun`
const kept = [begun, file].find((one) => existsSync(one))
const rows = () => ({ patients: {}, appointments: {}, treatments: {}, payments: {} })
const empty = () => ({ isFirst: true, cursor: null, since: {}, unread: [], ...rows() })
let copy = kept ? JSON.parse(readFileSync(kept, 'utf8')) : empty()
console.log(`keeping a copy in ${file}`)
let isFollowing = false
for (;;) {
  if (!copy.isFirst && !isFollowing) console.log('following the feed')
  isFollowing = !copy.isFirst
  try {
    await catchUp(copy)
    store(copy)
  } catch (error) {
    // The cursor is too old, or the service was restored from a backup. What the lists have no more is left out then.
    const isOutOfStep =
      error instanceof NotFoundError || error.problem?.errors?.some(({ parameter }) => parameter === 'cursor')
    if (!isOutOfStep) throw error
    console.log('starting over')
    copy = empty()
  }
}

/** A copy that is whole replaces the former one. */
function store(copy) {
  const target = copy.isFirst ? begun : file
  writeFileSync(`${target}.new`, JSON.stringify(copy), { flush: true })
  renameSync(`${target}.new`, target)
  if (!copy.isFirst) rmSync(begun, { force: true })
}

async function catchUp(copy) {
  const { isFirst } = copy
  if (isFirst) copy.cursor ??= (await client.events.list()).resume_cursor
  const feed = isFirst ? null : await client.events.list({ cursor: copy.cursor, limit: 100, wait: 5 })
  const changed = new Set(feed?.data.map(patientOf) ?? copy.unread)
  // How far each list is: its next cursor, or null for a list that is read.
  copy.at ??= {}
  const storeFirst = () => store(Object.assign(copy, { unread: [...changed] }))
  // They also have what has no event: a corrected payment, imported patients.
  for (const [kind, list] of Object.entries(ofClinic)) {
    if (isFirst && copy.at[kind] === null) continue
    const updated_since = isFirst ? EVER : (copy.since[kind] ?? EVER)
    const cursor = isFirst ? copy.at[kind] : undefined
    let pages = 0
    for await (const { data, next_cursor } of list({ updated_since, cursor, limit: 100 }).pages()) {
      for (const row of data) {
        if (kind === 'patients' && copy.patients[row.id]?.updated_at !== row.updated_at) changed.add(row.id)
        copy[kind][row.id] = row
        copy.since[kind] = new Date(Date.parse(row.updated_at) - 60_000).toISOString()
      }
      if (!isFirst) continue
      copy.at[kind] = next_cursor
      if (next_cursor === null || ++pages % STORED_AFTER === 0) storeFirst()
    }
    if (isFirst) console.log(`read ${Object.keys(copy[kind]).length} ${kind}`)
  }
  changed.delete(undefined)
  // Only treatments have no list of the whole clinic. The others have just been read.
  const lists = isFirst ? { treatments: treatments.list } : ofPatient
  for (const id of changed) {
    await readPatient(copy, id, lists)
    changed.delete(id)
    if (!isFirst || changed.size % 100 > 0) continue
    storeFirst()
    console.log(`read ${Object.keys(copy.treatments).length} treatments, ${changed.size} patients are left`)
  }
  Object.assign(copy, { isFirst: false, cursor: feed?.resume_cursor ?? copy.cursor, unread: [] })
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
