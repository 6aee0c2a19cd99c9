// Mutants of what owners do for one patient in the console: who may, what is on record, and what a second person approves.
import type { Mutant } from './mutant.ts'

const BY = 'packages/administration/test/patient-rights.test.ts'
const HANDLERS = 'packages/administration/src/routes/console-handlers.ts'
const LASTING = 'packages/surface/src/lasting-answers.ts'
const RIGHTS = 'packages/server/src/private/patient-rights.ts'

const approved = {
  by: BY,
  test: 'where the clinic wants it, a second person approves exactly this erasure, which names nobody',
}
const erased = {
  by: BY,
  test: 'an owner erases a patient: what was counted has gone, it is on record, and the list beside the keys names it',
}
const exported = {
  by: BY,
  test: 'an owner gets the archive of one patient, with the row of that look in it, and nothing of another',
}
const refused = {
  by: BY,
  test: 'another role, another clinic and an unknown patient get no archive, no count and no erasure',
}
const freed = { by: BY, test: 'an archive that nobody reads to its end frees its place' }

const LIST = 'packages/administration/test/list-patients.test.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a patient is found in the console by the sound of the name',
    file: 'packages/administration/src/pages/find-patients.ts',
    from: 'if (heard !== null) {',
    to: "if (heard !== null && words === '') {",
    caught: {
      by: 'packages/administration/test/find-patients.test.ts',
      test: 'a patient is found by the sound of a name in another script, behind those whose name is written so',
    },
  },
  {
    breaks: 'those found by sound come behind those found as written, in the console',
    file: 'packages/administration/src/pages/find-patients.ts',
    from: 'each.patient_id, 4 from',
    to: 'each.patient_id, 3 from',
    caught: {
      by: 'packages/administration/test/find-patients.test.ts',
      test: 'a patient is found by the sound of a name in another script, behind those whose name is written so',
    },
  },
  {
    breaks: 'the row of a page names the patients that it showed',
    file: HANDLERS,
    from: 'beside: (tx, ids) => record(tx, ids, ids) }),\n    }),\n    exportPatient',
    to: 'beside: (tx, ids) => record(tx, ids, []) }),\n    }),\n    exportPatient',
    caught: {
      by: LIST,
      test: 'pages follow one another, by id and by name, and the row of each names the patients that it showed',
    },
  },
  {
    breaks: 'a phone is no name in the list of patients',
    file: 'packages/administration/src/patients/list-patients.ts',
    from: '=== null ? { query: words } : { phone: words }',
    to: '=== null ? { query: words } : { query: words }',
    caught: {
      by: LIST,
      test: 'each question finds whom the public list finds by the same filter, alone and together with a name',
    },
  },
  {
    breaks: 'the last visit of a row is one that has begun',
    file: 'packages/records/src/lists/patient-facts.ts',
    from: '${came(clinic)} and r.start_sort <= ${until}`),',
    to: '${came(clinic)}`),',
    caught: { by: LIST, test: 'a row shows what the questions ask about, and nothing else of the patient' },
  },
  {
    breaks: 'the focus stays at a filter that was taken away',
    file: 'packages/console/src/patients/question-chip.tsx',
    from: 'button.current?.focus()',
    to: 'button.current?.blur()',
    caught: {
      by: 'test/console/patient-questions.test.ts',
      test: 'a question is asked by the keyboard alone, stands as a chip and in the address, and is taken away again',
    },
  },
  {
    breaks: 'an erasure waits for a second person',
    file: HANDLERS,
    from: 'requireApproval(tx, { isNeeded: true, shown: { name: patient_id } })',
    to: 'requireApproval(tx, { isNeeded: false, shown: { name: patient_id } })',
    caught: approved,
  },
  {
    breaks: 'what is approved says whether doubtful rows go along',
    file: HANDLERS,
    from: 'shown: { name: patient_id } })',
    to: 'shown: { name: patient_id }, body: {} })',
    caught: approved,
  },
  {
    breaks: 'the row of an erasure names the patient',
    file: HANDLERS,
    from: '        record(tx, [patient_id], [patient_id])\n      }\n',
    to: '        record(tx, [patient_id])\n      }\n',
    caught: erased,
  },
  {
    breaks: 'an erasure is by whoever still may at its commit',
    file: HANDLERS,
    from: '        await stillValid(tx)\n',
    to: '',
    caught: { by: BY, test: 'a person who is disabled while an erasure waits erases nobody' },
  },
  {
    breaks: 'the row of an archive names the patient',
    file: HANDLERS,
    from: 'async (tx) => record(tx, [patient_id], [patient_id]))\n      // Each',
    to: 'async (tx) => record(tx, [patient_id]))\n      // Each',
    caught: exported,
  },
  {
    breaks: 'owners alone export a patient',
    file: 'packages/console-contract/src/roles.ts',
    from: '  exportPatient: owners,',
    to: '  exportPatient: managers,',
    caught: refused,
  },
  {
    breaks: 'owners alone erase a patient',
    file: 'packages/console-contract/src/roles.ts',
    from: '  erasePatient: owners,',
    to: '  erasePatient: managers,',
    caught: refused,
  },
  {
    breaks: 'what is doubtful is in an archive only when somebody says so',
    file: HANDLERS,
    from: 'withDoubtful: include_doubtful',
    to: 'withDoubtful: !include_doubtful',
    caught: exported,
  },
  {
    breaks: 'the session is looked at before each file',
    file: RIGHTS,
    from: '    await stillMay()\n',
    to: '',
    caught: { by: BY, test: 'a person who is disabled while an archive is made gets no further file of it' },
  },
  {
    breaks: 'an archive that is given up frees its place',
    file: LASTING,
    from: "answer.once('close'",
    to: "answer.once('end'",
    caught: freed,
  },
  {
    breaks: 'an erasure in the console stands in the list beside the keys',
    file: RIGHTS,
    from: '            await listErased(dataDir, { clinic_id, patient_id, erased_at: now.toISOString() })\n',
    to: '',
    caught: erased,
  },
  {
    breaks: 'the erasure of an erased patient is told as what it is',
    file: 'packages/administration/src/patients/erase-patient.ts',
    from: 'if (before !== null &&',
    to: 'if (before === null &&',
    caught: erased,
  },
]
