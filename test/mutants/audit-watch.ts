// Mutants of the watch over the audit log: its rules, what it learns, and who is told.
import type { Mutant } from './mutant.ts'

const RULES = 'packages/audit/test/watch-rules.test.ts'
const CLINIC = 'packages/audit/test/watch-clinic.test.ts'
const STOPS = 'packages/administration/test/stop-called.test.ts'
const TOLD = 'packages/administration/test/alert-messages.test.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'who read a patient is found by the lead that they were',
    file: 'packages/audit/src/stored-ids.ts',
    from: 'sql.join([itself, ...asRecord]',
    to: 'sql.join([itself]',
    caught: {
      by: 'packages/administration/test/packed-activity.test.ts',
      test: 'a search for a patient finds who read the lead, the calls and the chats from before they were the patient’s, packed or not',
    },
  },
  {
    breaks: 'a lead that was read counts as a person',
    file: 'packages/audit/src/stored-ids.ts',
    from: 'case when operation = any(${OF_LEADS}::text[])',
    to: 'case when operation = any(${[]}::text[])',
    caught: {
      by: 'packages/audit/test/patients-read.test.ts',
      test: 'each lead that was read is counted as a person, once a key, and no patient or other record with its id is taken for it',
    },
  },
  {
    breaks: 'a new key has nothing usual, and does not call',
    file: 'packages/audit/src/watch/rules.ts',
    from: 'return isLongAgo(first_day, day) && days >= LEARNING_DAYS_OF_USE',
    to: 'return isLongAgo(first_day, day) || days >= LEARNING_DAYS_OF_USE',
    caught: {
      by: RULES,
      test: 'a key is new for two weeks and seven days of use, and calls nothing that needs what is usual',
    },
  },
  {
    breaks: 'what a rule calls does not become usual by itself',
    file: 'packages/audit/src/watch/usual.ts',
    from: "patients: called.has('many_patients') ? usual.patients : mostOf(usual.patients, use.patients, day),",
    to: 'patients: mostOf(usual.patients, use.patients, day),',
    caught: { by: RULES, test: 'what a rule calls is not learnt, and what was before the watch began is' },
  },
  {
    breaks: 'a day is learnt once all rows before were looked at',
    file: 'packages/audit/src/watch/watch-clinic.ts',
    from: 'last_id = ${page.last_id}, day',
    to: 'last_id = ${place.sealed}, day',
    caught: { by: CLINIC, test: 'a long log is watched in turns of a page, and none is left out' },
  },
  {
    breaks: 'at most three messages a day and way come',
    file: 'packages/administration/src/alerts/tell.ts',
    from: 'before.count < MOST_A_DAY ? sql`true`',
    to: 'before.count <= MOST_A_DAY ? sql`true`',
    caught: { by: TOLD, test: 'at most three mails a day and person come; what is left comes on the next day' },
  },
  {
    breaks: 'a key that was stopped was not silent by itself',
    file: 'packages/audit/src/watch/watch-clinic.ts',
    from: 'stopped.has(key_id) ? notSilent',
    to: 'ended.has(key_id) ? notSilent',
    caught: { by: CLINIC, test: 'a key that was stopped meanwhile was not silent by itself' },
  },
  {
    breaks: 'what somebody has resumed counts as usual',
    file: 'packages/audit/src/watch/watch-clinic.ts',
    from: 'k.id = a.key_id and k.stopped_at is null))`',
    to: 'k.id = a.key_id and k.revoked_at is not null))`',
    caught: { by: CLINIC, test: 'what a rule stopped counts as seen from the moment on at which somebody resumes it' },
  },
  {
    breaks: 'what was noticed before the choice stops nothing',
    file: 'packages/audit/src/watch/stopping-rules.ts',
    from: ' and r.chosen_at <= a.noticed_at',
    to: '',
    caught: { by: STOPS, test: 'what was noticed before the choice, or a day ago, or is looked at, stops nothing' },
  },
  {
    breaks: 'what somebody has looked at stops nothing',
    file: 'packages/audit/src/watch/stopping-rules.ts',
    from: 'a.seen_at is null and a.stopped_at is null\n',
    to: 'a.stopped_at is null\n',
    caught: { by: STOPS, test: 'what was noticed before the choice, or a day ago, or is looked at, stops nothing' },
  },
  {
    breaks: 'what somebody has resumed is not stopped again on the same day',
    file: 'packages/audit/src/watch/stopping-rules.ts',
    from: ' and (i.resumed_at is null or i.resumed_at::date < a.day)',
    to: '',
    caught: {
      by: STOPS,
      test: 'what somebody has resumed is not stopped again for the same day, by any rule, and is for another one',
    },
  },
  {
    breaks: 'a rule stops nothing for a key that has ended',
    file: 'packages/audit/src/watch/stopping-rules.ts',
    from: 'k.stopped_at is null and k.revoked_at is null',
    to: 'k.stopped_at is null',
    caught: {
      by: STOPS,
      test: 'a key that has ended, a token of the clinic’s systems and an unknown key stop nothing',
    },
  },
  {
    breaks: 'whoever resumes what a rule stopped has looked at why',
    file: 'packages/administration/src/integrations/stop-integration.ts',
    from: 'if (by !== null) await markStopsSeen',
    to: 'if (by === null) await markStopsSeen',
    caught: {
      by: STOPS,
      test: 'a chosen rule stops all of the integration at once, as the watch, and a person undoes it like any other Stop',
    },
  },
  {
    breaks: 'only owners choose which rules stop',
    file: 'packages/console-contract/src/roles.ts',
    from: '  setStopRule: owners,',
    to: '  setStopRule: managers,',
    caught: { by: STOPS, test: 'an owner chooses, with a row; who else sees alerts sees the choice' },
  },
  {
    breaks: 'whoever was told of an alert is told that its rule stopped something',
    file: 'packages/audit/src/watch/stopping-rules.ts',
    from: 'mailed_at = null, posted_at = null',
    to: 'posted_at = null',
    caught: {
      by: TOLD,
      test: 'what a rule has stopped is told by each way, also to whoever heard of it before, with another id',
    },
  },
  {
    breaks: 'a receiver takes the message of a Stop for no repetition',
    file: 'packages/administration/src/alerts/alert-webhook.ts',
    from: 'first.stopped_at ?? first.noticed_at',
    to: 'first.noticed_at',
    caught: {
      by: TOLD,
      test: 'what a rule has stopped is told by each way, also to whoever heard of it before, with another id',
    },
  },
  {
    breaks: 'what a rule has stopped is told on the same day',
    file: 'packages/administration/src/alerts/tell.ts',
    from: 'export const MOST_WITH_STOPS = 6',
    to: 'export const MOST_WITH_STOPS = 3',
    caught: {
      by: TOLD,
      test: 'what a rule has stopped is told on the same day, also after three mails, and comes first',
    },
  },
  {
    breaks: 'the next dispatcher does what a killed one had left of a Stop',
    file: 'packages/administration/src/alerts/stop-called.ts',
    from: '  await finishStops(owner, clinic, { now, wait })\n',
    to: '',
    caught: {
      by: STOPS,
      test: 'what a dispatcher had left to do when it was killed right after a Stop is done in the next round',
    },
  },
  {
    breaks: 'each round of the watch stops what its rules called',
    file: 'packages/server/src/audit-jobs.ts',
    from: '            await stopCalled(owner, clinic, { now })',
    to: '',
    caught: {
      by: 'packages/server/test/background.test.ts',
      test: 'what a chosen rule has called is stopped in the next round',
    },
  },
]
