// The source of a peer that is built here, in the folder that PEER_SOURCE names.
import { execFileSync } from 'node:child_process'

/** @returns its folder. @throws Error when it holds another commit than the figures are of. */
export function peerSource(commit: string): string {
  const source = process.env.PEER_SOURCE ?? ''
  const found = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: source || '/', encoding: 'utf8' }).trim()
  if (found !== commit) throw new Error(`PEER_SOURCE holds ${found}, not ${commit}`)
  return source
}
