// Connects apps to clinics: tells the gateway where people reach the console, and the backend what answers apps.
import type { AnswerApp } from '@clinic-data/contract/app-request'
import type { Database } from '@clinic-data/database'
import type { ConnectOptions } from '@clinic-data/gateway'
import { consoleAddress } from '@clinic-data/installation/console-address'
import { authority } from '@clinic-data/installation/settings/addresses'
import type { Start } from './start.ts'

type Connecting = Pick<Start, 'config' | 'role' | 'isDemo'>

/** Null: no app can be connected, because nobody has said where people reach the console. */
export function connectOf(start: Connecting): ConnectOptions | null {
  const consoleUrl = consoleUrlOf(start)
  return consoleUrl === null ? null : { consoleUrl, mayRegister: mayRegister(start) }
}

/** Editors and inspectors that know nothing else should find their way into the demo. */
function mayRegister({ config: { connect }, isDemo = false }: Connecting): boolean {
  return connect.mayRegister || (isDemo && connect.apps === 'any')
}

/** A process that has the console in itself knows where it listens. With a port that the system chooses it does not know it in time. */
function consoleUrlOf({ config: { consoleUrl, adminHost, adminPort }, role }: Connecting): string | null {
  if (consoleUrl !== null || role !== 'all' || adminPort === 0) return consoleUrl
  return consoleAddress(`http://${authority(adminHost)}:${adminPort}`)
}

/** @param database opened with the console's login: that of requests may add neither keys nor tokens. */
export function answerAppOf(_start: Start, _database: Database): AnswerApp | undefined {
  return undefined
}
