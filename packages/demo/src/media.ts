// The demo clinic's files: recordings that sound like distant speech, and a small picture.

import { crc32, deflateSync } from 'node:zlib'
import type { FileRecord } from '@clinic-data/records/files'
import { type ClinicPlan, drawFor } from './clinic-plan.ts'
import { instantText } from './local-days.ts'
import type { Random } from './random.ts'

/** Telephone quality, one byte per sample. */
const SAMPLES_PER_SECOND = 8_000

/** The seconds of each recording. Calls share them. */
const RECORDING_SECONDS = [3, 4, 5, 6, 7, 8] as const

export type Recording = { file_id: string; seconds: number }

export const RECORDINGS: readonly Recording[] = RECORDING_SECONDS.map((seconds, i) => ({
  file_id: `recording${i + 1}`,
  seconds,
}))

export const PICTURE = { file_id: 'picture1', content_type: 'image/png' } as const

export function files(plan: ClinicPlan): FileRecord[] {
  const created_at = instantText(plan.now)
  const recordings = RECORDINGS.map(({ file_id, seconds }, i) => ({
    id: file_id,
    content_type: 'audio/wav',
    file_name: `${file_id}.wav`,
    content: recordingOf(drawFor(plan, 'sound', i), seconds),
    created_at,
  }))
  const { file_id: id, content_type } = PICTURE
  return [...recordings, { id, content_type, file_name: 'picture.png', content: picture(), created_at }]
}

/** A WAV file of a telephone call. */
export function recordingOf(draw: Random, seconds: number): Uint8Array {
  return wave(murmur(draw, seconds))
}

/** Two voices take turns: tones with overtones and a changing pitch, in syllables with pauses. */
function murmur(draw: Random, seconds: number): Uint8Array {
  const samples = new Uint8Array(seconds * SAMPLES_PER_SECOND).fill(128)
  let voice = 120
  for (let at = SAMPLES_PER_SECOND / 4; at < samples.length; ) {
    if (draw.chance(0.12)) voice = voice === 120 ? 205 : 120
    const pitch = voice * (0.85 + 0.3 * draw.next())
    const length = draw.whole(600, 2_000)
    const openness = 2 + 3 * draw.next()
    for (let i = 0; i < length && at + i < samples.length; i++) {
      const phase = (2 * Math.PI * pitch * i) / SAMPLES_PER_SECOND
      const loudness = 34 * Math.sin((Math.PI * i) / length)
      const wave = Math.sin(phase) + Math.sin(openness * phase) / 2 + Math.sin(9 * phase) / 8
      samples[at + i] = 128 + Math.round(loudness * wave)
    }
    at += length + (draw.chance(0.2) ? 3_000 : draw.whole(100, 700))
  }
  return samples
}

/** A WAV file of unsigned bytes, one channel. */
function wave(samples: Uint8Array): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(SAMPLES_PER_SECOND, 24)
  head.writeUInt32LE(SAMPLES_PER_SECOND, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

/** A PNG of a tooth: white on teal. */
function picture(): Buffer {
  const size = 64
  const rows = Array.from({ length: size }, (_, y) => {
    const row = Buffer.alloc(1 + size)
    for (let x = 0; x < size; x++) row[1 + x] = isTooth((x - 31.5) / 24, (y - 28) / 24) ? 1 : 0
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([0x2a, 0x9d, 0x8f, 0xff, 0xff, 0xff])),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A round crown above two roots. */
function isTooth(x: number, y: number): boolean {
  const crown = x * x + (y + 0.25) ** 2 * 1.6 < 0.75
  const root = y > 0 && y < 1.2 && Math.abs(Math.abs(x) - 0.42) < 0.3 - y * 0.2
  return crown || root
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
