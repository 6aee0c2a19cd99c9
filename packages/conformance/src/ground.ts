// Prepares a run: checks that the backend answers, and finds the clinics of the given keys.
import { allOperations, type Operation } from '@clinic-data/contract'
import { hashKey } from '@clinic-data/contract/key'
import { portForms, portPaths } from '@clinic-data/contract/port'
import { ClinicUnderTest, type PortPrincipal } from './clinic-under-test.ts'
import { NoAnswer, type PortCaller } from './port-caller.ts'
import type { Ground, Side } from './rule.ts'
import { isTimeZone } from './rules/key-rules.ts'
import { parsed } from './rules/port-rules.ts'
import { Subjects } from './subjects.ts'

export interface GroundOptions {
  /** An API key of a clinic with test data. */
  key: string
  /** A key of a second clinic, for the rules of isolation. */
  otherKey?: string | undefined
  /** Default: the contract's. */
  operations?: readonly Operation[]
  now?: () => Date
}

/** The kit was given something that it cannot use: no backend at the address, a wrong token, an unknown key. */
export class Unusable extends Error {}

/** @throws Unusable */
export async function prepareGround(port: PortCaller, options: GroundOptions): Promise<Ground> {
  await requireReachable(port)
  const { operations = allOperations, now = () => new Date(), key, otherKey } = options
  const principal = await principalOf(port, key, 'the given key')
  const other = otherKey === undefined ? null : await principalOf(port, otherKey, 'the other given key')
  if (principal && other && principal.clinic.clinic_id === other.clinic.clinic_id) {
    throw new Unusable('both keys belong to the same clinic: the other one must be of a second clinic')
  }
  const sideOf = (one: PortPrincipal | null): Side | null => {
    const clinic = one && new ClinicUnderTest(port, one)
    return clinic && { clinic, subjects: new Subjects(clinic, operations, now) }
  }
  const anew = (): Ground => ({
    port,
    operations,
    keyHash: hashKey(key),
    now,
    anew,
    side: sideOf(principal),
    otherSide: sideOf(other),
  })
  return anew()
}

async function requireReachable(port: PortCaller): Promise<void> {
  const reply = await port.call(portPaths.ready, { method: 'GET' }).catch((error: unknown) => {
    if (error instanceof NoAnswer) throw new Unusable(`the backend cannot be reached: ${error.message}`)
    throw error
  })
  if (reply.status === 401) throw new Unusable('the backend refuses the token')
}

/** Null when the backend does not answer in the agreed form: a rule reports that. */
async function principalOf(port: PortCaller, key: string, which: string): Promise<PortPrincipal | null> {
  const reply = await port.call(portPaths.authenticate, { body: { key_hash: hashKey(key) } }).catch(() => null)
  const body = reply && parsed(reply)
  if (reply?.status !== 200 || !portForms.authenticateAnswer.accepts(body)) return null
  const { principal } = body
  if (principal === null)
    throw new Unusable(`the backend knows no valid key that matches ${which}: it answers that there is no principal`)
  return isTimeZone(principal.clinic.time_zone) ? principal : null
}
