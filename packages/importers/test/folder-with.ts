// A folder of files to import, removed after the tests.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'

export type Files = Readonly<Record<string, string | Buffer>>

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

/** Makes a new folder with these files; a name may lead into a folder below. */
export async function folderWith(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-data-import-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}
