// Code samples of an operation for the documentation: with curl and `sc` in a shell, with the SDKs, and in Go and C# with what these
// languages bring.
import type { Operation } from '../operation.ts'
import { csharp } from '../samples/csharp.ts'
import { curl } from '../samples/curl.ts'
import { go } from '../samples/go.ts'
import { python } from '../samples/python.ts'
import { typescript } from '../samples/typescript.ts'
import { commandOf } from './commands.ts'

/** The form that reference pages know as `x-codeSamples`. */
export interface CodeSample {
  lang: 'Shell' | 'TypeScript' | 'Python' | 'Go' | 'C#'
  label: 'curl' | 'client' | 'clinic_data' | 'go' | 'csharp' | 'sc'
  source: string
}

/** The word behind a fence in Markdown. */
export const FENCES: Readonly<Record<CodeSample['lang'], string>> = {
  Shell: 'sh',
  TypeScript: 'ts',
  Python: 'python',
  Go: 'go',
  'C#': 'csharp',
}

export function codeSamples(operation: Operation): CodeSample[] {
  const [sc] = commandOf(operation).examples
  return [
    { lang: 'Shell', label: 'curl', source: curl(operation) },
    { lang: 'TypeScript', label: 'client', source: typescript(operation) },
    { lang: 'Python', label: 'clinic_data', source: python(operation) },
    { lang: 'Go', label: 'go', source: go(operation) },
    { lang: 'C#', label: 'csharp', source: csharp(operation) },
    ...(sc === undefined ? [] : [{ lang: 'Shell', label: 'sc', source: sc } as const]),
  ]
}
