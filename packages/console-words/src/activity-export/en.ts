// The words of the export of the activity, in English.
const count = new Intl.NumberFormat('en')
const rows = (number: number) => (number === 1 ? '1 row' : `${count.format(number)} rows`)

export const activityExport = {
  open: 'Export…',
  title: 'Export what the filters show',
  text: 'All rows that fit the filters, not only those on the page. The export itself is noted in the activity, with your name and these filters.',
  as: 'As',
  kinds: {
    rows: {
      name: 'Table for a spreadsheet (CSV)',
      text: 'With the names of people, keys and operations as this page shows them.',
    },
    proof: {
      name: 'File with proof (NDJSON)',
      text: 'For whoever must be sure that nothing was changed. The log is sealed in stretches, so the file holds all rows of each stretch in which one fits, also of other patients, and seals that lead from there to today. “clinicd audit verify --file” checks it and says which rows fit. Rows of the last three minutes are not sealed yet.',
    },
  },
  personal: 'The file names patients by their ids. Keep it as you keep the log.',
  start: 'Export',
  underWay: (megabytes: number) => `${megabytes.toFixed(1)} MB have arrived…`,
  begun: 'Looking for the rows…',
  savedRows: (number: number, name: string) => `${rows(number)} are in ${name}.`,
  savedProof: (name: string) => `Saved as ${name}.`,
  cut: 'The export broke off, and nothing was saved. Export again.',
  busy: 'Another export of this clinic is under way. Wait until it has ended, and export again.',
  tooMuch: {
    too_many_rows: 'These are more rows than one export may hold. Choose a shorter period or narrower filters.',
    search_too_long: 'The search takes too long for an export. Choose a shorter period or narrower filters.',
    too_many_seals:
      'The first of these rows is too long ago for a file with proof. Choose a later day to begin with, or let the operator export the log.',
  } as Record<string, string>,
  columns: {
    at: 'When',
    who: 'Who',
    whoId: 'Id of who',
    what: 'What',
    surface: 'Through',
    outcome: 'Result',
    why: 'Why',
    count: 'Number of records',
    records: 'Ids of records',
    patientCount: 'Number of patients',
    patients: 'Ids of patients',
    operation: 'Operation',
    status: 'Status',
    scope: 'Missing scope',
    address: 'Address',
    request: 'Request id',
    duration: 'Milliseconds',
    row: 'Row of the log',
  },
  end: (number: number) => `End: ${rows(number)}`,
}
