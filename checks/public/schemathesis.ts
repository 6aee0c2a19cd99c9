// The running service against its own OpenAPI document: Schemathesis makes valid and broken requests from it and follows its links.
// Findings that we accept are listed in `schemathesis.toml`, with reasons.
//
//   node checks/public/schemathesis.ts [--seed N]    more arguments go to Schemathesis; another seed makes other requests
import { withSchemathesis } from './run-schemathesis.ts'
import { withService } from './running-service.ts'

const BUDGET_SECONDS = 120

await withSchemathesis(async (schemathesis) => {
  if (schemathesis === null) {
    process.stdout.write('Schemathesis: skipped, because python3 with venv and pip is missing\n')
    return
  }
  await withService(async ({ url, key }) => {
    const run = { config: 'schemathesis.toml', seconds: BUDGET_SECONDS, argv: [`${url}/v1/openapi.json`], key }
    if ((await schemathesis(run)) !== 0) process.exitCode = 1
  })
})
