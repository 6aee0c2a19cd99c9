// New payments per second.
//
//   node bench/payments.ts [seconds a run]    needs wrk (Debian package wrk)
import { measureWrites } from './measured-writes.ts'
import { newPayments } from './writes.ts'

await measureWrites(newPayments, Number(process.argv[2] ?? 5))
