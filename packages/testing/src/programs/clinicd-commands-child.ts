// The process of `clinicd-commands.ts`.
import { main } from '@clinic-data/server/clinicd'
import type { Command, CommandResult } from './clinicd-commands.ts'

let out = ''
let errors = ''
process.stdout.write = (text: string | Uint8Array) => {
  out += text
  return true
}
process.stderr.write = (text: string | Uint8Array) => {
  errors += text
  return true
}
// Every command listens to signals and to the output's errors.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)

let isRunning = false
process.on('message', ({ argv, environment }: Command) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) process.env[name] = value
  isRunning = true
  process.channel?.unref()
  void main(['node', 'clinicd', ...argv])
})
// Whoever asked was killed.
process.on('disconnect', () => isRunning && process.exit(1))
// Nothing of the command is open any more.
process.on('beforeExit', () => {
  if (!isRunning) return
  isRunning = false
  process.channel?.ref()
  process.send?.({ code: Number(process.exitCode ?? 0), out, errors } satisfies CommandResult)
  process.exitCode = undefined
  out = ''
  errors = ''
})
