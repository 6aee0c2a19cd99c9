// Mutants of SQL and its values, of migrations, of the embedded server, and of files that survive a power cut.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an integer that does not fit into a number is refused, never rounded',
    file: 'packages/database/src/values/column-value.ts',
    from: '  if (!Number.isSafeInteger(value)) throw',
    to: '  if (!Number.isInteger(value)) throw',
    caught: { by: 'packages/database/test/reads.test.ts' },
  },
  {
    breaks: 'an instant keeps its milliseconds',
    file: 'packages/database/src/values/instant-text.ts',
    from: 'if (sign === 22) return `${text.slice(19, 22)}0`',
    to: 'if (sign === 22) return `${text.slice(19, 22)}5`',
    caught: {
      by: 'packages/database/test/instant-text.test.ts',
      test: 'the text is the same instant that PostgreSQL printed, with three decimals and an offset of hours and minutes',
    },
  },
  {
    breaks: 'an instant from before time zones is given in UTC',
    file: 'packages/database/src/values/instant-text.ts',
    from: "(offset.startsWith('-') ? -1000 : 1000)",
    to: '1000',
    caught: {
      by: 'packages/database/test/instant-text.test.ts',
      test: 'an instant whose offset has seconds is given in UTC',
    },
  },
  {
    breaks: 'a text with a lone surrogate or a NUL is refused',
    file: 'packages/database/src/values/parameter-text.ts',
    from: "!text.isWellFormed() || text.includes('\\0')",
    to: "text.includes('\\0')",
    caught: { by: 'packages/database/test/sql.test.ts', test: 'a value without an exact text is refused' },
  },
  {
    breaks: 'a text in an array is quoted',
    file: 'packages/database/src/values/parameter-text.ts',
    from: "text.replace(/[\"\\\\]/g, '\\\\$&')",
    to: "text.replace(/[\"]/g, '\\\\$&')",
    caught: { by: 'packages/database/test/sql.test.ts', test: 'any array of texts is read back unchanged' },
  },
  {
    breaks: 'an identifier is a plain name or is refused',
    file: 'packages/database/src/sql.ts',
    from: '/^[a-z_][a-z0-9_]{0,62}$/.test(name)',
    to: '/^[a-z_][a-z0-9_]{0,62}/.test(name)',
    caught: { by: 'packages/database/test/sql.test.ts', test: 'an identifier is a plain name or is refused' },
  },
  {
    breaks: 'rows are split into statements that PostgreSQL takes',
    file: 'packages/database/src/sql.ts',
    from: 'Math.floor((MAX_PARAMETERS - others) / Math.max',
    to: 'Math.ceil((MAX_PARAMETERS - others) / Math.max',
    caught: {
      by: 'packages/database/test/sql.test.ts',
      test: 'rows are split into statements of at most 65,535 values',
    },
  },
  {
    breaks: 'a statement that is composed again has its own values',
    file: 'packages/database/src/sql.ts',
    from: '      key.push(VALUE)\n      values.push(part)',
    to: '      values.push(part)',
    caught: {
      by: 'packages/database/test/sql.test.ts',
      test: 'a value and a fragment that change places give another text',
    },
  },
  {
    breaks: 'a migration that changed after it was applied is refused',
    file: 'packages/database/src/schema/migrate.ts',
    from: '  if (recorded !== undefined) throw',
    to: "  if (recorded !== undefined && recorded.checksum === '') throw",
    caught: {
      by: 'packages/database/test/migrate.test.ts',
      test: 'a migration that changed after it was applied is refused',
    },
  },
  {
    breaks: 'migrations out of order are refused',
    file: 'packages/database/src/schema/migrate.ts',
    from: 'before.id >= id',
    to: 'before.id === id',
    caught: { by: 'packages/database/test/migrate.test.ts', test: 'migrations out of order are refused' },
  },
  {
    breaks: 'an archive of a backup cannot lead out of its folder',
    file: 'packages/database/src/embedded/unpack-archive.ts',
    from: "!['', '.', '..'].includes(part)",
    to: "!['', '.'].includes(part)",
    caught: {
      by: 'packages/database/test/unpack-archive.test.ts',
      test: 'an archive that leads elsewhere, holds a link or ends too early is refused',
    },
  },
  {
    breaks: 'an archive of a backup that ends too early is refused',
    file: 'packages/database/src/embedded/unpack-archive.ts',
    from: "      if (done) throw new Error('the archive of the backup ends too early')",
    to: '      if (done) return Buffer.alloc(limit)',
    caught: {
      by: 'packages/database/test/unpack-archive.test.ts',
      test: 'an archive that leads elsewhere, holds a link or ends too early is refused',
    },
  },
  {
    breaks: 'a file of a backup is whole',
    file: 'packages/database/src/embedded/unpack-archive.ts',
    from: 'await bytes.skip(padded(size) - size)',
    to: 'await bytes.skip(BLOCK - (size % BLOCK))',
    caught: {
      by: 'packages/database/test/unpack-archive.test.ts',
      test: 'files and folders arrive whole, wherever the parts of the stream end',
    },
  },
  {
    breaks: 'programs in a folder that others can write to are not trusted',
    file: 'packages/database/src/embedded/stage-binaries.ts',
    from: '(found.mode & 0o022) === 0',
    to: '(found.mode & 0o002) === 0',
    caught: {
      by: 'packages/database/test/stage-binaries.test.ts',
      test: 'a folder that others can write to is not trusted',
    },
  },
  {
    breaks: "the copies of the server's programs are whole",
    file: 'packages/database/src/embedded/stage-binaries.ts',
    from: '    await rm(copy, { recursive: true, force: true })\n',
    to: '',
    caught: {
      by: 'packages/database/test/stage-binaries.test.ts',
      test: 'several simultaneous copies all get one whole copy, and no parts stay',
    },
  },
  {
    breaks: 'the data folder is used by one process',
    file: 'packages/database/src/embedded/folder-lock.ts',
    from: '.match(/^\\d{1,10}(?=\\n$)/)',
    to: '.match(/^.{1,10}(?=\\n$)/)',
    caught: {
      by: 'packages/database/test/embedded-walls.test.ts',
      test: 'the holder in a lock file is read as a number or as unknown',
    },
  },
  {
    breaks: "a power cut loses no new file's content",
    file: 'packages/disk/src/kept-file.ts',
    from: '      await file.sync()\n',
    to: '',
    caught: {
      by: 'packages/disk/test/kept-file.test.ts',
      test: 'a power cut loses no kept folder, no new file, no replaced file and no line',
    },
  },
  {
    breaks: "a power cut loses no new file's name",
    file: 'packages/disk/src/kept-file.ts',
    from: "process.off('exit', remove))\n  }\n  await syncFolder(dirname(path))",
    to: "process.off('exit', remove))\n  }",
    caught: {
      by: 'packages/disk/test/kept-file.test.ts',
      test: 'a power cut loses no kept folder, no new file, no replaced file and no line',
    },
  },
  {
    breaks: 'a line behind one that was broken off is a line of its own',
    file: 'packages/disk/src/kept-file.ts',
    from: 'Buffer.from(`\\n${line}\\n`)',
    to: 'Buffer.from(`${line}\\n`)',
    caught: {
      by: 'packages/operator/test/patients-erase-backups.test.ts',
      test: 'a line that was broken off is nobody’s, and the next one is read; any other line that cannot be read is a fault',
    },
  },
  {
    breaks: 'a new file does not replace another',
    file: 'packages/disk/src/kept-file.ts',
    from: '(written) => link(written, path))',
    to: '(written) => rename(written, path))',
    caught: { by: 'packages/disk/test/kept-file.test.ts', test: 'a new file does not replace another' },
  },
  {
    breaks: 'a link is replaced by the file, and its target stays',
    file: 'packages/disk/src/kept-file.ts',
    from: '(written) => rename(written, path))',
    to: "async (written) => rename(written, await import('node:fs/promises').then((fs) => fs.realpath(path).catch(() => path))))",
    caught: {
      by: 'packages/disk/test/kept-file.test.ts',
      test: 'a link is replaced by the file, and its target stays as it was',
    },
  },
  {
    breaks: 'a failed write leaves no file',
    file: 'packages/disk/src/kept-file.ts',
    from: 'await rm(written, { force: true }).finally(',
    to: 'await Promise.resolve().finally(',
    caught: { by: 'packages/disk/test/kept-file.test.ts', test: 'a failed write leaves no file' },
  },
  {
    breaks: 'a file that root makes for a service is the service’s before it has its name',
    file: 'packages/disk/src/kept-file.ts',
    from: "if (owner === 'folder' &&",
    to: "if (owner !== 'folder' &&",
    caught: {
      by: 'packages/disk/test/kept-file.test.ts',
      test: 'a file that root makes in a service’s folder is the service’s before it has its name',
    },
  },
  {
    breaks: "a kept file is its owner's alone",
    file: 'packages/disk/src/kept-file.ts',
    from: 'const FILE_MODE = 0o600',
    to: 'const FILE_MODE = 0o644',
    caught: { by: 'packages/disk/test/kept-file.test.ts' },
  },
  {
    breaks: 'a start removes what a killed one left while one of its programs still writes there',
    file: 'packages/database/src/embedded/cluster-folder.ts',
    from: ', maxRetries: 10, retryDelay: 100',
    to: '',
    caught: {
      by: 'packages/database/test/embedded-postgres.test.ts',
      test: 'a private folder gets a cluster in UTF-8 with bytewise order, under any locale',
    },
  },
]
