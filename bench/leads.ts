// New leads per second.
//
//   node bench/leads.ts [seconds a run]    needs wrk (Debian package wrk)
import { measureWrites } from './measured-writes.ts'
import { newLeads } from './writes.ts'

await measureWrites(newLeads, Number(process.argv[2] ?? 5))
