// The first two requests of the guide, in each language. The second word behind a fence is the label of a sample.

import { csharpReads } from './csharp-programs.ts'
import { fenced } from './fenced.ts'
import { goReads } from './go-programs.ts'

const PATHS = ['/v1/me', '/v1/patients?query=levi']

export const firstRequests = [
  fenced('sh curl', ...PATHS.map((path) => `curl "$SC_BASE_URL${path}" -H "Authorization: Bearer $SC_API_KEY"`)),
  fenced(
    'ts client',
    "import { env } from 'node:process'",
    "import { ClinicDataClient } from '@clinic-data/client'",
    '',
    'const client = new ClinicDataClient({',
    '  apiKey: env.SC_API_KEY,',
    '  baseUrl: env.SC_BASE_URL,',
    '})',
    'const { data: me } = await client.me.get()',
    'console.log(me.clinic_id, me.scopes)',
    "const { data: patients } = await client.patients.list({ query: 'levi' })",
    'console.log(patients)',
  ),
  fenced(
    'python clinic_data',
    'import os',
    '',
    'from clinic_data import ClinicDataClient',
    '',
    'client = ClinicDataClient(base_url=os.environ["SC_BASE_URL"], api_key=os.environ["SC_API_KEY"])',
    'me = client.me.get()',
    'print(me["clinic_id"], me["scopes"])',
    'for patient in client.patients.list(query="levi"):',
    '    print(patient)',
  ),
  fenced('go go', goReads(PATHS)),
  fenced('csharp csharp', csharpReads(PATHS)),
  fenced('sh sc', 'sc whoami', 'sc patients list --query levi'),
]
