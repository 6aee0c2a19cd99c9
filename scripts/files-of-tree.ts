// The files of a working tree: those that git tracks or would, as far as they are there.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'

export function filesOfTree(root: string): string[] {
  const argv = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', argv, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const isFile = (file: string) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile() ?? false
  return listed.split('\0').filter((file) => file !== '' && isFile(file))
}
