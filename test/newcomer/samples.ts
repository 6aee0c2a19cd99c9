// Every sample that a reader meets, run against a demo clinic as `npm start` makes it: those of the reference in each language, the
// guides, the READMEs, `docs/` and the help of `sc`. Run by `npm run test:newcomer`: it needs the package registries and minutes.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { allOperations } from '@clinic-data/contract'
import {
  installPackages,
  markdownFiles,
  nodes,
  type Outcome,
  pythonWithHttpx,
  Reader,
  root,
  startDemo,
} from './reader.ts'
import { count, each, isSkipped, leave, requireSuccess, tell, usedSkips } from './sample-count.ts'
import {
  commandsOf,
  fencedSamples,
  formFaults,
  guideSamples,
  helpSamples,
  linkedPages,
  type OperationSample,
  operationSamples,
  type Sample,
} from './sample-texts.ts'
import { skipped } from './skipped-samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'samples-'))
let place: string
const ofOperations: OperationSample[] = []
const ofGuides: Sample[] = []
/** How the install page makes the client that the samples in TypeScript use. */
let makesClient = ''

before(async () => {
  place = installPackages(folder)
  await withReader(async (reader) => {
    const known = new Map<string, string>()
    const ahead = ['/docs']
    for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
      const body = await (await fetch(reader.demo.baseUrl + path)).text()
      known.set(path, body.replaceAll(reader.demo.baseUrl, 'http://127.0.0.1:8080'))
      ahead.push(...linkedPages(body).filter((one) => !known.has(one) && !ahead.includes(one)))
    }
    // In the order in which the contents list them.
    const order = linkedPages(known.get('/docs') ?? '')
    for (const path of order) {
      ofOperations.push(...operationSamples(path, known.get(path) ?? ''))
      ofGuides.push(...guideSamples(path, known.get(path) ?? ''))
    }
  })
  makesClient =
    ofGuides.find(({ place, source }) => place === '/docs/install' && /new ClinicDataClient\(/.test(source))?.source ??
    ''
})
after(() => {
  rmSync(folder, { recursive: true, force: true })
  tell()
})

/** Each language is another reader: with a new demo clinic. */
async function withReader(
  work: (reader: Reader) => Promise<void> | void,
  withThisNode = false,
  folderOf = place,
): Promise<void> {
  const demo = await startDemo(folder)
  try {
    await work(new Reader(demo, folderOf, withThisNode))
  } finally {
    await demo.stop()
  }
}

const inLanguage = (language: string) => ofOperations.filter((sample) => sample.language === language)

/** curl's output: the body, and the status behind it. */
function answerOf({ stdout }: Outcome): { status: number; body: unknown } {
  const end = stdout.lastIndexOf('\n')
  const text = stdout.slice(0, end)
  return { status: Number(stdout.slice(end + 1)), body: text === '' ? null : JSON.parse(text) }
}

test('every operation has a sample in each language', () => {
  const shown = (language: string) =>
    inLanguage(language)
      .map(({ operation }) => operation)
      .sort()
  const all = allOperations.map(({ id }) => id.replaceAll(/[._]/g, '-')).sort()
  for (const language of ['curl', 'client', 'httpx', 'sc']) assert.deepEqual(shown(language), all, language)
})

test('curl: every sample answers the status and the form that stand beside it, and may be pasted again', () =>
  withReader((reader) => {
    each(inLanguage('curl'), (sample) => {
      const outcome = reader.shell(sample.source)
      requireSuccess(sample, outcome)
      const { status, body } = answerOf(outcome)
      assert.equal(status, sample.status, `${sample.place}: ${JSON.stringify(body)}`)
      assert.deepEqual(formFaults(sample.answer, body), [], sample.place)
      count('curl')
    })
    each(inLanguage('curl'), (sample) => {
      const { status, body } = answerOf(reader.shell(sample.source))
      // What a sample deleted is gone.
      const isFine = status < 300 || (status === 404 && sample.operation === 'webhooks-delete')
      assert.ok(isFine, `${sample.place}, pasted again: ${status} ${JSON.stringify(body)}`)
    })
  }))

for (const program of nodes()) {
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim()
  test(`TypeScript: every sample runs on Node.js ${version}, and finds data in the documented form`, () =>
    withReader((reader) => {
      each(inLanguage('client'), (sample) => {
        const shows = /const \{ data \}/.test(sample.source) ? '\nconsole.log(JSON.stringify({ data }))' : ''
        const outcome = reader.node(program, `${makesClient}\n${sample.source}${shows}`)
        requireSuccess(sample, outcome)
        if (shows)
          assert.deepEqual(formFaults({ data: sample.answer?.data }, JSON.parse(outcome.stdout)), [], sample.place)
        else if (sample.source.includes('console.log'))
          assert.notEqual(outcome.stdout, '', `${sample.place} found no row`)
        count(`TypeScript on ${version}`)
      })
    }))
}

const python = () => pythonWithHttpx(folder)

test('Python: every sample runs with httpx, and prints data', (t) => {
  const found = python()
  if ('missing' in found) t.diagnostic(`Python with httpx is missing: ${found.missing}`)
  return withReader((reader) => {
    each(inLanguage('httpx'), (sample) => {
      const outcome = runPython(reader, sample)
      if (outcome && sample.answer !== null) assert.match(outcome.stdout, /^[[{].{3}/, `${sample.place} found no row`)
    })
  })
})

test('sc: every sample runs, and shows data', () =>
  withReader((reader) => {
    each(inLanguage('sc'), (sample) => {
      const outcome = reader.shell(sample.source)
      requireSuccess(sample, outcome)
      if (sample.answer !== null) assert.notEqual(outcome.stdout, '', `${sample.place} shows nothing`)
      count('sc')
    })
  }))

test('the examples in the help of sc run', () =>
  withReader((reader) => {
    writeFileSync(join(place, 'key.txt'), reader.demo.key)
    writeFileSync(join(place, 'lead.json'), '{"first_name":"Dana","phone":"052-765-4321","source":"website"}')
    requireSuccess(
      { place: 'a profile', language: 'sc', source: '' },
      reader.shell('sc login --profile haifa --key-stdin < key.txt'),
    )
    const known = new Set(inLanguage('sc').map(({ source }) => source))
    const commands = JSON.parse(reader.shell('sc schema').stdout).commands as { path: string[] }[]
    assert.ok(commands.length > 40)
    const samples = commands.flatMap(({ path }) => {
      const words = ['sc', ...path].join(' ')
      const shown = helpSamples(`${words} --help`, reader.shell(`sc help ${path.join(' ')}`).stdout)
      assert.ok(shown.length > 0 || words === 'sc help', words)
      return shown.filter(({ source }) => !known.has(source))
    })
    each(samples, (sample) => runShell(reader, sample))
  }))

test('the samples of guides, READMEs and docs run', () =>
  withReader((reader) => {
    const mint = () => JSON.parse(clinicd(reader, 'ingest-tokens mint --clinic demo --json')) as Record<string, string>
    const [{ token = '' }, { id: spare = '' }] = [mint(), mint()]
    writeFileSync(join(place, 'call.ogg'), 'OggS')
    writeFileSync(join(place, 'key.txt'), reader.demo.key)
    const files = markdownFiles().flatMap((file) => fencedSamples(file, readFileSync(join(root, file), 'utf8')))
    each([...ofGuides, ...files], (sample) => {
      if (/^(json|http|)$/.test(sample.language)) return
      if (/^(sh|bash|curl|sc)$/.test(sample.language))
        runShell(reader, {
          ...sample,
          source: sample.source.replaceAll('$TOKEN', token).replaceAll('<token id>', spare),
        })
      else if (/^(httpx|python)$/.test(sample.language)) runPython(reader, sample)
      else if (/^(js|ts|client)$/.test(sample.language)) {
        if (!isSkipped(sample, sample.source)) runProgram(reader, sample)
      } else assert.fail(`${sample.place}: how is ${sample.language} run?`)
    })
  }))

for (const program of nodes()) {
  const isOwn = program !== process.execPath
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim()
  test(`the lines of examples/README.md run on Node.js ${version}`, () => {
    const copy = join(folder, `examples-${version}`)
    cpSync(join(root, 'examples'), copy, { recursive: true, filter: (path) => !path.includes('node_modules') })
    return withReader(
      (reader) => {
        const samples = fencedSamples('examples/README.md', readFileSync(join(copy, 'README.md'), 'utf8'))
        each(samples.flatMap(linesOf), (sample) => {
          // The inspector is large, and brings no other Node.js.
          if (!isOwn && sample.source.startsWith('npx ')) return
          if (!isSkipped(sample, sample.source)) runExample(reader, sample, version)
        })
      },
      !isOwn,
      copy,
    )
  })
}

test('no entry of the samples that are not run has lost its sample', () => {
  assert.deepEqual(
    skipped.filter((entry) => !usedSkips.has(entry)),
    [],
  )
})

/** The commands of a script that are not skipped, in one shell. */
function runShell(reader: Reader, sample: Sample): void {
  const commands = commandsOf(sample.source).filter((command) => !isSkipped(sample, command))
  if (commands.length === 0) return
  const script = commands.join('\n')
  const isOfOperator = /\bclinicd\b|npx --no/.test(script)
  const source = isOfOperator ? operatorsForm(reader, script) : script
  const outcome = reader.shell(source, isOfOperator ? root : place)
  requireSuccess({ ...sample, source }, outcome)
  for (const [, status] of outcome.stdout.matchAll(/\n(\d{3})$/gm))
    assert.ok(Number(status) < 300, `${sample.place}\n${outcome.stdout}`)
  for (const _ of commands) count(`of ${sample.place.split(' ')[0]}`)
}

/** An operator's line, with the demo's folder and the fixtures of the importer. */
function operatorsForm({ demo }: Reader, script: string): string {
  const bundles = join(folder, 'bundles')
  mkdirSync(bundles, { recursive: true })
  const resource = { resourceType: 'Patient', id: 'b1', name: [{ family: 'Levi', given: ['Noa'] }] }
  writeFileSync(
    join(bundles, 'one.json'),
    JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: [{ resource }] }),
  )
  return `export DATA_DIR='${demo.dataDir}' PATH="${join(root, 'node_modules/.bin')}:$PATH"\n${script.replaceAll('path/to/bundles', bundles)}`
}

function clinicd(reader: Reader, words: string): string {
  return reader.shell(operatorsForm(reader, `npx --no -- clinicd ${words}`), root).stdout
}

/** Without Python and httpx the sample is counted as not run. */
function runPython(reader: Reader, sample: Sample): Outcome | null {
  const found = python()
  if ('missing' in found) {
    leave(`${sample.place}, Python: ${found.missing}`)
    return null
  }
  const outcome = reader.python(found.python, sample.source)
  requireSuccess(sample, outcome)
  count('Python')
  return outcome
}

function linesOf(sample: Sample): Sample[] {
  return commandsOf(sample.source).map((source) => ({ ...sample, source }))
}

/** A program that runs until it is stopped is stopped when it has said that it runs. */
function runExample(reader: Reader, sample: Sample, version: string): void {
  const isEndless = /node (follow|receive)-/.test(sample.source)
  const command = isEndless
    ? `set +o pipefail\n${sample.source.replace('node ', 'timeout 20 node ')} | head -n 1`
    : sample.source
  const outcome = reader.shell(command)
  requireSuccess(sample, outcome)
  if (sample.source.includes('node ')) assert.notEqual(outcome.stdout, '', sample.source)
  count(`of examples/ on ${version}`)
}

/** A whole program, or lines that go on from the client of the install page. */
function runProgram(reader: Reader, sample: Sample): void {
  const isWhole = /new ClinicDataClient\(|^import /m.test(sample.source)
  const given = 'const cursor = (await client.events.list()).resume_cursor\n'
  const source = isWhole
    ? sample.source
    : `${makesClient}\n${sample.source.includes('cursor,') ? given : ''}${sample.source}`
  for (const program of sample.language === 'ts' ? [process.execPath] : nodes()) {
    requireSuccess(sample, reader.node(program, source, sample.language === 'ts' ? 'ts' : 'mjs'))
    count(`of ${sample.place}`)
  }
}
