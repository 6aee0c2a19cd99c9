// Looks at a gateway's backends: whether they answer it, and share the settings that it must share with them.
import { differingKeys, keyFingerprints } from '@clinic-data/contract/key-fingerprints'
import { portHeaders, portPaths } from '@clinic-data/contract/port'
import type { Config } from '@clinic-data/installation/config'
import { answerOf, PATIENCE_MS, reasonOf } from './addresses.ts'
import { type Finding, fault, ok } from './finding.ts'

interface Backends {
  findings: Finding[]
  /** Whether apps are connected to the clinics of one of them. */
  connectApps: boolean
}

export async function lookAtBackends(config: Config): Promise<Backends> {
  const looked = await Promise.all(config.backendUrls.map((url) => lookAt(url, config)))
  return {
    findings: looked.map(({ finding }) => finding),
    connectApps: looked.some(({ connectsApps }) => connectsApps),
  }
}

async function lookAt(url: string, config: Config): Promise<{ finding: Finding; connectsApps: boolean }> {
  try {
    const headers = { authorization: `Bearer ${config.backendToken}`, [portHeaders.deadline]: String(PATIENCE_MS) }
    const answer = await answerOf(`${url.replace(/\/+$/, '')}${portPaths.ready}`, { headers })
    return { finding: findingOf(url, answer, config), connectsApps: answer.headers.has(portHeaders.connects_apps) }
  } catch (error) {
    return { finding: fault('backend', `${url} cannot be reached: ${reasonOf(error)}`), connectsApps: false }
  }
}

function findingOf(url: string, { status, headers }: Response, { secretKeys }: Config): Finding {
  if (status === 401) return fault('backend', `${url} refuses BACKEND_TOKEN: both sides need the same one`)
  if (status === 503) return fault('backend', `${url} is not ready`)
  if (status !== 200) return fault('backend', `${url} answers ${status}: it is no backend`)
  const theirs = headers.get(portHeaders.secret_keys)
  const differing = theirs === null || secretKeys === null ? [] : differingKeys(keyFingerprints(secretKeys), theirs)
  if (differing.length === 0) return ok('backend', `${url} answers, and knows BACKEND_TOKEN`)
  const why = 'cursors and links of one are refused by others. Give all processes the same'
  return fault('backend', `${url} has other SECRET_KEYS: ${differing.join(', ')} differs, so ${why}`)
}
