// New payments per second, compared with a bare Fastify route that stores the same rows.
//
//   node bench/payments.ts [seconds a run] [goal]    needs wrk (Debian package wrk); `goal`: only the load that has a goal
import { measureWrites } from './measured-writes.ts'
import { newPayments } from './writes.ts'

const [seconds = '5', only] = process.argv.slice(2)
await measureWrites(newPayments, Number(seconds), only === 'goal')
