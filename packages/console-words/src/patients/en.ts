// The words of what an owner asks of patients, and does for one of them, in English.
import type { HeldKind } from '@clinic-data/console-contract/patient-operations'

const count = new Intl.NumberFormat('en')

export const patients = {
  title: 'Patients',
  text: 'Find patients by what you want to know. Give one of them everything that is held, or erase them. All of it stands in the activity.',
  choose: 'Find a patient by name, phone or id, or ask:',
  asks: {
    search: 'Find patients',
    filters: 'Filters',
    clearSearch: 'Clear the search',
    clear: 'Clear the filters',
    apply: 'Apply',
    remove: (text: string) => `Remove: ${text}`,
    balance: 'Balance',
    visit: 'Last visit',
    payment: 'Last payment',
    birthday: 'Birthday',
    noneAhead: 'No appointment ahead',
    ahead: 'Has an appointment ahead',
    amount: (currency: string) => `Owes more than (${currency})`,
    amountHint: '0 finds everybody who owes.',
    owes: (amount: string) => `Owes more than ${amount}`,
    owesAnything: 'Owes anything',
    visitBefore: 'Last visit before',
    visitBeforeHint: 'Also those who never came.',
    visitAfter: 'Last visit on or after',
    noVisitSince: (day: string) => `Last visit before ${day}`,
    visitSince: (day: string) => `Last visit on or after ${day}`,
    visitBetween: (after: string, before: string) => `Last visit on or after ${after}, before ${before}`,
    paymentBefore: 'Last payment before',
    paymentBeforeHint: 'Also those who never paid.',
    noPaymentSince: (day: string) => `Last payment before ${day}`,
    thisWeek: 'This week',
    birthdayThisWeek: 'Birthday this week',
    birthdayFrom: 'From',
    birthdayTo: 'To',
    dayOf: (label: string) => `${label}: day`,
    monthOf: (label: string) => `${label}: month`,
    birthdayBetween: (from: string, to: string) => `Birthday ${from} – ${to}`,
    list: 'Patients found',
    columns: {
      patient: 'Patient',
      phone: 'Phone',
      born: 'Born',
      visit: 'Last visit',
      payment: 'Last payment',
      balance: 'Balance',
    },
    never: 'Never',
    looking: 'Looking…',
    found: (number: number, hasMore: boolean) => {
      if (hasMore) return `The first ${count.format(number)} patients. There are more.`
      return number === 1 ? '1 patient' : `${count.format(number)} patients`
    },
    more: 'Show more',
    nobody: 'No patient fits',
    nobodyText: 'Take a filter away, or write the name otherwise.',
    notUnderstood: 'A filter asks for a day or an amount that does not exist. Choose it anew, or take it away.',
    byId: (id: string) => `Open the id ${id}`,
    back: 'Back to the list',
    often: {
      debts: 'Who owes, and has not paid for 90 days?',
      away: 'Who has not come for half a year, and has no appointment ahead?',
      birthdays: 'Whose birthday is this week?',
      recent: 'Who came in the last 30 days, and owes?',
    },
  },
  doubtful: {
    label: 'Also what may be another person’s',
    hint: 'Such as calls of a phone that two patients have. Only when somebody has looked at it.',
  },
  who: 'Who read or changed this patient’s data',
  archive: {
    title: 'Everything that is held',
    text: 'One archive (.zip): the record, visits, payments, calls, chats and documents, and who received any of it. Hand it to the patient alone.',
    submit: 'Download',
    making: 'The archive is being made. It may take minutes. Stay on this page.',
    done: (size: string) => `Downloaded: ${size}. The last file in it, about.json, says what was left out.`,
    broken: 'The download broke off, and nothing was saved. Try again.',
    name: (id: string) => `patient-${id}.zip`,
  },
  erasure: {
    title: 'Erase',
    text: 'Removes what says who this is and what was said. Numbers, dates and amounts stay, as the law asks. Nothing is changed before you have seen what that means.',
    look: 'See what would go',
    before: (time: string) =>
      `This patient was erased on ${time}. This has come back since, perhaps of another erased patient.`,
    isErased: (time: string) => `This patient was erased on ${time}. Nothing has come back since.`,
    removed: 'Goes',
    anonymous: 'Stays without the person',
    nothing: 'Nothing',
    stays: 'Stays',
    staysText:
      'Numbers, dates and amounts. The activity keeps that it happened, and who had the data, by ids. Calls, chats and leads of a phone or e-mail that the patient no longer has stay too, uncounted: have it stored among the contacts before, and they go along.',
    doubtful: 'Stays, because it may be another person’s',
    doubtfulText:
      'Look at it before: afterwards nothing says whose it may be. Choose above to take it along if it is this patient’s.',
    waiting: (number: number) =>
      number === 1
        ? 'Not now: a message to the patient is being sent. Look again once it has been sent or given up.'
        : `Not now: ${count.format(number)} messages to the patient are being sent. Look again once they have been sent or given up.`,
    begin: 'Erase this patient…',
    ask: {
      title: 'Erase this patient for good?',
      text: 'There is no way back, for you and for the operator of the service.',
      outside:
        'Your own systems and those of partners that received the data keep their copies: erase the patient there, too.',
      submit: 'Erase for good',
      conflict:
        'Nothing was changed: a message to the patient is being sent, or nothing of the patient is left. Look again.',
    },
  },
  done: {
    title: 'The patient was erased',
    removed: 'Gone',
    at: (time: string) => `On ${time}. The activity keeps that it happened.`,
    backups: (time: string) =>
      `Backups from before ${time} hold the patient as long as the operator of the service keeps them. After a restore of one, erase the patient again.`,
    lastBackup: (time: string) => `The last backup that is known here is of ${time}.`,
  },
  kinds: {
    patients: 'Patient record',
    appointments: 'Appointments',
    treatment_plans: 'Treatment plans',
    payments: 'Payments',
    documents: 'Documents',
    calls: 'Calls',
    chat_conversations: 'Chats',
    chat_messages: 'Chat messages',
    leads: 'Leads',
    lead_activities: 'Notes about leads',
    files: 'Recordings, media and pages',
    events: 'Reported events',
    kept_answers: 'Kept answers',
  } satisfies Record<HeldKind, string> as Readonly<Record<string, string>>,
}
