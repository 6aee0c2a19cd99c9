#!/usr/bin/env node
// The command `clinicd`: refuses an older Node.js in one line, then hands over to the program.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `clinicd needs Node.js 24 or later, this is ${process.versions.node}. In the repository, npm scripts bring their own.\n`,
  )
  process.exit(1)
}
const { main } = await import('../src/clinicd.ts')
await main(process.argv)
