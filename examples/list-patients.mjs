// Lists the patients whose name begins with a word, over all pages, with their balances.
//
//   node list-patients.mjs Levi
import { ClinicDataClient } from '@clinic-data/client'

const { SC_API_KEY: apiKey, SC_BASE_URL: baseUrl } = process.env
const client = new ClinicDataClient({ apiKey, baseUrl })
const [query = ''] = process.argv.slice(2)

for await (const { first_name, last_name, balance } of client.patients.list({ query, response_format: 'detailed' })) {
  console.log(`${first_name} ${last_name}: ${balance ? `${balance.amount} ${balance.currency}` : 'no balance'}`)
}
