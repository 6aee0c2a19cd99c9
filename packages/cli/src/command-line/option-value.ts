// Converts one word of the command line to the value that the contract expects.
import type { CliOption } from './command.ts'

export type Value = string | number | boolean | readonly Value[] | { readonly [field: string]: Value }

export type Read = { readonly value: Value } | { readonly fault: string }

/** Digits as in JSON: no `0x10`, `1e3` or blanks. */
const INTEGER = /^-?\d{1,15}$/
const NUMBER = /^-?\d{1,15}(\.\d{1,6})?$/

/**
 * Returns the value of an option, or the fault of the word.
 *
 * @example readOption({ flag: 'limit', type: 'integer', … }, '25') // { value: 25 }
 */
export function readOption({ flag, type, choices }: Pick<CliOption, 'flag' | 'type' | 'choices'>, word: string): Read {
  if (choices && !choices.includes(word)) return { fault: `--${flag} must be one of ${choices.join(', ')}` }
  switch (type) {
    case 'string':
    case 'switch':
      return { value: word }
    case 'integer':
      return INTEGER.test(word) ? { value: Number(word) } : { fault: `--${flag} must be a whole number` }
    case 'number':
      return NUMBER.test(word) ? { value: Number(word) } : { fault: `--${flag} must be a number such as 120.50` }
    case 'boolean':
      return /^(true|false)$/.test(word) ? { value: word === 'true' } : { fault: `--${flag} must be true or false` }
    case 'json':
      return readObject(flag, word)
  }
}

function readObject(flag: string, word: string): Read {
  try {
    const value: unknown = JSON.parse(word)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: value as Value }
  } catch {}
  return { fault: `--${flag} must be a JSON object such as '{"name":"value"}'` }
}
