// New leads per second, compared with a bare Fastify route that stores the same rows.
//
//   node bench/leads.ts [seconds a run] [goal]    needs wrk (Debian package wrk); `goal`: only the load that has a goal
import { measureWrites } from './measured-writes.ts'
import { newLeads } from './writes.ts'

const [seconds = '5', only] = process.argv.slice(2)
await measureWrites(newLeads, Number(seconds), only === 'goal')
