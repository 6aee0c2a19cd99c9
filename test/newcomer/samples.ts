// Every sample that a reader meets, run against a demo clinic as `npm start` makes it: those of the reference in each language, the
// guides, the READMEs, `docs/` and the help of `sc`. Run by `npm run test:newcomer`: it needs the package registries and minutes.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { allOperations, operations } from '@clinic-data/contract'
import { filledPath } from '@clinic-data/contract/routes'
import { compilers } from './compiled-samples.ts'
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
import { clinicd, leaveCompiled, runCompiled, runExample, runProgram, runPython, runShell } from './run-sample.ts'
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
/** And the one that the samples in Python use. */
let makesPythonClient = ''

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
    ofGuides.find(({ place, source }) => place === '/docs/install' && /apiKey: process\.env/.test(source))?.source ?? ''
  makesPythonClient =
    /^import os[\s\S]*?ClinicDataClient\(.*\)$/m.exec(
      ofGuides.find(({ place, source }) => place === '/docs/install' && /^client = ClinicDataClient\(/m.test(source))
        ?.source ?? '',
    )?.[0] ?? ''
})
after(() => {
  rmSync(folder, { recursive: true, force: true })
  tell()
})

/** Each language is another reader: with a new demo clinic. */
async function withReader(
  work: (reader: Reader) => Promise<void> | void,
  withThisNode = false,
  folderOf = mkdtempSync(join(place, 'reader-')),
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
  for (const language of ['curl', 'client', 'clinic_data', 'go', 'csharp', 'sc'])
    assert.deepEqual(shown(language), all, language)
})

const python = () => pythonWithHttpx(folder)

// Readers wait more than they compute.
suite('readers', { concurrency: 2 }, () => {
  for (const program of nodes()) {
    const isOwn = program !== process.execPath
    const version = versionOf(program)
    test(`the lines of examples/README.md run on Node.js ${version}`, () => {
      const copy = join(folder, `examples-${version}`)
      cpSync(join(root, 'examples'), copy, { recursive: true, filter: (path) => !path.includes('node_modules') })
      return withReader(
        (reader) => {
          const samples = fencedSamples('examples/README.md', readFileSync(join(copy, 'README.md'), 'utf8'))
          return each(samples.flatMap(linesOf), async (sample) => {
            // The inspector is large, and brings no other Node.js.
            if (!isOwn && sample.source.startsWith('npx ')) return
            if (!isSkipped(sample, sample.source)) await runExample(reader, sample, version)
          })
        },
        !isOwn,
        copy,
      )
    })
  }

  test('the samples of guides, READMEs and docs run', () =>
    withReader(async (reader) => {
      const mint = async () =>
        JSON.parse(await clinicd(reader, 'ingest-tokens mint --clinic demo --json')) as Record<string, string>
      const [{ token = '' }, { id: spare = '' }] = [await mint(), await mint()]
      writeFileSync(join(reader.folder, 'call.ogg'), 'OggS')
      writeFileSync(join(reader.folder, 'key.txt'), reader.demo.key)
      const files = markdownFiles().flatMap((file) => fencedSamples(file, readFileSync(join(root, file), 'utf8')))
      await each([...ofGuides, ...files], async (sample) => {
        if (/^(json|http|)$/.test(sample.language)) return
        const compiler = compilers[sample.language]
        if ((compiler || sample.language === 'java') && isSkipped(sample, sample.source)) return
        if (/^(sh|bash|curl|sc)$/.test(sample.language))
          await runShell(reader, {
            ...sample,
            source: sample.source.replaceAll('$TOKEN', token).replaceAll('<token id>', spare),
          })
        else if (/^(clinic_data|python)$/.test(sample.language)) await runPython(reader, sample, makesPythonClient)
        else if (compiler) await runCompiled(reader, sample, compiler)
        else if (/^(js|ts|client)$/.test(sample.language)) {
          if (!isSkipped(sample, sample.source)) await runProgram(reader, sample, makesClient)
        } else assert.fail(`${sample.place}: how is ${sample.language} run?`)
      })
    }))

  test('curl: every sample answers the status and the form that stand beside it, and may be pasted again', () =>
    withReader(async (reader) => {
      await each(inLanguage('curl'), async (sample) => {
        const outcome = await reader.shell(sample.source)
        requireSuccess(sample, outcome)
        const { status, body } = answerOf(outcome)
        assert.equal(status, sample.status, `${sample.place}: ${JSON.stringify(body)}`)
        assert.deepEqual(formFaults(sample.answer, body), [], sample.place)
        count('curl')
      })
      await each(inLanguage('curl'), async (sample) => {
        const { status, body } = answerOf(await reader.shell(sample.source))
        // A sample may have deleted it.
        const isFine = status < 300 || (status === 404 && sample.operation === 'webhooks-delete')
        assert.ok(isFine, `${sample.place}, pasted again: ${status} ${JSON.stringify(body)}`)
      })
    }))

  for (const program of nodes()) {
    const version = versionOf(program)
    test(`TypeScript: every sample runs on Node.js ${version}, and finds data in the documented form`, () =>
      withReader(async (reader) => {
        const samples = inLanguage('client')
        const shows = ({ source }: Sample) => /const \{ data \}/.test(source)
        const printing = '\nconsole.log(JSON.stringify({ data }))'
        const programs = samples.map((one) => `${makesClient}\n${one.source}${shows(one) ? printing : ''}`)
        const outcomes = await reader.nodeEach(program, programs)
        await each(samples, (sample, position) => {
          const outcome = outcomes[position] ?? assert.fail(sample.place)
          requireSuccess(sample, outcome)
          if (shows(sample))
            assert.deepEqual(formFaults({ data: sample.answer?.data }, JSON.parse(outcome.stdout)), [], sample.place)
          else if (sample.source.includes('console.log'))
            assert.notEqual(outcome.stdout, '', `${sample.place} found no row`)
          count(`TypeScript on ${version}`)
        })
      }))
  }

  test('Python: every sample runs, and finds data in the documented form', (t) => {
    const found = python()
    if ('missing' in found) {
      t.diagnostic(`Python with httpx is missing: ${found.missing}`)
      for (const { place } of inLanguage('clinic_data')) leave(`${place}, Python: ${found.missing}`)
      return
    }
    return withReader(async (reader) => {
      const samples = inLanguage('clinic_data')
      const named = ({ source }: Sample) => /^(?:answer|rows)(?= = )/m.exec(source)?.[0]
      const programs = samples.map((one) => {
        const name = named(one)
        return `${makesPythonClient}\n${one.source}${name ? `\nimport json\nprint(json.dumps({"data": ${name}}))` : ''}`
      })
      const outcomes = await reader.pythonEach(found.python, programs)
      await each(samples, (sample, position) => {
        const outcome = outcomes[position] ?? assert.fail(sample.place)
        requireSuccess(sample, outcome)
        if (named(sample))
          assert.deepEqual(formFaults({ data: sample.answer?.data }, JSON.parse(outcome.stdout)), [], sample.place)
        else if (sample.source.includes('print(')) assert.notEqual(outcome.stdout, '', `${sample.place} found no row`)
        count('Python')
      })
    })
  })

  for (const [label, compiler] of Object.entries(compilers))
    test(`${compiler.language}: every sample compiles and runs, and answers in the documented form`, () => {
      const samples = inLanguage(label)
      if (!compiler.isInstalled) {
        for (const sample of samples) leaveCompiled(sample, compiler)
        return
      }
      return withReader(async (reader) => {
        const sources = samples.map(({ source }) => source)
        const outcomes = await reader.compiledEach(compiler, sources, { DELIVERY_ID: await aDelivery(reader) })
        await each(samples, (sample, position) => {
          const outcome = outcomes[position] ?? assert.fail(sample.place)
          requireSuccess(sample, outcome)
          const body = outcome.stdout.trim() === '' ? null : JSON.parse(outcome.stdout)
          assert.deepEqual(formFaults(sample.answer, body), [], sample.place)
          count(compiler.language)
        })
      })
    })

  test('sc: every sample runs, and shows data', () =>
    withReader((reader) =>
      each(inLanguage('sc'), async (sample) => {
        const outcome = await reader.shell(sample.source)
        requireSuccess(sample, outcome)
        if (sample.answer !== null) assert.notEqual(outcome.stdout, '', `${sample.place} shows nothing`)
        count('sc')
      }),
    ))

  test('the examples in the help of sc run', () =>
    withReader(async (reader) => {
      writeFileSync(join(reader.folder, 'key.txt'), reader.demo.key)
      writeFileSync(join(reader.folder, 'lead.json'), '{"first_name":"Dana","phone":"052-765-4321","source":"website"}')
      requireSuccess(
        { place: 'a profile', language: 'sc', source: '' },
        await reader.shell('sc login --profile haifa --key-stdin < key.txt'),
      )
      const known = new Set(inLanguage('sc').map(({ source }) => source))
      const commands = JSON.parse((await reader.shell('sc schema')).stdout).commands as { path: string[] }[]
      assert.ok(commands.length > 40)
      const samples: Sample[] = []
      for (const { path } of commands) {
        const words = ['sc', ...path].join(' ')
        const shown = helpSamples(`${words} --help`, (await reader.shell(`sc help ${path.join(' ')}`)).stdout)
        assert.ok(shown.length > 0 || words === 'sc help', words)
        samples.push(...shown.filter(({ source }) => !known.has(source)))
      }
      await each(samples, (sample) => runShell(reader, sample))
    }))
})

test('no entry of the samples that are not run has lost its sample', () => {
  assert.deepEqual(
    skipped.filter((entry) => !usedSkips.has(entry)),
    [],
  )
})

/** The id that a reader of the sample takes from the log of deliveries. */
async function aDelivery({ demo }: Reader): Promise<string> {
  const path = filledPath(
    operations['webhooks.deliveries.list'],
    operations['webhooks.deliveries.retry'].example.params,
  )
  const answer = await fetch(demo.baseUrl + path, { headers: { authorization: `Bearer ${demo.key}` } })
  const { data } = (await answer.json()) as { data: { id: string }[] }
  return data[0]?.id ?? assert.fail('the log has no delivery')
}

function versionOf(program: string): string {
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim()
}

function linesOf(sample: Sample): Sample[] {
  return commandsOf(sample.source).map((source) => ({ ...sample, source }))
}
