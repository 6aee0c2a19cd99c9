// The token endpoint of connected apps: how long an exchange and a renewal take with many connections, and what memory the service has before
// and after them.
//
//   node bench/connect.ts [authorizations] [apps]    makes a new data folder each time; consent is given in this process
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createAdministrator } from '@clinic-data/administration/administrators'
import { createClinic } from '@clinic-data/administration/clinics'
import { createApp } from '@clinic-data/connect/apps/registered-apps'
import { allowRequest } from '@clinic-data/connect/consent/consent'
import { openApps } from '@clinic-data/connect/open-apps'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { authorizationRequest, newVerifier } from '@clinic-data/testing/grounds/authorization-request'
import { openBenchDatabase } from './bench-database.ts'
import { report } from './goal.ts'
import { answering, residentMb, serve } from './served.ts'

const [authorizations = 10_000, apps = 200] = process.argv.slice(2).map(Number)
/** Codes are good for a minute: so many are allowed, then exchanged one after another. */
const BATCH = 200
const PORT = '18590'
const baseUrl = `http://127.0.0.1:${PORT}`
/** A website keeps one connection of a person. Programs on computers have as many as there are consents. */
const REDIRECT = 'http://127.0.0.1/callback'
/** The first requests compile what all use. */
const WARM_UP = 50
/** What requests leave is collected by then. */
const SETTLED_MS = 5_000

const dataDir = await mkdtemp(join(tmpdir(), 'bench-connect-'))
const { server, owner, close } = await openBenchDatabase(dataDir)
const service = serve({ DATABASE_URL: server.ownerUrl, WORKERS: '1', PORT, ADMIN_PORT: '18591' })
try {
  await answering(`${baseUrl}/readyz`, service)
  await measure()
} finally {
  await service.stop()
  await close()
  await rm(dataDir, { recursive: true, force: true })
}

type Form = Record<string, string>
interface Pair {
  readonly access_token: string
  readonly refresh_token: string
}

async function measure(): Promise<void> {
  const allow = await consent()
  const exchanges: number[] = []
  const renewals: number[] = []
  const connected: { client_id: string; pair: Pair }[] = []
  const before = await settledMb()
  for (let done = 0; done < authorizations; done += BATCH) {
    const count = Math.min(BATCH, authorizations - done)
    const forms = await Promise.all(Array.from({ length: count }, (_, n) => allow(done + n)))
    for (const form of forms) {
      const pair = await tokens(form, exchanges)
      connected.push({ client_id: form.client_id ?? '', pair })
    }
  }
  const after = await settledMb()
  for (const { client_id, pair } of connected)
    await tokens({ grant_type: 'refresh_token', refresh_token: pair.refresh_token, client_id }, renewals)
  const end = await settledMb()
  const rows = { exchange: exchanges.slice(WARM_UP), renewal: renewals }
  process.stdout.write(`${authorizations} authorizations by ${apps} apps, one request at a time\n\n`)
  process.stdout.write('| POST /oauth/token | p50 (ms) | p99 (ms) | worst (ms) |\n|---|---|---|---|\n')
  for (const [name, values] of Object.entries(rows)) {
    const shown = [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(1))
    process.stdout.write(`| ${name} | ${shown.join(' | ')} |\n`)
  }
  const memory = [before, after, end].map((mb) => mb.toFixed(0)).join(', ')
  process.stdout.write(`\nresident memory before, after the exchanges, after the renewals (MB): ${memory}\n`)
  const worst = Math.max(...Object.values(rows).map((values) => quantile(values, 0.99)))
  report({ name: 'POST /oauth/token, p99, one at a time', value: worst, unit: 'ms', limit: { atMost: 30 } })
}

/** @returns what gives a person's yes to an app, and makes the form of its exchange. */
async function consent(): Promise<(n: number) => Promise<Form>> {
  const now = new Date()
  const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id: 'connected', name: 'Connected clinic', now })
  const person = await createAdministrator(owner, {
    clinic_id: clinic.clinic_id,
    email: 'dana@clinic.example',
    name: 'Dana Levi',
    now,
  })
  const ids: string[] = []
  for (let n = 0; n < apps; n++) {
    const made = { name: `App ${n}`, redirect_uris: [REDIRECT], authentication: 'none' as const, jwks: null, now }
    ids.push((await createApp(owner, made)).id)
  }
  const opened = openApps({ database: owner, policy: 'any', baseUrl, now: () => new Date(), log: console })
  return async (n) => {
    const client_id = ids[n % ids.length] ?? ''
    const code_verifier = newVerifier()
    const request = authorizationRequest(code_verifier, { client_id, redirect_uri: REDIRECT, scope: 'patients:read' })
    const at = {
      database: owner,
      clinic,
      administrator_id: person.id,
      now: new Date(),
      requireApproval: async () => undefined,
      record: () => undefined,
    }
    const allowed = { scopes: ['patients:read'] as const, days: 30, mint_request: randomUUID() }
    const address = await allowRequest({ apps: opened.apps, baseUrl }, at, request, allowed)
    const code = new URL(address).searchParams.get('code') ?? ''
    return { grant_type: 'authorization_code', client_id, code, code_verifier, redirect_uri: REDIRECT }
  }
}

async function tokens(form: Form, took: number[]): Promise<Pair> {
  const startedAt = performance.now()
  const answer = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const text = await answer.text()
  took.push(performance.now() - startedAt)
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
  return JSON.parse(text)
}

async function settledMb(): Promise<number> {
  await delay(SETTLED_MS)
  return residentMb(service.process)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
