import { ClinicDataClient } from '@clinic-data/client'

const client = new ClinicDataClient({ apiKey: process.env.SC_API_KEY, baseUrl: process.env.SC_BASE_URL })
const { data: branches } = await client.catalog.branches.list()
for (const { id, name } of branches) console.log(id, name)
