// Connects apps to clinics: tells the gateway where people reach the console, and the backend what answers apps.
import { answerApp } from '@clinic-data/connect/answer-app'
import type { ConnectParts } from '@clinic-data/connect/connect-parts'
import { type ConsoleConnect, consoleConnect } from '@clinic-data/connect/console-connect'
import { openApps } from '@clinic-data/connect/open-apps'
import type { AnswerApp } from '@clinic-data/contract/app-request'
import type { Database } from '@clinic-data/database'
import type { ConnectOptions } from '@clinic-data/gateway'
import { knownConsoleUrl } from '@clinic-data/installation/console-address'
import type { Start } from './start.ts'

type Settings = Pick<Start, 'config' | 'role' | 'isDemo'>

/** Null: no app can be connected, because nobody has said where people reach the console. */
export function connectOf(start: Settings): ConnectOptions | null {
  const consoleUrl = knownConsoleUrl(start.config, start.role)
  return consoleUrl === null ? null : { consoleUrl, mayRegister: mayRegister(start) }
}

/** Editors and inspectors that know nothing else should find their way into the demo. */
function mayRegister({ config: { connect }, isDemo = false }: Settings): boolean {
  return connect.mayRegister || (isDemo && connect.apps === 'any')
}

/** Answers apps, and what the console asks for their administrators' yes or no. */
export interface Connecting {
  readonly answerApp: AnswerApp
  readonly console: ConsoleConnect
}

/**
 * Null: no app can be connected.
 *
 * @param database opened with the console's login: that of requests may add neither keys nor tokens.
 */
export function openConnecting(start: Start, database: Database): Connecting | null {
  const options = connectOf(start)
  if (options === null) return null
  const { baseUrl, connect, webhookAllowCidrs } = start.config
  const parts: ConnectParts = {
    ...options,
    database,
    baseUrl,
    policy: connect.apps,
    now: () => new Date(),
    log: start.log,
  }
  const { apps, authentication } = openApps(parts, { allowCidrs: webhookAllowCidrs })
  return {
    answerApp: answerApp({ connect: parts, authentication }),
    console: consoleConnect({ apps, baseUrl, database }),
  }
}
