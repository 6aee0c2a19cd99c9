// Follows the clinic's events without a public address. Keeps the feed's cursor in a file, so a restart continues from there. No
// event is lost. An event is printed twice only if the program ends before it has stored the cursor.
//
//   node follow-events.mjs ./cursor
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { ClinicDataClient } from '@clinic-data/client'

const { SC_API_KEY: apiKey, SC_BASE_URL: baseUrl } = process.env
const client = new ClinicDataClient({ apiKey, baseUrl })
const file = process.argv[2] ?? 'cursor'

let cursor = existsSync(file) ? readFileSync(file, 'utf8') : (await client.events.list()).resume_cursor
console.log('following')
for (;;) {
  const { data, resume_cursor } = await client.events.list({ cursor, wait: 5 })
  for (const event of data) console.log(event.type, event.data.id)
  cursor = resume_cursor
  writeFileSync(`${file}.new`, cursor)
  renameSync(`${file}.new`, file)
}
