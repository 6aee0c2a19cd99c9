// Mutants of the running service: the private listener, the console's page, background jobs, metrics, and the audit commands.
import type { Mutant } from './mutant.ts'

const OF_BACKUP = 'packages/operator/test/backup.test.ts'
const UNDER_LOAD =
  'a backup under load holds all that was answered before it, the service goes on writing, and a former secret key restores it'
const AFTER_SIGKILL =
  'after SIGKILL there is no backup, and the next one and its restore are complete, in a folder of a killed restore too'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the console answers under its own host alone',
    file: 'packages/server/src/private/named-host.ts',
    from: 'return isHere || host.toLowerCase() === new URL(consoleUrl).host',
    to: 'return isHere || host !== new URL(consoleUrl).host || true',
    caught: {
      by: 'packages/server/test/console-host.test.ts',
      test: 'under another host the page, its files and its operations are refused with a line that says what to do',
    },
  },
  {
    breaks: 'attempts under another host name lock nobody out',
    file: 'packages/server/src/private/console.ts',
    from: "routeOptions.url?.startsWith('/console') && ",
    to: "routeOptions.url?.startsWith('/console/api/sign-in/ways') && ",
    caught: {
      by: 'packages/server/test/console-host.test.ts',
      test: 'attempts under another host do not count against their sender',
    },
  },
  {
    breaks: 'a restore notices another secret key of the same name',
    file: 'packages/operator/src/backup/backup-manifest.ts',
    from: 'marks[id] !== secret_keys[id]',
    to: 'marks[id] === undefined',
    caught: {
      by: 'packages/operator/test/changed-backup.test.ts',
      test: 'another secret key of the same name does not do',
    },
  },
  {
    breaks: 'a restore takes only what the secret keys authenticate',
    file: 'packages/operator/src/backup/backup-file.ts',
    from: 'if (expected.length !== written.length || !timingSafeEqual(expected, written))',
    to: 'if (expected.length !== written.length)',
    caught: {
      by: 'packages/operator/test/changed-backup.test.ts',
      test: 'a backup that was changed is refused, although its checksum fits and whatever was changed',
    },
  },
  {
    breaks: 'a former secret key authenticates the backups of its time',
    file: 'packages/operator/src/backup/backup-file.ts',
    from: "signingKeys(secretKeys, 'backup-file').byId.get(manifest.mac_key)",
    to: "signingKeys(secretKeys, 'backup-file').current",
    caught: { by: OF_BACKUP, test: UNDER_LOAD },
  },
  {
    breaks: 'a backup holds what is written while it is made',
    file: 'packages/database/src/embedded/base-backup.ts',
    from: ", WAL true, MANIFEST 'no')",
    to: ", WAL false, MANIFEST 'no')",
    caught: { by: OF_BACKUP, test: UNDER_LOAD },
  },
  {
    breaks: 'a killed restore leaves no database',
    file: 'packages/database/src/embedded/cluster-folder.ts',
    from: 'const begun = await mkdtemp(join(dataDir, BEGUN))',
    to: "const begun = await mkdtemp(join(dataDir, 'pg-'))",
    caught: { by: OF_BACKUP, test: AFTER_SIGKILL },
  },
  {
    breaks: 'what is unpacked is what was checked',
    file: 'packages/operator/src/backup/backup-file.ts',
    from: 'pipeline(checkedBytes(backup, secretKeys), unpacked)',
    to: 'pipeline(createReadStream(backup.path, { start: backup.start, end: backup.end - 1 }), unpacked)',
    caught: {
      by: 'packages/operator/test/changed-backup.test.ts',
      test: 'a file that is exchanged after it was checked is not unpacked to its end',
    },
  },
  {
    breaks: 'a changed backup cannot pass as one of the version before',
    file: 'packages/operator/src/commands/restore.ts',
    from: 'if (!isProven && !options.unauthenticated)',
    to: 'if (false)',
    caught: {
      by: 'packages/operator/test/changed-backup.test.ts',
      test: 'a backup that was changed is refused, although its checksum fits and whatever was changed',
    },
  },
  {
    breaks: 'without its secret keys too a restore is told that nothing shows whether the file was changed',
    file: 'packages/operator/src/commands/restore.ts',
    from: 'backup.isAuthenticated && authentication !== null',
    to: 'backup.isAuthenticated',
    caught: {
      by: 'packages/operator/test/restore-without-keys.test.ts',
      test: 'it is said that the keys are lost, and that nothing shows whether the file was changed; else nothing is done',
    },
  },
  {
    breaks: 'damage of a backup shows without its secret keys',
    file: 'packages/operator/src/backup/backup-file.ts',
    from: 'createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })',
    to: 'createZstdCompress()',
    caught: {
      by: 'packages/operator/test/restore-without-keys.test.ts',
      test: 'a damaged file is refused without its keys too, and nothing is changed',
    },
  },
  {
    breaks: 'a streamed backup whose reader has ended fails',
    file: 'packages/operator/src/destination.ts',
    from: '(error ? reject(unread(made, error)) : resolve())',
    to: 'resolve()',
    caught: {
      by: 'packages/operator/test/backup-stream.test.ts',
      test: 'a reader that ends too early is told with another exit code, and what it has read is no backup',
    },
  },
  {
    breaks: 'a backup during which the tables were migrated is refused',
    file: 'packages/operator/src/backup/backup-file.ts',
    from: '  await atEnd()\n',
    to: '',
    caught: {
      by: 'packages/operator/test/backup-while-migrating.test.ts',
      test: 'a backup during which the tables were migrated is refused and leaves no file',
    },
  },
  {
    breaks: 'a backup brings no configuration',
    file: 'packages/database/src/embedded/unpack-archive.ts',
    from: 'if (!isData(name)) await',
    to: "if (name === '-') await",
    caught: {
      by: 'packages/database/test/unpack-archive.test.ts',
      test: 'only data arrive: nothing that configures the server, by whatever name, and nothing beside its folders',
    },
  },
  {
    breaks: 'a jump of the clock is logged once',
    file: 'packages/server/src/clock-jumps.ts',
    from: '    this.#before = origin\n    if (Math.abs(jump) < JUMP_MS) return',
    to: '    if (Math.abs(jump) < JUMP_MS) return',
    caught: {
      by: 'packages/server/test/clock-jumps.test.ts',
      test: 'a jump ahead and the jump back are logged once each, however often the clock is checked',
    },
  },
  {
    breaks: 'a jump back of the clock is told too',
    file: 'packages/server/src/clock-jumps.ts',
    from: 'if (Math.abs(jump) < JUMP_MS) return',
    to: 'if (jump < JUMP_MS) return',
    caught: {
      by: 'packages/server/test/clock-jumps.test.ts',
      test: 'a jump ahead and the jump back are logged once each, however often the clock is checked',
    },
  },
  {
    breaks: 'a script from elsewhere does not run in the console',
    file: 'packages/server/src/private/console-page.ts',
    from: '  "script-src \'self\'",',
    to: "  \"script-src 'self' 'unsafe-inline'\",",
    caught: {
      by: 'packages/server/test/console-page.test.ts',
      test: 'the policy lets only scripts of our own files run, and no other host is asked',
    },
  },
  {
    breaks: 'another page cannot frame the console',
    file: 'packages/server/src/private/console-page.ts',
    from: '  "frame-ancestors \'none\'",',
    to: '  "frame-ancestors \'self\'",',
    caught: {
      by: 'packages/server/test/console-page.test.ts',
      test: 'the policy lets only scripts of our own files run, and no other host is asked',
    },
  },
  {
    breaks: 'an asset comes compressed only to whoever takes that',
    file: 'packages/gateway/src/answers/encoding.ts',
    from: '/;\\s*q=0(?:\\.0*)?\\s*$/.test(one) ? [] : ',
    to: '',
    caught: {
      by: 'packages/server/test/console-page.test.ts',
      test: 'an asset is kept for ever, and comes in the shortest form that the client takes',
    },
  },
  {
    breaks: 'the page of the console is asked for anew each time',
    file: 'packages/server/src/private/console-page.ts',
    from: "'cache-control': 'no-cache'",
    to: "'cache-control': 'max-age=60'",
    caught: {
      by: 'packages/server/test/console-page.test.ts',
      test: 'every address of the console answers the page, and asks each time whether it changed',
    },
  },
  {
    breaks: 'two late processes are not twice as late',
    file: 'packages/server/src/private/summed-metrics.ts',
    from: "const UNITS_OF_LARGEST = ['s', '1']",
    to: "const UNITS_OF_LARGEST = ['1']",
    caught: {
      by: 'packages/server/test/summed-metrics.test.ts',
      test: 'of gauges in seconds and of ratios the largest counts',
    },
  },
  {
    breaks: 'a process that has ended leaves its counters',
    file: 'packages/server/src/private/summed-metrics.ts',
    from: 'dataPointType !== DataPointType.GAUGE),',
    to: 'dataPointType === DataPointType.GAUGE),',
    caught: {
      by: 'packages/server/test/summed-metrics.test.ts',
      test: 'a process that has ended leaves its counters and histograms, and no gauge',
    },
  },
  {
    breaks: 'histograms of several processes add up bucket by bucket',
    file: 'packages/server/src/private/summed-metrics.ts',
    from: 'counts.map((count, at) => count + (other.buckets.counts[at] ?? 0))',
    to: 'counts.map((count) => count + (other.buckets.counts[0] ?? 0))',
    caught: {
      by: 'packages/server/test/summed-metrics.test.ts',
      test: 'counters, histograms and gauges add up by their attributes',
    },
  },
  {
    breaks: "a failure for one clinic ends no other one's upkeep",
    file: 'packages/server/src/job.ts',
    from: '      await work(clinic).catch((error) => failures.push(error))',
    to: '      await work(clinic)',
    caught: {
      by: 'packages/server/test/background.test.ts',
      test: 'a failure for one clinic is logged, and the other clinics are still looked after',
    },
  },
  {
    breaks: 'old days of the audit log are dropped though no key asks for anything',
    file: 'packages/server/src/background.ts',
    from: 'maintainAudit(owner, auditRetentionDays)',
    to: 'maintainAudit(owner, null)',
    caught: {
      by: 'packages/server/test/background.test.ts',
      test: 'a round drops the days of the audit log beyond the retention, though no key asks for anything',
    },
  },
  {
    breaks: 'an error of several clinics tells no values in the log',
    file: 'packages/gateway/src/telemetry/log.ts',
    from: "    'err.aggregateErrors[*].detail',\n",
    to: '',
    caught: {
      by: 'packages/gateway/test/log.test.ts',
      test: 'an error in the log carries no values of its row, key or request',
    },
  },
  {
    breaks: 'the connections of a dropped login end',
    file: 'packages/database/src/schema/application-login.ts',
    from: '    await tx.query(sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${name}`)\n',
    to: '',
    caught: {
      by: 'packages/server/test/plain-owner-18.test.ts',
      test: 'with the owner alone, a login is derived from the secret keys, and the login of a removed key is dropped',
    },
  },
  {
    breaks: 'the private port tells whether the backend answers',
    file: 'packages/server/src/serve.ts',
    from: 'healthRoutes(admin, backend, {',
    to: 'healthRoutes(admin, { ready: async () => undefined }, {',
    caught: { by: 'packages/server/test/waiting.test.ts' },
  },
  {
    breaks: 'the log names the trace of a request',
    file: 'packages/server/src/serve-command.ts',
    from: '{ level, redact: redaction, mixin: traceOfLine }',
    to: '{ level, redact: redaction }',
    caught: { by: 'packages/server/test/tracing.test.ts' },
  },
  {
    breaks: 'operator commands print times as RFC 3339',
    file: 'packages/database/src/values/instant-text.ts',
    from: 'shown[column] = instant(row[column] as string | null) as Row[Column]',
    to: 'shown[column] = row[column]',
    caught: { by: 'packages/operator/test/printed-times.test.ts' },
  },
  {
    breaks: 'a database that was never backed up has an age of its backup, too',
    file: 'packages/operator/src/backup/last-backup.ts',
    from: "changedAt(markOf(dataDir)) ?? changedAt(join(clusterPath(dataDir), 'PG_VERSION'))",
    to: 'changedAt(markOf(dataDir))',
    caught: {
      by: 'packages/server/test/metrics.test.ts',
      test: 'the age of the last backup is shown, or that of the database where none was made, and how much of the disk is free',
    },
  },
  {
    breaks: 'a backup warns after a rotation, although a copy of the former key is known',
    file: 'packages/operator/src/backup/copied-keys.ts',
    from: 'keys.every(',
    to: 'keys.some(',
    caught: { by: 'packages/operator/test/secrets-copy.test.ts' },
  },
]
