// Makes one program of samples in Go, each of which is a whole one: a build for each would cost more than all runs do.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Go 1.24 makes random texts, which samples need. */
const MODULE = 'module samples\n\ngo 1.24\n'

export const hasGo = spawnSync('go', ['version']).status === 0

/** @returns the program's path. Its argument is the place of the sample that it runs. */
export function goProgram(folder: string, sources: readonly string[]): string {
  const files = sources.map((source, place) => {
    const file = join(folder, `sample_${place}.go`)
    writeFileSync(file, `${source}\n`)
    return file
  })
  assert.equal(execFileSync('gofmt', ['-l', ...files], { encoding: 'utf8' }), '', 'gofmt would write them otherwise')
  for (const [place, source] of sources.entries())
    writeFileSync(files[place] ?? '', source.replace('func main() {', `func sample${place}() {`))
  const names = sources.map((_, place) => `sample${place}`).join(', ')
  writeFileSync(join(folder, 'go.mod'), MODULE)
  writeFileSync(
    join(folder, 'main.go'),
    `package main\n\nimport (\n"os"\n"strconv"\n)\n\nfunc main() {\nplace, _ := strconv.Atoi(os.Args[1])\n[]func(){${names}}[place]()\n}\n`,
  )
  const built = spawnSync('go', ['build', '-o', 'samples', '.'], { cwd: folder, encoding: 'utf8' })
  assert.equal(built.status, 0, built.stderr)
  return join(folder, 'samples')
}
