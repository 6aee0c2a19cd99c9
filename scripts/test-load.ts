// `npm run test:load`: the everyday tests ten times in a row beside four busy loops. What fails here measures the machine.
// `--times 3` runs them less often, and words on the command line are test files.
import { spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

/** Twice as many as most machines of a CI have processors. */
const LOOPS = 4
/** Ends with the process that started it, however that ends. */
const LOOP = 'const { ppid } = process; while (process.ppid === ppid);'

const { values, positionals: files } = parseArgs({
  options: { times: { type: 'string', default: '10' } },
  allowPositionals: true,
})
const times = Number(values.times)
const check = join(dirname(import.meta.dirname), 'scripts', 'check.ts')
const loops = Array.from({ length: LOOPS }, () => spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }))
const passed: boolean[] = []
for (let round = 1; round <= times; round++) {
  process.stdout.write(`round ${round} of ${times}, beside ${LOOPS} busy loops\n`)
  passed.push(spawnSync(process.execPath, [check, ...files], { stdio: 'inherit' }).status === 0)
}
for (const loop of loops) loop.kill('SIGKILL')
const failed = passed.flatMap((isPassed, round) => (isPassed ? [] : [round + 1]))
process.stdout.write(`${times - failed.length} of ${times} rounds passed\n`)
if (failed.length > 0) process.stderr.write(`failed: ${failed.map((round) => `round ${round}`).join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
