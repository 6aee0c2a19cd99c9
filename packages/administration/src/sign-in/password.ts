// Hashes the passwords of administrators and checks them, a few at once. A stored text holds its own parameters, so that they can be
// raised later without asking anyone for a new password.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { WaitingLine } from '@clinic-data/surface/waiting-line'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/**
 * OWASP asks for this of scrypt at 32 MiB (N = 2^15, r = 8, p = 3): a guess costs an attacker that memory and some tenths of a second of a
 * processor, and a sign-in no more than a person notices.
 */
const COST = 2 ** 15
const BLOCK_SIZE = 8
const PARALLEL = 3
/** As long as the hash inside of scrypt. */
const HASH_BYTES = 32
/** RFC 8018 asks for 8 at least. With 16 no two are ever equal. */
const SALT_BYTES = 16
/** Twice of what these parameters need. A stored text that asks for more is refused. */
const MOST_MEMORY = 64 * 1024 * 1024

/** A hash costs this, as scrypt names it (RFC 7914). */
export interface PasswordCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

const USUAL: PasswordCost = { N: COST, r: BLOCK_SIZE, p: PARALLEL }

/** Whose turn a check takes. */
export interface Turn {
  /** Somebody who is signed in, or has signed in to this account in this browser. */
  isKnown: boolean
  /** The clinic of somebody who is known, the address of a stranger. */
  owner: string
}

/** One at once: the two lines take half of the threads that the process also reads files with, and 64 MiB. */
const BOUNDS = { atOnce: 1, share: 1, longest: 20 }
/** Clinics take turns. */
const known = new WaitingLine(BOUNDS)
/** Anybody makes up clinics and e-mails, so addresses take turns, and nobody who is known waits behind them. */
const strangers = new WaitingLine(BOUNDS)

const FORM = /^scrypt\$(\d{1,7})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/

/**
 * @returns `scrypt$N$r$p$salt$hash`, salt and hash in base64url.
 * @throws Problem `service-unavailable` when too many of the clinic wait.
 */
export async function hashPassword(clinic_id: string, password: string, cost = USUAL): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const options = { ...cost, maxmem: MOST_MEMORY }
  const hash = await known.run(clinic_id, () => derive(typed(password), salt, HASH_BYTES, options))
  return textOf(cost, salt.toString('base64url'), hash.toString('base64url'))
}

/** No password's: its salt and its hash are random and never the result of a derivation. */
const NOBODYS = [random(SALT_BYTES), random(HASH_BYTES)] as const

/**
 * Whether a password is the one that was stored. Without a stored one it takes as long as one of this cost, and is false.
 *
 * @throws Problem `service-unavailable` when too many of the clinic, or of the stranger's address, wait.
 */
export async function isPassword(turn: Turn, password: string, stored: string | null, cost = USUAL): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = FORM.exec(stored ?? textOf(cost, ...NOBODYS)) ?? []
  if (N === undefined) throw new Error('a stored password has another form')
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: MOST_MEMORY }
  const bytes = Buffer.from(salt, 'base64url')
  const line = turn.isKnown ? known : strangers
  const derived = await line.run(turn.owner, () => derive(typed(password), bytes, HASH_BYTES, options))
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && stored !== null
}

function textOf({ N, r, p }: PasswordCost, salt: string, hash: string): string {
  return ['scrypt', N, r, p, salt, hash].join('$')
}

/** Keyboards write one letter with its accent or as two characters. */
function typed(password: string): string {
  return password.normalize('NFKC')
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
