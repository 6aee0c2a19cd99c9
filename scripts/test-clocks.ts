// `npm run test:clocks`: the everyday tests with the machine's clock at other times, among them the nights in which the clocks of the
// test clinics change. Words on the command line choose some of the times; what follows `--` are test files.
import { dirname, join } from 'node:path'
import { underClock } from './under-clock.ts'

const DAY_MS = 86_400_000
const ahead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
/** The tests' clinics are in Jerusalem. The suite begins a minute before the clocks change. */
const CLOCKS: Readonly<Record<string, string>> = {
  day: ahead(1),
  month: ahead(30),
  leap: '2028-02-29T10:00:00Z',
  forward: '2027-03-25T23:59:00Z',
  back: '2027-10-30T22:59:00Z',
}

const words = process.argv.slice(2)
const files = words.filter((word) => !(word in CLOCKS))
const failed = Object.entries(CLOCKS)
  .filter(([name]) => files.length === words.length || words.includes(name))
  .filter(([name, clock]) => {
    process.stdout.write(`the clock at ${clock} (${name})\n`)
    const check = join(dirname(import.meta.dirname), 'scripts', 'check.ts')
    return underClock(clock, process.execPath, [check, ...files], { TEST_CLOCK: clock }) !== 0
  })
for (const [name, clock] of failed) process.stderr.write(`failed: the clock at ${clock} (${name})\n`)
process.exitCode = failed.length === 0 ? 0 : 1
