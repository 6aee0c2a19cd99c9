// New leads per second: distinct people, each with an external_id.
//
//   node bench/leads.ts [seconds a run]    needs wrk (Debian package wrk)
import { measureWrites } from './measured-writes.ts'

await measureWrites(
  {
    name: 'POST /v1/leads',
    scope: 'leads:write',
    script: 'leads.lua',
    counted: ['lead'],
    prepare: async () => undefined,
  },
  Number(process.argv[2] ?? 5),
)
