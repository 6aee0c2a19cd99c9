// Reads a printed document: its paragraphs in reading order, its pages and fonts, and poppler's output for it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const A4_HEIGHT = 841.89

/** The text of each tagged paragraph, as a screen reader speaks it. The objects are readable, because the file is not compressed. */
export function paragraphsOf(pdf: Uint8Array): string[] {
  const source = Buffer.from(pdf).toString('latin1')
  const texts = source.matchAll(/\/S \/P\n\/ActualText \(((?:[^\\)]|\\.)*)\)/gs)
  return Array.from(texts, ([, escaped = '']) => textOf(escaped))
}

/** The baseline of each run of text, in points from the top of the page. */
export function baselinesOf(pdf: Uint8Array): number[] {
  const source = Buffer.from(pdf).toString('latin1')
  const scale = Number(/^(\S+) 0 0 \1 0 0 cm$/m.exec(source)?.[1])
  return Array.from(source.matchAll(/^1 0 0 1 \S+ (\S+) Tm$/gm), ([, y]) => (A4_HEIGHT - Number(y)) * scale)
}

export function countOf(pdf: Uint8Array, pattern: RegExp): number {
  return Array.from(Buffer.from(pdf).toString('latin1').matchAll(pattern)).length
}

function textOf(escaped: string): string {
  const control: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
  const plain = escaped.replace(/\\(.)/gs, (_, char: string) => control[char] ?? char)
  if (!plain.startsWith('\xfe\xff')) return plain
  return Buffer.from(plain.slice(2), 'latin1').swap16().toString('utf16le')
}

export const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0

/** The output of one of poppler's programs (`pdftotext`, `pdffonts`, `pdfinfo`). */
export function poppler(program: string, pdf: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'document-'))
  try {
    const file = join(folder, 'document.pdf')
    writeFileSync(file, pdf)
    const { status, stdout, stderr } = spawnSync(program, program === 'pdftotext' ? [file, '-'] : [file])
    if (status !== 0 || stderr.length > 0) throw new Error(`${program}: ${stderr}`)
    return stdout.toString()
  } finally {
    rmSync(folder, { recursive: true })
  }
}
