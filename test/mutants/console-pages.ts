// Mutants of the pages of the console and of the reference, as a browser shows them: what they tell a reader's ear and eye, and what fits.
import type { Mutant } from './mutant.ts'

const starting = {
  by: 'packages/console/test/starting-questions.test.ts',
  test: 'every question that clinics ask can be answered, on every day of a year',
}

const firstPaint = {
  by: 'test/console/first-paint.test.ts',
  test: 'the page shows something after 15 kB at most, before a script or a style has arrived',
}

const switchedOff = {
  by: 'test/console/openid.test.ts',
  test: 'where the provider is required, passkeys from before are shown and removed, and none is added',
}

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a page whose code has come waits before it is shown',
    file: 'packages/console-parts/src/shown/later.tsx',
    from: 'show({ Component })',
    to: 'setTimeout(() => show({ Component }), 300)',
    caught: {
      by: 'test/console/first-paint.test.ts',
      test: 'a page is shown as soon as its code is there, without a wait of its own',
    },
  },
  {
    breaks: 'a message that only waits is no reason to look into the list of the platform',
    file: 'packages/console/src/clinic/chat-card.tsx',
    from: 'unanswered.count + unknown.count > 0',
    to: 'waiting.count + unanswered.count + unknown.count > 0',
    caught: {
      by: 'test/console/chat-sending.test.ts',
      test: 'the page is silent where the clinic has sent nothing, then counts what waits, by itself',
    },
  },
  {
    breaks: 'a failure without an answer is not told by a status',
    file: 'packages/console/src/deliveries/failure-words.ts',
    from: 'const byStatus = isAnswered && response_status !== null',
    to: 'const byStatus = response_status !== null',
    caught: {
      by: 'packages/console/test/page-logic.test.ts',
      test: 'a failure is told by its status only when the answer was the failure',
    },
  },
  {
    breaks: 'looking at a sign-in link leaves it unused',
    file: 'packages/console/src/pages/link.tsx',
    from: 'queryFn: () => api.lookAtLink(token),',
    to: 'queryFn: async () => { await api.signInByLink(token); return api.lookAtLink(token) },',
    caught: {
      by: 'test/console/link.test.ts',
      test: 'an opened link says whose session it begins, and begins it when its button is pressed',
    },
  },
  {
    breaks: 'revoking a key stops or deletes its webhooks, as was chosen',
    file: 'packages/console/src/keys/revoke-dialog.tsx',
    from: "    if (fate !== 'keep') await meetFate(await webhooksOf(id), fate)\n",
    to: '',
    caught: {
      by: 'test/console/stopping.test.ts',
      test: 'revoking a key tells which webhooks it made, and stops or deletes them if that is chosen',
    },
  },
  {
    breaks: 'revoking a key stops also what it made while the dialog was open',
    file: 'packages/console/src/keys/revoke-dialog.tsx',
    from: 'await webhooksOf(id)',
    to: 'made.data ?? []',
    caught: {
      by: 'test/console/stopping.test.ts',
      test: 'revoking a key tells which webhooks it made, and stops or deletes them if that is chosen',
    },
  },
  {
    breaks: 'nothing is chosen for a new key',
    file: 'packages/console/src/keys/mint-form.tsx',
    from: 'beside?.scopes ?? []',
    to: "beside?.scopes ?? ['patients:read']",
    caught: {
      by: 'test/console/keys.test.ts',
      test: 'nothing is chosen for a new key, it works for 90 days, and the list says what it may do',
    },
  },
  {
    breaks: 'what was typed is there after a session that ended in the middle',
    file: 'packages/console-parts/src/requests/draft.ts',
    from: "if (client.getQueryData(SESSION) !== 'ended') drafts",
    to: 'drafts',
    caught: {
      by: 'test/console/keys.test.ts',
      test: 'what was typed when the session ended is there after signing in again, and gone once it was cancelled',
    },
  },
  {
    breaks: 'a page that was opened during an outage is asked for again',
    file: 'packages/console-parts/src/requests/query-client.ts',
    from: 'data === undefined && mayPass(error) && AGAIN_MS',
    to: 'data === null && mayPass(error) && AGAIN_MS',
    caught: {
      by: 'test/console/trouble.test.ts',
      test: 'a page that was opened during an outage comes by itself once the service answers',
    },
  },
  {
    breaks: 'the first deliveries appear in an empty list, also further down',
    file: 'packages/console/src/deliveries/use-deliveries.ts',
    from: '(known.size === 0 || isAtTop())',
    to: 'isAtTop()',
    caught: {
      by: 'test/console/deliveries.test.ts',
      test: 'the first deliveries appear in an empty list, wherever the page is scrolled',
    },
  },
  {
    breaks: 'a delivery that is tried again after a failure is listed among what failed',
    file: 'packages/administration/src/pages/list-deliveries.ts',
    from: "[sql`d.status = 'failed'`, sql`d.status = 'pending' and d.error is not null`]",
    to: "[sql`d.status = 'failed'`]",
    caught: {
      by: 'packages/administration/test/console-webhooks.test.ts',
      test: 'what is tried again after a failure has failed too, and each delivery counts once',
    },
  },
  {
    breaks: 'a look at the events of a record names its patients in the log',
    file: 'packages/administration/src/pages/record-events.ts',
    from: 'beside(tx, [record_id, ...ids], patient_ids)',
    to: 'beside(tx, [record_id, ...ids], [])',
    caught: {
      by: 'packages/administration/test/record-events.test.ts',
      test: 'each look names the record, its events and its patients in the log',
    },
  },
  {
    breaks: 'the events of a record go on behind the last one that was shown',
    file: 'packages/administration/src/pages/record-events.ts',
    from: 'rows.length > RECORD_EVENTS ? (ids.at(-1) ?? null) : null',
    to: 'rows.length > RECORD_EVENTS ? (rows.at(-1)?.id ?? null) : null',
    caught: {
      by: 'packages/administration/test/record-events.test.ts',
      test: 'the events of a record come page by page, each once, and those of another clinic never',
    },
  },
  {
    breaks: 'deliveries of a patient are those whose event is about them',
    file: 'packages/administration/src/pages/find-deliveries.ts',
    from: '.filter(isAbout(search))',
    to: '',
    caught: {
      by: 'packages/administration/test/find-deliveries.test.ts',
      test: 'deliveries are found by a patient or a record of their events, and a search goes on where it stopped',
    },
  },
  {
    breaks: 'a search of deliveries puts the patient who was searched for on record, found or not',
    file: 'packages/administration/src/pages/find-deliveries.ts',
    from: '...(patient_id === undefined ? [] : [patient_id])',
    to: '',
    caught: {
      by: 'packages/administration/test/find-deliveries.test.ts',
      test: 'a search of deliveries names whom it was for and whose it found, and a list names nobody',
    },
  },
  {
    breaks: 'a question with a name asks for figures that there are',
    file: 'packages/console/src/explore/starting-questions.ts',
    from: "measures: ['missed_count', 'call_count']",
    to: "measures: ['missed_count', 'calls']",
    caught: starting,
  },
  {
    breaks: 'a question with a name is sorted by what it asks for',
    file: 'packages/console/src/explore/starting-questions.ts',
    from: "order: most('utilization_rate')",
    to: "order: most('free_minutes')",
    caught: starting,
  },
  {
    breaks: 'a question with a name groups by what its subject has',
    file: 'packages/console/src/explore/starting-questions.ts',
    from: "by: [per('method')]",
    to: "by: [per('branch')]",
    caught: starting,
  },
  {
    breaks: 'the button of a key’s actions has a name',
    file: 'packages/console/src/keys/key-table.tsx',
    from: ' aria-label={keys.actionsOf(row.name)}',
    to: '',
    caught: {
      by: 'test/console/keys.test.ts',
      test: 'axe finds nothing in both languages and colour schemes, no page is too wide, and no script is refused',
    },
  },
  {
    breaks: 'small text has enough contrast on a dark page',
    file: 'packages/console/src/theme.ts',
    from: "'--mantine-color-dimmed': '#a4adb7'",
    to: "'--mantine-color-dimmed': '#4a525b'",
    caught: {
      by: 'test/console/keys.test.ts',
      test: 'axe finds nothing in both languages and colour schemes, no page is too wide, and no script is refused',
    },
  },
  {
    breaks: 'small text has enough contrast on a light page',
    file: 'packages/console/src/theme.ts',
    from: "'--mantine-color-dimmed': '#55606b'",
    to: "'--mantine-color-dimmed': '#b5bdc5'",
    caught: {
      by: 'test/console/connect.test.ts',
      test: 'axe finds nothing in both languages and colour schemes, and no page is too wide',
    },
  },
  {
    breaks: 'a page says in which language it is',
    file: 'packages/console-words/src/language.tsx',
    from: '    document.documentElement.lang = language\n',
    to: '',
    caught: {
      by: 'test/console/demo.test.ts',
      test: 'axe finds nothing in both languages and colour schemes, no page is too wide, and no script is refused',
    },
  },
  {
    breaks: 'a long address of a webhook makes no page wider than a phone',
    file: 'packages/console/src/webhooks/webhooks.css',
    from: '.heading h1 {\n  overflow-wrap: anywhere;',
    to: '.heading h1 {\n  white-space: nowrap;',
    caught: {
      by: 'test/console/webhooks.test.ts',
      test: 'axe finds nothing in both languages and colour schemes, and no page is too wide',
    },
  },
  {
    breaks: 'an address in the facts of a problem makes no page wider than a phone',
    file: 'packages/gateway/src/reference/style-base.css',
    from: '.facts dd {\n  overflow-wrap: anywhere;',
    to: '.facts dd {\n  overflow-wrap: normal;',
    caught: {
      by: 'test/reference-in-chromium.test.ts',
      test: 'axe finds nothing, on wide and narrow screens, light and dark',
    },
  },
  {
    breaks: 'who signs in by the provider alone is not told that there is no way in',
    file: 'packages/console/src/shell/shell.tsx',
    from: '!has_passkey && !has_provider_account && ',
    to: '!has_passkey && ',
    caught: {
      by: 'test/console/openid.test.ts',
      test: 'the provider’s page leads back to the page where one was, signed in',
    },
  },
  {
    breaks: 'where the provider is required, passkeys from before are shown',
    file: 'packages/console/src/account/passkeys.tsx',
    from: 'if (!mayUse && passkeys.length === 0) return null',
    to: 'if (!mayUse) return null',
    caught: switchedOff,
  },
  {
    breaks: 'where the provider is required, no passkey is offered to be added',
    file: 'packages/console/src/account/passkeys.tsx',
    from: 'const mayUse = hasPasskeys() && isOptional(provider)',
    to: 'const mayUse = hasPasskeys()',
    caught: switchedOff,
  },
  {
    breaks: 'the page shows something before its styles have arrived',
    file: 'packages/console/vite.config.ts',
    from: '  plugins: [stylesAfterFirstPaint],\n',
    to: '',
    caught: firstPaint,
  },
  {
    breaks: 'the page shows something before its scripts have arrived',
    file: 'packages/console/index.html',
    from: '<svg viewBox="0 0 32 32" width="48" height="48" aria-hidden="true">',
    to: '<svg viewBox="0 0 32 32" width="48" height="48" aria-hidden="true" display="none">',
    caught: firstPaint,
  },
  {
    breaks: 'the styles of a page count over those of its components',
    file: 'packages/console/src/mantine.css',
    from: 'styles/Button.layer.css',
    to: 'styles/Button.css',
    caught: { by: 'test/console/explore.test.ts', test: 'the styles of a page count over those of its components' },
  },
  {
    breaks: 'what was typed is there after signing in by the provider',
    file: 'packages/console/src/account/other-ways.tsx',
    from: '      keepDrafts()\n',
    to: '',
    caught: {
      by: 'test/console/openid.test.ts',
      test: 'what was typed when the session ended is there after signing in by the provider, and nowhere else',
    },
  },
  {
    breaks: 'a dialog whose change ends late closes no other one',
    file: 'packages/console-parts/src/shown/use-opened.ts',
    from: 'setOpened((now) => (now === what ? null : now))',
    to: 'setOpened(null)',
    caught: {
      by: 'test/console/stopping.test.ts',
      test: 'a dialog that was closed while its change ran closes none that was opened since',
    },
  },
]
