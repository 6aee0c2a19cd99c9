// Whether a process runs, whoever started it.

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs as another user, whom we may not signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
