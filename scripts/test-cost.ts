// Loaded into each process of a test file by `npm test -- --profile`: writes what the file cost to the folder that TEST_COSTS names.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** What one test file took, in seconds. The database server's share is not in it. */
export interface Cost {
  readonly file: string
  readonly wall: number
  readonly cpu: number
  /** CPU time of the programs that it started and that have ended; 0 where the system does not say. */
  readonly children: number
}

const OWN_STAT = '/proc/self/stat'
/** Linux counts the time of processes in hundredths. */
const TICKS_PER_SECOND = 100

const folder = process.env.TEST_COSTS
const file = process.argv[1] ?? ''
if (folder !== undefined && file.endsWith('.test.ts')) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    const cost: Cost = {
      file: relative(process.cwd(), file),
      wall: process.uptime(),
      cpu: (userCPUTime + systemCPUTime) / 1e6,
      children: existsSync(OWN_STAT) ? childrenSeconds(readFileSync(OWN_STAT, 'utf8')) : 0,
    }
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(cost))
  })
}

/** The 16th and 17th field: user and system time of children that were waited for. The name, in brackets, may hold spaces. */
function childrenSeconds(stat: string): number {
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(afterName[13]) + Number(afterName[14])) / TICKS_PER_SECOND
}
