#!/usr/bin/env node
// The command `clinicd`: refuses an older Node.js in one line, then hands over to the program.
import { fileURLToPath } from 'node:url'

const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `clinicd needs Node.js 24 or later, this is ${process.versions.node}. In the repository, npm scripts bring their own.\n`,
  )
  process.exit(1)
}
// Compiled once, not at every call. Beside the dependencies, where who may write may change the program anyway.
const { enableCompileCache } = await import('node:module')
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/clinicd', import.meta.url)))
const { main } = await import('../src/clinicd.ts')
await main(process.argv)
