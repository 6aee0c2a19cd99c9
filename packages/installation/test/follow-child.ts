// A process that exports audit logs into a folder, round after round, until it is killed. It prints a line for each line that it has written, and
// for each stretch that it has handed over.
//
// node follow-child.ts <database url> <folder>

import { LogFollower } from '@clinic-data/audit/follow/follow-log'
import { openDatabase, sql } from '@clinic-data/database'
import { FileDestination } from '../src/audit-export/file-destination.ts'

/** The real one, which writes line by line: so it is killed between any two. */
class LineByLine extends FileDestination {
  override async send(clinic_id: string, batches: AsyncIterable<readonly string[]>, signal: AbortSignal) {
    async function* lines() {
      for await (const batch of batches)
        for (const line of batch) {
          yield [line]
          process.stdout.write('line\n')
        }
    }
    await super.send(clinic_id, lines(), signal)
    process.stdout.write('stretch\n')
  }
}

const [url = '', folder = ''] = process.argv.slice(2)
const owner = await openDatabase({ url, statementTimeoutMs: 0 })
const follower = new LogFollower({
  destination: new LineByLine(folder, 'ndjson'),
  format: 'ndjson',
  program: '0.2.0',
  now: () => new Date(),
  audit: () => undefined,
  onFault: (clinic_id, fault) => process.stdout.write(`fault ${clinic_id} ${fault}\n`),
})
for (;;) {
  const { rows } = await owner.query<{ clinic_id: string }>(sql`select clinic_id from clinic`)
  await follower.round(owner, rows, new AbortController().signal)
  process.stdout.write('round\n')
}
