// PostgreSQL is killed under a service that lives on.
import { allInOne, killPostgres } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

export const databaseKilled: Scenario = {
  name: 'database-killed',
  done: "SIGKILL of PostgreSQL's first process; the service starts it again",
  proves: 'commits are in the log of the database before they are acknowledged, and connections recover without help',
  doesNotProve: 'a power cut: what the operating system holds survives the kill of a process',
  rounds: 20,
  long: 1,
  async open(stage) {
    const site = await allInOne(stage)
    return { ...site, fault: () => killPostgres(site.dataDir) }
  },
}
