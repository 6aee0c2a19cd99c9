// Shows a page in the user's browser.
import { spawn } from 'node:child_process'
import type { Environment } from '../config.ts'

const PROGRAMS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` is a word of a shell, which would read the address as its own.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Resolves when the program runs, or could not be started. No shell reads the address. */
export function openBrowser(address: string, { browser }: Pick<Environment, 'browser'>): Promise<boolean> {
  const [program, ...words] = browser === null ? (PROGRAMS[process.platform] ?? ['xdg-open']) : [browser]
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
