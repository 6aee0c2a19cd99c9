// How an app stands with the clinic before somebody says yes: whether the clinic allows it, and where its connections belong.
import type { ShownAccess } from '@clinic-data/console-contract/connect-operations'
import type { ClinicDatabase, ClinicSession } from '@clinic-data/database'
import type { App } from '../apps/app.ts'
import { isAllowed } from './app-rule.ts'
import { findOfApp } from './integration-of-app.ts'

export type Standing = Pick<ShownAccess, 'is_allowed' | 'is_stopped' | 'integration'>

export async function standingOf(database: ClinicDatabase, clinic: ClinicSession, app: App): Promise<Standing> {
  const [is_allowed, found] = await Promise.all([
    isAllowed(database, clinic, app),
    findOfApp((statement) => database.read(clinic, statement), clinic, app),
  ])
  return {
    is_allowed,
    is_stopped: found?.is_stopped === true,
    integration: found && { id: found.id, name: found.name },
  }
}
