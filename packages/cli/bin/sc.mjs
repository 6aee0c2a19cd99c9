#!/usr/bin/env node
// The command `sc` in the repository, from its source: refuses a Node.js that cannot run TypeScript in one line. What is
// published is the bundle that `scripts/bundle.ts` makes, for every Node.js from 20 on.
import { fileURLToPath } from 'node:url'

const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `sc from source needs Node.js 24 or later, this is ${process.versions.node}. In the repository, npm scripts bring their own.\n`,
  )
  process.exit(1)
}
// Compiled once, not at every call. Beside the dependencies, where who may write may change the program anyway.
const { enableCompileCache } = await import('node:module')
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/sc', import.meta.url)))
await import('../src/sc.ts')
