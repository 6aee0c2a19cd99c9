// Lines of mixed directions, and texts that no font covers.
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { linesOf } from '../src/bidi-lines.ts'
import { legible } from '../src/legible.ts'

const WIDE = 10_000
const measure = (text: string) => text.length

/** The only line, as it appears from left to right. */
function seen(text: string, direction: 'ltr' | 'rtl'): string {
  const [line] = linesOf(text, { direction, width: WIDE, measure })
  return (line?.runs ?? [])
    .map((run) => (run.direction === 'rtl' ? [...run.text].reverse().join('') : run.text))
    .join('')
}

test('Hebrew runs from the right, numbers and Latin words in it from the left', () => {
  assert.equal(seen('כתר Zirconia 2', 'rtl'), 'Zirconia 2 רתכ')
  assert.equal(seen('הנחה 15% על 1,200.50 ₪', 'rtl'), '₪ 1,200.50 לע 15% החנה')
  assert.equal(seen('ביום 14/07/2026, 10:31', 'rtl'), '10:31 ,14/07/2026 םויב')
})

test('brackets open towards the beginning of their text', () => {
  assert.equal(seen('שורש (שן 36) [א]', 'rtl'), '[א] (36 ןש) שרוש')
  assert.equal(seen('כתר (e.max) בגוון', 'rtl'), 'ןווגב (e.max) רתכ')
  assert.equal(seen('Crown (כתר) A2', 'ltr'), 'Crown (רתכ) A2')
})

test('phone numbers keep their order between Hebrew words', () => {
  assert.equal(seen('טל׳ 050 123 4567 או', 'rtl'), 'וא 050 123 4567 ׳לט')
  assert.equal(seen('טל׳ +972-4-812-3456, נייד', 'rtl'), 'דיינ ,+972-4-812-3456 ׳לט')
  assert.equal(seen('טל׳ (04) 812-3456', 'rtl'), '(04) 812-3456 ׳לט')
  assert.equal(seen('חייגו *2700', 'rtl'), '*2700 וגייח')
})

test('a text of one language keeps its punctuation in a document of the other', () => {
  assert.equal(seen('Cleaning (scale & polish).', 'rtl'), 'Cleaning (scale & polish).')
  assert.equal(seen('ניקוי אבנית.', 'ltr'), '.תינבא יוקינ')
  assert.equal(seen('טיפול Invisalign.', 'ltr'), '.Invisalign לופיט')
  assert.equal(seen('Invisalign שלב א׳', 'rtl'), '׳א בלש Invisalign')
})

test('Hebrew and Arabic are drawn as separate runs, so that Arabic letters join', () => {
  const [line] = linesOf('ד״ר محمد', { direction: 'rtl', width: WIDE, measure })
  assert.deepEqual(
    line?.runs.map(({ text }) => text),
    ['محمد', 'ד״ר '],
  )
})

test('lines break at spaces, and inside a word that is wider than a line', () => {
  const lines = linesOf('one two three seventeen', { direction: 'ltr', width: 7, measure })
  assert.deepEqual(
    lines.map(({ runs }) => runs.map(({ text }) => text).join('')),
    ['one two', 'three', 'sevente', 'en'],
  )
})

test('no line is wider than its box, and no letter is lost', () => {
  const char = fc.constantFrom(...'אבגםשׁab c1(-[٣محé+0')
  fc.assert(
    fc.property(
      fc.array(char, { maxLength: 60 }),
      fc.integer({ min: 4, max: 12 }),
      fc.boolean(),
      (chars, width, isHebrew) => {
        const text = legible(chars.join(''), () => true)
        const lines = linesOf(text, { direction: isHebrew ? 'rtl' : 'ltr', width, measure })
        for (const line of lines) assert.ok(line.width <= width)
        const drawn = lines.flatMap(({ runs }) => runs.flatMap((run) => [...run.text]))
        assert.deepEqual(lettersOf(drawn), lettersOf([...text]))
      },
    ),
  )
})

function lettersOf(chars: readonly string[]): string[] {
  const open: Record<string, string> = { ')': '(', ']': '[' }
  return chars
    .map((char) => open[char] ?? char)
    .filter((char) => char !== ' ')
    .sort()
}

test('characters that the font lacks are decomposed or replaced by a visible sign', () => {
  const covers = (codePoint: number) =>
    codePoint < 0x300 || (codePoint >= 0x5d0 && codePoint <= 0x5ea) || codePoint === 0x25ca
  assert.equal(legible('ﬁne 𝐉𝐨𝐡𝐧 ㎏ ữ', covers), 'fine John kg u')
  assert.equal(legible('Smile 😀 日本', covers), 'Smile ◊ ◊◊')
  assert.equal(legible('a\ud800b \udc00', covers), 'a◊b ◊')
  assert.equal(
    legible('ﷺ', () => false),
    '◊',
  )
})

test('control and formatting characters cannot move or hide a text', () => {
  const covers = () => true
  assert.equal(legible(' line\r\nbreak\t\u0000\u2028x ', covers), 'line break x')
  assert.equal(legible('1\u202e23\u202c\u2066\u200b\u00ad4', covers), '1234')
  assert.equal(legible(`Z${'\u0301'.repeat(60)}`, covers), 'Ź\u0301')
  assert.equal(legible('\u200f \u200e', covers), '')
})
