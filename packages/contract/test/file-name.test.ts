// The name of a file as it leaves: visible, without a path, and with an extension of its type.
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { MAX } from '../src/limits.ts'
import { safeFileName } from '../src/values/file-name.ts'
import { visibleText } from '../src/values/visible-text.ts'

for (const [name, type, safe] of [
  ['photo\u202egnp.exe', 'image/png', 'photognp.exe.png'],
  ['photo.p\u200bng', 'image/png', 'photo.png'],
  ['photo.exe', 'IMAGE/PNG; a=b', 'photo.exe.png'],
  ['photo.exe. ', 'image/png', 'photo.exe.png'],
  ['photo.exe:x.png', 'image/png', 'photo.exe_x.png'],
  ['photo.png \u2028.lnk', 'image/png', 'photo.png .lnk.png'],
  ['photo\t\r\n.png', 'image/png', 'photo.png'],
  ['..\\../a/b.pdf', 'application/pdf', '_.._a_b.pdf'],
  ['.bashrc', 'text/plain', 'bashrc.txt'],
  ['run.BAT', 'text/plain', 'run.BAT.txt'],
  ['\u202e..', 'image/png', 'file.png'],
  ['call', 'audio/x-wav', 'call.wav'],
  ['IMG.JPEG', 'image/jpeg', 'IMG.JPEG'],
  ['a.docm', 'application/msword', 'a.docm.doc'],
  ['scan.svg', 'image/svg+xml', 'scan.svg.bin'],
  ['run.exe', 'audio/exe', 'run.exe.bin'],
  ['run.exe', 'application/octet-stream', 'run.exe.bin'],
  ['jaw.stl', 'application/octet-stream', 'jaw.stl'],
  ['file', 'application/octet-stream', 'file'],
  ['שיחה 1%.wav', 'audio/wav', 'שיחה 1%.wav'],
  ['د. أحمد.pdf', 'application/pdf', 'د. أحمد.pdf'],
] as const)
  test(`${JSON.stringify(name)} of ${type} leaves as ${safe}`, () => assert.equal(safeFileName(name, type), safe))

test('a safe name is visible, short enough, without a path, and stays as it is', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('.exe', '.png', '\u202e', '/', '..', ' ', '\ud83d', '😀'.repeat(130)),
  )
  const type = fc.constantFrom('image/png', 'audio/ogg; codecs=opus', 'text/plain', 'application/octet-stream', '')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), type, (parts, contentType) => {
      const safe = safeFileName(parts.join(''), contentType)
      assert.equal(safeFileName(safe, contentType), safe)
      assert.ok(safe.length <= MAX.file_name && safe.isWellFormed(), safe)
      assert.doesNotMatch(safe, /[\p{Cc}/\\:]|^\.|\.exe$/u)
      assert.equal(visibleText(safe), safe)
      if (contentType === 'image/png') assert.match(safe, /\.png$/i)
    }),
  )
})
