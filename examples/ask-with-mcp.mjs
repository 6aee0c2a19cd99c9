// Which patients of one provider have an appointment tomorrow and an unpaid balance? Finds the answer only with the MCP server's
// tools, as an agent would.
//
//   node ask-with-mcp.mjs Cohen [2026-07-14]
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { SC_BASE_URL = '', SC_API_KEY = '' } = process.env
const [asked = '', given] = process.argv.slice(2)

const client = new Client({ name: 'ask-with-mcp', version: '1' }, { versionNegotiation: { mode: 'auto' } })
const headers = { authorization: `Bearer ${SC_API_KEY}` }
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', SC_BASE_URL), { requestInit: { headers } }))

const day = given ?? (await tomorrow())
const provider = (await all('catalog_list', { kind: 'providers' })).find(({ name }) => name.includes(asked))
if (!provider) throw new Error(`the clinic has no provider called ${asked}`)
const appointments = await all('appointments_list', {
  ...{ provider_id: provider.id, from: day, to: day, fields: ['patient', 'start'], limit: 100 },
})
const owing = new Map()
for (const { patient, start } of appointments) {
  if (patient === null || owing.has(patient.id)) continue
  const { data } = await call('patients_get', {
    patient_id: patient.id,
    response_format: 'detailed',
  })
  const { first_name, last_name, balance } = data
  if (balance !== null && balance.amount > 0)
    owing.set(
      patient.id,
      `${start.slice(11, 16)} ${first_name} ${last_name} owes ${balance.amount} ${balance.currency}`,
    )
}
console.log(`${provider.name}, ${day}: ${owing.size} of ${appointments.length} appointments with an unpaid balance`)
for (const line of owing.values()) console.log(line)
await client.close()

/** Reads all rows of a list. There are more while there is a cursor. */
async function all(name, given) {
  const rows = []
  for (let cursor; cursor !== null; ) {
    const page = await call(name, { ...given, ...(cursor && { cursor }) })
    rows.push(...page.data)
    cursor = page.next_cursor ?? null
  }
  return rows
}

/** An error result says in its text how to mend the call. */
async function call(name, given) {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
  const [first] = content
  if (isError) throw new Error(first?.type === 'text' ? first.text : name)
  return structuredContent
}

/** The day after the clinic's today. */
async function tomorrow() {
  const { data } = await call('service_whoami', {})
  return new Date(Date.parse(data.clinic.today) + 24 * 60 * 60_000).toISOString().slice(0, 10)
}
