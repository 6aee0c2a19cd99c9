// A process that stops what the rules of a clinic called, and halts when the Stop is committed, until it is killed.
//
// node stop-called-child.ts <database url> <clinic> <the moment, in RFC 3339>
import { type ClinicDatabase, openDatabase, utcSession } from '@clinic-data/database'
import { stopCalled } from '../src/alerts/stop-called.ts'

const [url = '', clinic_id = '', moment = ''] = process.argv.slice(2)
const owner = await openDatabase({ url })
let writes = 0
const halting: ClinicDatabase = {
  read: (clinic, statement) => owner.read(clinic, statement),
  write: (clinic, work, options) => {
    writes += 1
    if (writes === 1) return owner.write(clinic, work, options)
    process.stdout.write('stopped\n')
    return new Promise(() => undefined)
  },
}
await stopCalled(halting, utcSession(clinic_id), { now: () => new Date(moment), wait: async () => undefined })
