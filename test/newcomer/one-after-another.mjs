// Runs the modules that the command line names, one after another, on any Node.js ≥ 20. Of each it prints a line of JSON: what the
// module printed, and its error. A start for each of them would cost more than all of them do.
const write = process.stdout.write.bind(process.stdout)
for (const file of process.argv.slice(2)) {
  let stdout = ''
  let error = null
  process.stdout.write = (text) => {
    stdout += text
    return true
  }
  try {
    await import(file)
  } catch (thrown) {
    error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  }
  process.stdout.write = write
  write(`${JSON.stringify({ stdout, error })}\n`)
}
