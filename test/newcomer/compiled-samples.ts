// Makes one program of many samples in Go or in C#, each of which is a whole one: a build for each would cost more than all runs do.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Compiler {
  /** Readers call the language so. */
  readonly language: string
  /** The program without which nothing is compiled. */
  readonly program: string
  readonly isInstalled: boolean
  /** @returns the words that start the program. The word behind them is the place of the sample that it runs. */
  build(folder: string, sources: readonly string[]): readonly [string, ...string[]]
}

/** By the samples' labels. */
export const compilers: Readonly<Record<string, Compiler>> = {
  go: { language: 'Go', program: 'go', isInstalled: answers('go', 'version'), build: goProgram },
  // A machine that has only what runs programs in C# answers no version.
  csharp: { language: 'C#', program: 'dotnet', isInstalled: answers('dotnet', '--version'), build: csharpProgram },
}

function answers(program: string, word: string): boolean {
  return spawnSync(program, [word]).status === 0
}

/** Go 1.24 makes random texts, which samples need. */
const GO_MODULE = 'module samples\n\ngo 1.24\n'

function goProgram(folder: string, sources: readonly string[]): [string] {
  const files = sources.map((source, place) => written(folder, `sample_${place}.go`, source))
  assert.equal(execFileSync('gofmt', ['-l', ...files], { encoding: 'utf8' }), '', 'gofmt would write them otherwise')
  for (const [place, source] of sources.entries())
    written(folder, `sample_${place}.go`, source.replace('func main() {', `func sample${place}() {`))
  const names = sources.map((_, place) => `sample${place}`).join(', ')
  written(folder, 'go.mod', GO_MODULE)
  written(
    folder,
    'main.go',
    `package main\n\nimport (\n"os"\n"strconv"\n)\n\nfunc main() {\nplace, _ := strconv.Atoi(os.Args[1])\n[]func(){${names}}[place]()\n}`,
  )
  requireBuilt(folder, 'go', ['vet', '.'])
  requireBuilt(folder, 'go', ['build', '-o', 'samples', '.'])
  return [join(folder, 'samples')]
}

/** A program has its lines outside of any class once only, so each sample becomes a class. Its texts keep their lines as they are. */
function csharpProgram(folder: string, sources: readonly string[]): [string, string] {
  for (const [place, source] of sources.entries()) {
    const [imports = '', lines = ''] = source.split(/\n\n(.*)/s)
    written(
      folder,
      `Sample${place}.cs`,
      `${imports}\nusing System.Threading.Tasks;\n\nstatic class Sample${place}\n{\npublic static async Task Run()\n{\n${lines}\n}\n}`,
    )
  }
  const names = sources.map((_, place) => `Sample${place}.Run`).join(', ')
  written(
    folder,
    'Program.cs',
    `using System;\nusing System.Threading.Tasks;\n\nvar samples = new Func<Task>[] { ${names} };\nawait samples[int.Parse(args[0])]();`,
  )
  const [version] = execFileSync('dotnet', ['--version'], { encoding: 'utf8' }).split('.')
  const project = {
    OutputType: 'Exe',
    TargetFramework: `net${version}.0`,
    UseAppHost: 'false',
    // A small machine has no tables of the world's languages.
    InvariantGlobalization: 'true',
  }
  const properties = Object.entries(project).map(([name, value]) => `<${name}>${value}</${name}>`)
  written(
    folder,
    'samples.csproj',
    `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${properties.join('')}</PropertyGroup></Project>`,
  )
  requireBuilt(folder, 'dotnet', ['build', '--nologo', '--output', 'built'])
  return ['dotnet', join(folder, 'built', 'samples.dll')]
}

function written(folder: string, name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, `${text}\n`)
  return file
}

function requireBuilt(folder: string, program: string, argv: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, argv, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}\n${stderr}`)
}
