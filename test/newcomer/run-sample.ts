// Runs a sample as its reader would: a shell's lines, a program, a program that does not end by itself.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Compiler } from './compiled-samples.ts'
import { nodes, pythonWithHttpx, type Reader, root } from './reader.ts'
import { count, isSkipped, leave, requireSuccess } from './sample-count.ts'
import { commandsOf, type Sample } from './sample-texts.ts'

/** The commands of a script that are not skipped, in one shell. */
export async function runShell(reader: Reader, sample: Sample): Promise<void> {
  const commands = commandsOf(sample.source).filter((command) => !isSkipped(sample, command))
  if (commands.length === 0) return
  const script = commands.join('\n')
  const isOfOperator = /\bclinicd\b|npx --no/.test(script)
  const source = isOfOperator ? operatorsForm(reader, script) : script
  const outcome = await reader.shell(source, isOfOperator ? root : reader.folder)
  requireSuccess({ ...sample, source }, outcome)
  for (const [, status] of outcome.stdout.matchAll(/\n(\d{3})$/gm))
    assert.ok(Number(status) < 300, `${sample.place}\n${outcome.stdout}`)
  for (const _ of commands) count(`of ${sample.place.split(' ')[0]}`)
}

/** An operator's line, with the demo's folder and the fixtures of the importer. */
function operatorsForm({ demo }: Reader, script: string): string {
  const bundles = join(dirname(demo.dataDir), 'bundles')
  mkdirSync(bundles, { recursive: true })
  const resource = { resourceType: 'Patient', id: 'b1', name: [{ family: 'Levi', given: ['Noa'] }] }
  writeFileSync(
    join(bundles, 'one.json'),
    JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: [{ resource }] }),
  )
  return `export DATA_DIR='${demo.dataDir}' PATH="${join(root, 'node_modules/.bin')}:$PATH"\n${script.replaceAll('path/to/bundles', bundles)}`
}

export async function clinicd(reader: Reader, words: string): Promise<string> {
  return (await reader.shell(operatorsForm(reader, `npx --no -- clinicd ${words}`), root)).stdout
}

/** A whole program, or lines that go on from the client that `makesClient` makes. Without Python it is counted as not run. */
export async function runPython(reader: Reader, sample: Sample, makesClient: string): Promise<void> {
  const found = pythonWithHttpx(dirname(reader.demo.dataDir))
  if ('missing' in found) return leave(`${sample.place}, Python: ${found.missing}`)
  const isWhole = /ClinicDataClient\(/.test(sample.source) || !/\bclient\./.test(sample.source)
  const source = isWhole ? sample.source : `${makesClient}\n${sample.source}`
  requireSuccess(sample, await reader.python(found.python, source))
  count('Python')
}

/** A whole program in a language that is compiled. Without its compiler it is counted as not run. */
export async function runCompiled(reader: Reader, sample: Sample, compiler: Compiler): Promise<void> {
  if (!compiler.isInstalled) return leaveCompiled(sample, compiler)
  for (const outcome of await reader.compiledEach(compiler, [sample.source])) requireSuccess(sample, outcome)
  count(compiler.language)
}

export function leaveCompiled({ place }: Sample, { language, program }: Compiler): void {
  leave(`${place}, ${language}: ${program} is not installed`)
}

/** A program that runs until it is stopped is stopped when it has said that it runs. */
export async function runExample(reader: Reader, sample: Sample, version: string): Promise<void> {
  const isEndless = /node (follow|receive|keep)-/.test(sample.source)
  const command = isEndless
    ? `exec 3< <(${sample.source.replace('node ', 'exec node ')}); running=$!; head -n 1 <&3; kill $running`
    : sample.source
  const outcome = await reader.shell(command)
  requireSuccess(sample, outcome)
  if (sample.source.includes('node ')) assert.notEqual(outcome.stdout, '', sample.source)
  count(`of examples/ on ${version}`)
}

/** A whole program, or lines that go on from the client of the install page, which `makesClient` makes. */
export async function runProgram(reader: Reader, sample: Sample, makesClient: string): Promise<void> {
  const isWhole = /new ClinicDataClient\(|^import /m.test(sample.source)
  const preamble = 'const cursor = (await client.events.list()).resume_cursor\n'
  const source = isWhole
    ? sample.source
    : `${makesClient}\n${sample.source.includes('cursor,') ? preamble : ''}${sample.source}`
  for (const program of sample.language === 'ts' ? [process.execPath] : nodes()) {
    requireSuccess(sample, await reader.node(program, source, sample.language === 'ts' ? 'ts' : 'mjs'))
    count(`of ${sample.place}`)
  }
}
