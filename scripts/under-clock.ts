// Runs a command, and all that it starts, with the machine's clock at another time. Time passes as usual. It needs Linux, root and
// Debian's `faketime` and `gcc`. The library is loaded into every process below by a file that only these processes see.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

const LIBRARY = '/usr/lib/*/faketime/libfaketime.so.1'
const WAITS = join(import.meta.dirname, 'under-clock.c')
/** Lays a folder in memory over `/etc`, in a mount namespace of its own: the machine's own files stay as they are. */
const SCRIPT = `set -e
  over=$(mktemp -d)
  mount -t tmpfs none "$over"
  mkdir "$over/upper" "$over/work"
  mount -t overlay overlay -o "lowerdir=/etc,upperdir=$over/upper,workdir=$over/work" /etc
  gcc -shared -fPIC -o "$over/waits.so" "$3"
  echo "$1" > /etc/faketimerc
  printf '%s\\n' "$over/waits.so" "$2" > /etc/ld.so.preload
  shift 3
  exec "$@"`

/**
 * @param clock - an instant, `2028-02-29T10:00:00Z`.
 * @returns the command's exit code.
 */
export function underClock(clock: string, command: string, argv: readonly string[], environment: object): number {
  const [library] = globSync(LIBRARY)
  const seconds = Math.round((Date.parse(clock) - Date.now()) / 1000)
  if (Number.isNaN(seconds)) throw new Error(`${clock} is no instant, such as 2028-02-29T10:00:00Z`)
  if (library === undefined || process.getuid?.() !== 0)
    throw new Error("another time of the clock needs root, and Debian's packages faketime and gcc")
  // An offset, because an absolute time would begin anew in each process.
  const offset = `${seconds < 0 ? '' : '+'}${seconds}`
  const { status } = spawnSync(
    'unshare',
    ['--mount', 'bash', '-c', SCRIPT, 'bash', offset, library, WAITS, command, ...argv],
    {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    },
  )
  return status ?? 1
}
