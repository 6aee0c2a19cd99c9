#!/usr/bin/env node
// The command `clinic-data-conformance`. In the repository it runs from source; what is published runs from the compiled files.
import { main } from '../src/command-line.ts'

// The reader of the report may stop early (`| head`).
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await main('clinic-data-conformance', process.argv.slice(2))
