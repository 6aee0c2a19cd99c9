// Tests what hands type by habit: help and version in every form, and the words of an operation's id.
import assert from 'node:assert/strict'
import test from 'node:test'
import { CommanderError, parse } from '@clinic-data/cli/command-line/program'
import { allOperations } from '@clinic-data/contract'

const parsed = (line: string) => parse(line.split(' '), { columns: 80 })
const textOf = (line: string) => {
  const found = parsed(line)
  return 'text' in found ? found.text : JSON.stringify(found)
}
const pathOf = (line: string) => {
  const found = parsed(line)
  return 'call' in found ? found.call.command.path.join(' ') : JSON.stringify(found)
}

test('help and version have the forms of other programs', () => {
  for (const line of ['help', '-h', '--format json help']) assert.equal(textOf(line), textOf('--help'), line)
  for (const line of ['patients list -h', 'help patients list', '--wide help patients list'])
    assert.equal(textOf(line), textOf('patients list --help'), line)
  assert.match(textOf('help patients'), /^Usage: sc patients /)
  for (const line of ['version', '-v']) assert.equal(textOf(line), textOf('--version'), line)
})

test('the help says where a newer sc comes from', () => {
  assert.match(textOf('--help'), /npm install --global "\$SC_BASE_URL\/packages\/sc\.tgz"$/m)
})

test('the help of a command begins with its use and names the global options in one line', () => {
  for (const line of ['catalog --help', 'patients list --help', 'profiles --help']) {
    const text = textOf(line)
    assert.match(text, /^Usage: sc /)
    assert.match(text, /\nGlobal options, which sc --help explains:\n {2}--format, .*--no-retry\n/)
    assert.doesNotMatch(text, /Keep only these fields/)
  }
  assert.match(textOf('--help'), /--fields <a,b> +Keep only these fields/)
  assert.ok(textOf('catalog --help').split('\n').length < 24, 'the help of a group fits a terminal')
})

test('the options of no command are wider than the terminal, which would break their words', () => {
  for (const { id } of allOperations) {
    const text = textOf(`${id.replaceAll('_', '-').replaceAll('.', ' ')} --help`)
    const options = text
      .slice(0, text.indexOf('\nExamples:'))
      .split('\n')
      .filter((line) => line.startsWith('  '))
    const wide = options.filter((line) => line.length > 80)
    assert.deepEqual(
      wide.filter((line) => line.trim().includes('  ')),
      [],
      id,
    )
  }
})

test('help for an unknown command names what was meant', () => {
  assert.throws(
    () => parsed('help patient'),
    (error) => error instanceof CommanderError && /unknown command 'patient'.*patients/s.test(error.message),
  )
})

test('the words of every operation are a command, before or behind global options', () => {
  for (const { id, ids } of allOperations) {
    const words = id.replaceAll('_', '-').replaceAll('.', ' ')
    const pathIds = [...Object.keys(ids), ...(id === 'query.run' ? ['treatments'] : [])].map((_, i) => `x${i}`)
    assert.equal(pathOf([words, ...pathIds].join(' ')), pathOf(['--format json', words, ...pathIds].join(' ')), id)
  }
  assert.equal(pathOf('availability list --branch haifa'), 'availability')
  assert.equal(pathOf('webhooks deliveries list w1 --format json'), 'webhooks deliveries')
  assert.equal(textOf('help webhooks deliveries list'), textOf('webhooks deliveries --help'))
  assert.equal(pathOf('webhooks deliveries w1'), 'webhooks deliveries')
})
