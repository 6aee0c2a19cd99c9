// Mutants of services as processes: signals, waiting for a database, workers, what a running one shows.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'signals that follow each other at once count as one',
    file: 'packages/operator/src/stop-signal.ts',
    from: 'now - abortedAt > SAME_SIGNAL_MS',
    to: 'now - abortedAt > 0',
    caught: {
      by: 'packages/server/test/clinicd.test.ts',
      test: 'a signal leaves no database server behind, at any moment and however often it is repeated',
    },
  },
  {
    breaks: 'a second signal seconds later forces the end',
    file: 'packages/operator/src/stop-signal.ts',
    from: '} else if (name !== controller.signal.reason || now - abortedAt > SAME_SIGNAL_MS) process.exit(1)',
    to: '}',
    caught: {
      by: 'packages/server/test/first-start.test.ts',
      test: 'a second signal seconds later forces the end, and takes the database server along',
    },
  },
  {
    breaks: 'a signal ends a command that waits in the database',
    file: 'packages/operator/src/operator.ts',
    from: "  signal.addEventListener('abort', end)\n",
    to: '',
    caught: {
      by: 'packages/server/test/signals.test.ts',
      test: 'SIGTERM ends a command that waits for a lock in the database',
    },
  },
  {
    breaks: 'a signal ends a start whose database is silent',
    file: 'packages/installation/src/database/waiting.ts',
    from: 'return await Promise.race([open(), aborted.promise])',
    to: 'return await open()',
    caught: {
      by: 'packages/server/test/waiting.test.ts',
      test: 'a signal ends a service whose database stops answering during its start',
    },
  },
  {
    breaks: 'a service that waits for its database says so once',
    file: 'packages/installation/src/database/waiting.ts',
    from: "          log.warn({ err: error }, 'the database cannot be reached: waiting for it, not ready')\n",
    to: '',
    caught: {
      by: 'packages/server/test/waiting.test.ts',
      test: '--role backend waits for its database, says so once, and is not ready until it answers, nor when it is gone again',
    },
  },
  {
    breaks: 'the process that fills the demo ends with its service',
    file: 'packages/server/src/demo/demo-filler.ts',
    from: "process.on('disconnect', () => process.exit())\n",
    to: '',
    caught: {
      by: 'packages/server/test/demo-filling.test.ts',
      test: 'the process that fills the demo ends when its service has ended, however that happened',
    },
  },
  {
    breaks: 'a service goes on when the process that fills its demo was killed',
    file: 'packages/server/src/serve-command.ts',
    from: "    log.error({ err: error }, 'the demo clinic could not be filled')\n",
    to: '    throw error\n',
    caught: {
      by: 'packages/server/test/demo-filling.test.ts',
      test: 'when the process that fills the demo is killed, that is told and the service goes on',
    },
  },
  {
    breaks: 'a backend that is about to stop says so to its gateways',
    file: 'packages/server/src/serve.ts',
    from: 'await openPrivateRoutes(admin, start, local, () => isDraining)',
    to: 'await openPrivateRoutes(admin, start, local, () => false)',
    caught: {
      by: 'packages/server/test/draining.test.ts',
      test: 'no client is refused when two backends restart one after the other under load',
    },
  },
  {
    breaks: 'answered requests leave the memory without a full collection',
    file: 'packages/server/src/young-space.ts',
    from: "  setFlagsFromString('--no-allocation-site-pretenuring')\n",
    to: '',
    caught: {
      by: 'packages/server/test/running.test.ts',
      test: 'answered requests do not stay until a full collection',
    },
  },
  {
    breaks: 'only the asked part of the requests is traced',
    file: 'packages/server/src/telemetry/tracing.ts',
    from: 'new TraceIdRatioBasedSampler(ratio)',
    to: 'new TraceIdRatioBasedSampler(1)',
    caught: {
      by: 'packages/server/test/running.test.ts',
      test: 'no request is traced when none of them is asked for',
    },
  },
  {
    breaks: 'a process tells with its metrics which role it has',
    file: 'packages/server/src/serve.ts',
    from: 'const attributes = describeProcess(role, config.serviceName)',
    to: "const attributes = describeProcess('gateway', config.serviceName)",
    caught: {
      by: 'packages/server/test/running.test.ts',
      test: 'a running service shows every metric of the table and no other, with the labels of the table alone',
    },
  },
  {
    breaks: 'workers trace their requests',
    file: 'packages/server/src/workers/worker.ts',
    from: '    if (config.tracing) {',
    to: '    if (config.tracing && options.signal) {',
    caught: {
      by: 'packages/server/test/workers.test.ts',
      test: 'SIGTERM lets every request of every worker be answered before the connections close, and its trace be sent',
    },
  },
  {
    breaks: 'a worker that is told to stop first answers what it has',
    file: 'packages/server/src/workers/worker.ts',
    from: '    await opened.disposeAsync()\n    process.exit(0)',
    to: '    process.exit(0)',
    caught: {
      by: 'packages/server/test/workers.test.ts',
      test: 'SIGTERM lets every request of every worker be answered before the connections close, and its trace be sent',
    },
  },
  {
    breaks: 'all workers share one count of a key',
    file: 'packages/server/src/workers/worker.ts',
    from: "(await sharedRateLimit(start, workers)) ?? new RemoteRateLimit((takes) => link.ask('take', takes))",
    to: "(await sharedRateLimit(start, workers)) ?? new (await import('@clinic-data/gateway/limits/rate-limit')).MemoryRateLimit()",
    caught: {
      by: 'packages/server/test/workers.test.ts',
      test: 'a limit of 40 requests admits exactly 40 of many at once, whichever worker they reach',
    },
  },
  {
    breaks: 'a worker that has ended is replaced',
    file: 'packages/server/src/workers/worker-process.ts',
    from: 'this.#restart = setTimeout(() => this.#fork(), this.#pauseMs)',
    to: '',
    caught: {
      by: 'packages/server/test/workers.test.ts',
      test: 'a worker that is killed under load loses no answered write, and another one comes',
    },
  },
  {
    breaks: 'the login of requests is another for each secret key',
    file: 'packages/installation/src/database/derived-logins.ts',
    from: "prefix + mac(key, 'name').toString('hex').slice(0, 12)",
    to: "prefix + 'login'",
    caught: {
      by: 'packages/server/test/plain-owner-18.test.ts',
    },
  },
  {
    breaks: 'the console works with a login that row level security binds',
    file: 'packages/installation/src/database/storage.ts',
    from: 'openDatabase({ url, ownerUrl, onError, readConnections: 1, writeConnections: 2, scanConnections: 1 })',
    to: 'openDatabase({ url: ownerUrl, onError, readConnections: 1, writeConnections: 2, scanConnections: 1 })',
    caught: {
      by: 'packages/server/test/console-login.test.ts',
    },
  },
  {
    breaks: 'a change of the console stores audit rows of its own clinic alone',
    file: 'packages/backend/migrations/0040_console_login.sql',
    from: "with check (clinic_id = current_setting('app.clinic_id', true) and stored_at > now() - interval '30 seconds')",
    to: "with check (stored_at > now() - interval '30 seconds')",
    caught: {
      by: 'packages/server/test/console-login.test.ts',
      test: 'the console’s login may not have an audit row of another clinic',
    },
  },
  {
    breaks: 'the console changes nothing of its clinic, though it may lock it',
    file: 'packages/backend/migrations/0054_console_on_a_cluster.sql',
    from: 'grant update (clinic_id) on clinic',
    to: 'grant update on clinic',
    caught: {
      by: 'packages/server/test/console-login.test.ts',
      test: 'the console’s login may not have another name of the clinic',
    },
  },
  {
    breaks: 'one login may not both own the tables and serve requests',
    file: 'packages/installation/src/database/database-logins.ts',
    from: "if (login.name === userOf(databaseOwnerUrl, 'DATABASE_OWNER_URL'))",
    to: "if (login.name === '')",
    caught: {
      by: 'packages/server/test/plain-owner-18.test.ts',
    },
  },
  {
    breaks: 'a port that is taken is told before anything is made',
    file: 'packages/server/src/serve.ts',
    from: "  await untilFree('admin', config, options)\n  if (isPublic) await untilFree('public', config, options)\n",
    to: '',
    caught: {
      by: 'packages/server/test/first-start.test.ts',
      test: 'a taken port is told before anything is made, with the line that mends it',
    },
  },
  {
    breaks: 'a command makes a new database only with a word about it',
    file: 'packages/operator/src/operator.ts',
    from: 'if (isMissing)',
    to: 'if (isMissing && signal.aborted)',
    caught: {
      by: 'packages/server/test/clinicd.test.ts',
      test: 'a command that makes a new database says where, so that forgotten settings are noticed',
    },
  },
  {
    breaks: 'a worker answers the end of a webhook when the engine has ended it',
    file: 'packages/server/src/workers/worker.ts',
    from: "onSubscriptionEnded: (...names) => link.ask('ended', names),",
    to: "onSubscriptionEnded: async (...names) => link.tell('ended', names),",
    caught: {
      by: 'packages/server/test/workers.test.ts',
      test: 'a worker answers DELETE of a webhook when the engine of the primary process has ended it',
    },
  },
  {
    breaks: 'the primary process tells a worker when the engine has ended a webhook, and not before',
    file: 'packages/server/src/workers/workers.ts',
    from: 'needed().hooks.onSubscriptionEnded(...names),',
    to: 'void needed().hooks.onSubscriptionEnded(...names),',
    caught: {
      by: 'packages/server/test/workers.test.ts',
      test: 'a worker answers DELETE of a webhook when the engine of the primary process has ended it',
    },
  },
  {
    breaks: 'a process with an engine of its own waits for the others when a webhook has ended',
    file: 'packages/server/src/webhooks.ts',
    from: 'if (!isAlone) await endElsewhere',
    to: 'if (!isAlone) void endElsewhere',
    caught: {
      by: 'packages/server/test/webhooks.test.ts',
      test: 'the end of a webhook is told to every dispatcher, and answered when none can start a request any more: all',
    },
  },
  {
    breaks: 'the end of a webhook is answered when a dispatcher elsewhere can start no request any more',
    file: 'packages/server/src/webhooks.ts',
    from: '  await delay(START_WINDOW_MS)\n',
    to: '',
    caught: {
      by: 'packages/server/test/webhooks.test.ts',
      test: 'the end of a webhook is told to every dispatcher, and answered when none can start a request any more: backend',
    },
  },
  {
    breaks: 'a worker says at once that a chat message waits to be sent',
    file: 'packages/server/src/workers/worker.ts',
    from: "onMessageQueued: (clinic_id) => link.tell('queued', clinic_id),",
    to: 'onMessageQueued: () => undefined,',
    caught: {
      by: 'packages/server/test/workers.test.ts',
      test: 'a chat message that is written through a worker is sent at once',
    },
  },
  {
    breaks: 'a chat message that a worker has told of wakes the sender',
    file: 'packages/server/src/local-backend.ts',
    from: 'const onMessageQueued = (clinic_id: string) => sender?.wake(clinic_id)',
    to: 'const onMessageQueued = (_clinic_id: string) => sender?.idle()',
    caught: {
      by: 'packages/server/test/workers.test.ts',
      test: 'a chat message that is written through a worker is sent at once',
    },
  },
  {
    breaks: 'a worker says at once that deliveries are due',
    file: 'packages/server/src/workers/worker.ts',
    from: "onDeliveriesDue: (clinic_id) => link.tell('due', clinic_id),",
    to: 'onDeliveriesDue: () => undefined,',
    caught: {
      by: 'packages/server/test/workers.test.ts',
      test: 'a webhook that is made through a worker is checked, gets its events at once, and ends',
    },
  },
  {
    breaks: 'a service that starts before its address waits for it',
    file: 'packages/installation/src/listen.ts',
    from: "?.code === 'EADDRNOTAVAIL'",
    to: "?.code === 'EADDRINUSE'",
    caught: {
      by: 'packages/installation/test/listen.test.ts',
      test: 'an address that a machine never gets ends the start, and the error names its setting',
    },
  },
  {
    breaks: 'a list of commands says of each in a short line what it does',
    file: 'packages/operator/src/commands/clinics/clinics-delete.ts',
    from: "    .summary('Close a clinic, write its archive, and delete its rows and files.')\n",
    to: '',
    caught: {
      by: 'packages/server/test/clinicd.test.ts',
      test: 'the page of all commands is made from their definitions, which say in a short line what each does',
    },
  },
]
