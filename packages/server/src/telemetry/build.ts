// Which build of the program this is: its version and, in a package, the commit that it was made of.
import manifest from '../../package.json' with { type: 'json' }

/** Characters of a commit's name that are told: they name no other one. */
const SHOWN_OF_COMMIT = 12

interface Manifest {
  version: string
  /** npm's name for it. `scripts/stage-server.ts` writes it. */
  gitHead?: string
}

/** `0.2.0+b2f65437c0de`, in a clone `0.2.0`. */
export const build = buildOf(manifest)

function buildOf({ version, gitHead }: Manifest): string {
  return gitHead === undefined ? version : `${version}+${gitHead.slice(0, SHOWN_OF_COMMIT)}`
}
