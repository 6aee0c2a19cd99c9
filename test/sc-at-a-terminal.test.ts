// `sc` and a person at a terminal: long tables in a pager, and the word of a newer version. Nothing of it in pipes.
import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readEnvironment } from '@clinic-data/cli/config'
import { ClosedPipe } from '@clinic-data/cli/process-context'
import { newFolder, type ScOptions, sc } from './sc.ts'
import { fake, json } from './sc-service.ts'

const own = JSON.parse(await readFile(join(import.meta.dirname, '../packages/cli/package.json'), 'utf8'))
const NAME = own.name
const NEWER = '999.0.0'
const DAY_MS = 24 * 3_600_000

/** The requests for the list of packages, with the header that would hold a key. */
let looks: (string | undefined)[] = []
let served: object = { data: [{ name: NAME, version: NEWER }] }
let pages = 0
/** With a folder of its own. */
let service: Awaited<ReturnType<typeof fake>> & { SC_CONFIG_DIR: string }
before(async () => {
  const answering = await fake((request, response) => {
    if (request.url === '/packages') {
      looks.push(request.headers.authorization)
      return json(response, 200, served)
    }
    pages++
    const data = Array.from({ length: 25 }, (_, at) => ({ id: `p${pages}x${at}`, first_name: 'Noa' }))
    return json(response, 200, { data, next_cursor: `page${pages}` })
  })
  service = { ...answering, SC_CONFIG_DIR: await newFolder() }
})
after(() => rm(service.SC_CONFIG_DIR, { recursive: true, force: true }))

/** Runs the command in a terminal of ten lines, whose pager keeps what it is sent. */
async function paged(words: readonly string[], { variables = {}, ...more }: ScOptions = {}, leavesAfter = 1e9) {
  const opened: string[] = []
  let shown = ''
  let isLeft = false
  const outcome = await sc(words, {
    columns: 80,
    rows: 10,
    variables: { ...service, ...variables },
    openPager: async (command) => {
      opened.push(command)
      return {
        write: async (text) => {
          if (shown.length > leavesAfter) throw new ClosedPipe()
          shown += text
        },
        end: async () => {
          isLeft = true
        },
      }
    },
    ...more,
  })
  return { ...outcome, opened, shown, isLeft }
}

test('a table that is longer than the terminal is in the pager, whole and in order, and sc waits until it is left', async () => {
  const { code, out, shown, opened, isLeft, errors } = await paged(['patients', 'list', '--limit', '25'])
  assert.deepEqual([code, out, opened, isLeft], [0, '', ['less'], true])
  assert.equal(shown.split('\n').length, 27)
  assert.match(shown, /^\S*id .*\n(?:p\d+x\d+ .*\n){25}$/)
  assert.match(errors, /^hint: there are more rows/)
  const all = await paged(['patients', 'list', '--all', '--max', '75'])
  assert.deepEqual([all.out, all.shown.split('\n').length, all.opened.length], ['', 77, 1])
})

test('a short table, JSON, CSV and a pipe have no pager', async () => {
  for (const words of [
    ['patients', 'list', '--format', 'json'],
    ['patients', 'list', '--format', 'agents'],
    ['patients', 'list', '--format', 'csv'],
  ])
    assert.deepEqual((await paged(words)).opened, [], words.join(' '))
  assert.deepEqual((await paged(['patients', 'list'], { rows: 40 })).opened, [])
  const { columns: _, ...pipe } = { columns: 80 }
  const inPipe = await sc(['patients', 'list'], {
    ...pipe,
    rows: 10,
    variables: service,
    openPager: () => assert.fail('a pager in a pipe'),
  })
  assert.equal(inPipe.code, 0)
})

test('the variables name the pager as for git, and what cannot be started is printed', async () => {
  const pagerOf = (variables: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    readEnvironment(variables, platform).pager
  assert.equal(pagerOf({}), 'less')
  assert.equal(pagerOf({ PAGER: 'more' }), 'more')
  assert.equal(pagerOf({ PAGER: 'more', SC_PAGER: 'less -S' }), 'less -S')
  for (const none of ['', 'cat', ' cat ']) {
    assert.equal(pagerOf({ PAGER: none }), null)
    assert.equal(pagerOf({ SC_PAGER: none, PAGER: 'more' }), null)
  }
  assert.equal(pagerOf({ TERM: 'dumb' }), null)
  assert.equal(pagerOf({}, 'win32'), null)
  const { out, code } = await paged(['patients', 'list'], { openPager: async () => null })
  assert.deepEqual([code, out.split('\n').length], [0, 27])
})

test('whoever leaves the pager early ends the command, and no more pages are asked for', async () => {
  pages = 0
  const { code, isLeft } = await paged(['patients', 'list', '--all'], {}, 3_000)
  assert.deepEqual([code, isLeft], [0, true])
  assert.ok(pages < 20, `${pages} pages`)
})

/** Runs a command at a terminal on a computer of its own. */
async function onComputer(act: (list: (now: number, more?: ScOptions) => ReturnType<typeof sc>) => Promise<void>) {
  const folder = await newFolder()
  looks = []
  served = { data: [{ name: NAME, version: NEWER }] }
  try {
    await act((now, { variables = {}, ...more } = {}) =>
      sc(['patients', 'list', '--limit', '3'], {
        columns: 80,
        now: () => now,
        variables: { ...service, CI: '', SC_CONFIG_DIR: folder, ...variables },
        ...more,
      }),
    )
    assert.deepEqual(
      (await readdir(folder)).filter((file) => file !== 'upgrade.json'),
      [],
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const NOTICE =
  /^hint: the service has sc 999\.0\.0, and this is .*: npm install --global http:\/\/127\.0\.0\.1:\d+\/packages\/sc\.tgz$/m

test('a newer sc is told behind the answer, once a day, and the service is asked without a key', async () => {
  await onComputer(async (list) => {
    const first = await list(1e12)
    assert.match(first.errors, NOTICE)
    assert.equal(first.code, 0)
    assert.doesNotMatch((await list(1e12 + DAY_MS - 1)).errors, NOTICE)
    assert.match((await list(1e12 + DAY_MS)).errors, NOTICE)
    assert.deepEqual(looks, [undefined, undefined])
  })
})

test('no newer version is looked for in a pipe, in JSON, in CI, or where it is switched off', async () => {
  await onComputer(async (list) => {
    for (const more of [
      { columns: undefined },
      { variables: { CI: 'true' } },
      { variables: { SC_NO_UPGRADE_NOTICE: '1' } },
    ])
      assert.doesNotMatch((await list(1e12, more as ScOptions)).errors, NOTICE)
    assert.deepEqual(looks, [])
  })
})

test('the same version, an older one and an answer of another form are silent, and are not asked for again that day', async () => {
  for (const answer of [
    { data: [{ name: NAME, version: own.version }] },
    { data: [{ name: NAME, version: '0.0.1' }] },
    { data: [{ name: NAME, version: '999.0.0\u001b[31m' }] },
    { data: [{ name: 'other', version: NEWER }] },
    { data: 5 },
    {},
  ])
    await onComputer(async (list) => {
      served = answer
      for (const hours of [0, 1]) {
        const { code, errors } = await list(1e12 + hours)
        assert.deepEqual([code, errors.replace(/^hint: there are more rows.*\n/, '')], [0, ''])
      }
      assert.equal(looks.length, 1)
    })
})

test('a broken note of the last look, and one from a time to come, do not silence it for ever', async () => {
  const folder = await newFolder()
  const list = () =>
    sc(['patients', 'list', '--limit', '3'], {
      columns: 80,
      now: () => 1e12,
      variables: { ...service, CI: '', SC_CONFIG_DIR: folder },
    })
  served = { data: [{ name: NAME, version: NEWER }] }
  try {
    for (const note of [
      '{',
      '{"looked_at":5}',
      JSON.stringify({ looked_at: new Date(1e12 + 9 * DAY_MS).toISOString() }),
    ]) {
      await writeFile(join(folder, 'upgrade.json'), note)
      assert.match((await list()).errors, NOTICE, note)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
