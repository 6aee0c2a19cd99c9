// The Redis of the files for containers: it starts as they say, with a password, and in Kubernetes it answers by TLS alone.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { freePort } from '@clinic-data/testing/free-port'
import { isReady, redisProgram } from '@clinic-data/testing/programs/redis-server'
import { parse, parseAllDocuments } from 'yaml'

const deploy = join(import.meta.dirname, '../../deploy')
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')
const skip = redisProgram === undefined ? 'neither redis-server nor valkey-server is installed' : false
const PASSWORD = 'a-password-of-a-test'

const composed: string[] = parse(read('compose/compose.yaml'), { merge: true }).services.redis.command
const [inKubernetes] = parseAllDocuments(read('kubernetes/data.yaml'))
  .map((document) => document.toJS())
  .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'redis')

/** What a server answers to some lines, until it ends the connection. */
async function answered(port: number, lines: readonly string[], ca?: string): Promise<string> {
  const socket = ca === undefined ? connect(port, '127.0.0.1') : connectTls({ port, ca, servername: 'redis' })
  socket.end([...lines, 'QUIT', ''].join('\r\n'))
  return text(socket).catch((error: NodeJS.ErrnoException) => String(error.code))
}

for (const [where, words, isEncrypted] of [
  ['compose', composed.map((word) => word.replaceAll('$$', '$')), false],
  ['Kubernetes', inKubernetes.spec.template.spec.containers[0].command as string[], true],
] as const)
  test(`the Redis of ${where} answers whoever has its password`, { skip }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'clinicd-redis-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const { key, cert } = makeCertificate({ names: ['redis'] })
    writeFileSync(join(folder, 'tls.key'), key)
    writeFileSync(join(folder, 'tls.crt'), cert)
    writeFileSync(join(folder, 'valkey-server'), `#!/bin/sh\nexec ${redisProgram} "$@"\n`, { mode: 0o755 })
    const port = await freePort()
    const [program = '', ...argv] = words.map((word) => {
      const here = word.replaceAll('/etc/clinicd', folder)
      return isEncrypted ? here.replace('tls-port 6379', `tls-port ${port}`) : here.replace('save ""', `port ${port}`)
    })
    const env = { PATH: `${folder}:${process.env.PATH}`, REDIS_PASSWORD: PASSWORD }
    const server = spawn(program, argv, { cwd: folder, env })
    const ended = once(server, 'exit')
    t.after(async () => {
      server.kill('SIGKILL')
      await ended
    })
    await isReady(server)
    const authority = isEncrypted ? cert : undefined
    assert.match(await answered(port, [`AUTH ${PASSWORD}`, 'PING'], authority), /\+PONG/)
    assert.match(await answered(port, ['PING'], authority), /NOAUTH/)
    if (isEncrypted) assert.doesNotMatch(await answered(port, [`AUTH ${PASSWORD}`, 'PING']), /PONG/)
  })

test('in Kubernetes each address of a server names the certificate that is mounted, and both servers have it', () => {
  const addresses = [...read('kubernetes/kustomization.yaml').matchAll(/(?:REDIS|DATABASE)_URL="(\S+)"/g)]
  assert.equal(addresses.length, 2)
  for (const [, address = ''] of addresses) assert.match(address, /\?(.*&)?sslrootcert=\/etc\/clinicd\/data\.pem$/)
  for (const file of ['gateway', 'backend', 'dispatcher', 'migrate/job']) {
    const [pods] = parseAllDocuments(read(`kubernetes/${file}.yaml`)).map((document) => document.toJS())
    const { containers, volumes } = pods.spec.template.spec
    const { name } = containers[0].volumeMounts.find(
      ({ mountPath }: { mountPath: string }) => mountPath === '/etc/clinicd',
    )
    const { secret } = volumes.find((volume: { name: string }) => volume.name === name)
    assert.deepEqual(secret.items, [{ key: 'tls.crt', path: 'data.pem' }], file)
    assert.equal(secret.optional, true, file)
  }
  assert.match(read('kubernetes/data.yaml'), /ssl=on/)
})
