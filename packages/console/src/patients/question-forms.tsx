// The fields of each question: an amount, or days.

import { useSession } from '@clinic-data/console-parts/session'
import { useWords } from '@clinic-data/console-words/language'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Button, Group, Input, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { today } from '../explore/days.ts'
import { ChipForm } from './question-chip.tsx'
import { type PatientView, THIS_WEEK } from './questions.ts'

interface FormProps {
  view: PatientView
  /** Takes the place of what the fields said before. */
  onAsk: (next: PatientView) => void
}

/** The largest amount that the service compares. */
const MOST = 1_000_000_000

export function BalanceForm({ view, onAsk }: FormProps) {
  const { asks } = usePatientWords()
  const { currency } = useSession().clinic
  const [amount, setAmount] = useState(view.owes_more_than ?? '')
  return (
    <ChipForm onSubmit={() => onAsk({ owes_more_than: amount })}>
      <TextInput
        type="number"
        label={asks.amount(currency)}
        description={asks.amountHint}
        inputMode="decimal"
        min={0}
        max={MOST}
        step="any"
        required
        withAsterisk={false}
        value={amount}
        onChange={({ currentTarget }) => setAmount(currentTarget.value)}
        data-autofocus
      />
    </ChipForm>
  )
}

export function VisitForm({ view, onAsk }: FormProps) {
  const { asks } = usePatientWords()
  const [before, setBefore] = useState(view.last_visit_before ?? '')
  const [after, setAfter] = useState(view.last_visit_after ?? '')
  return (
    <ChipForm onSubmit={() => onAsk({ last_visit_before: before, last_visit_after: after })}>
      <DayField label={asks.visitBefore} hint={asks.visitBeforeHint} day={before} onChange={setBefore} isFirst />
      <DayField label={asks.visitAfter} day={after} onChange={setAfter} />
    </ChipForm>
  )
}

export function PaymentForm({ view, onAsk }: FormProps) {
  const { asks } = usePatientWords()
  const [before, setBefore] = useState(view.last_payment_before ?? '')
  return (
    <ChipForm onSubmit={() => onAsk({ last_payment_before: before })}>
      <DayField label={asks.paymentBefore} hint={asks.paymentBeforeHint} day={before} onChange={setBefore} isFirst />
    </ChipForm>
  )
}

interface DayFieldProps {
  label: string
  hint?: string
  day: string
  onChange: (day: string) => void
  isFirst?: boolean
}

function DayField({ label, hint, day, onChange, isFirst = false }: DayFieldProps) {
  return (
    <TextInput
      type="date"
      label={label}
      description={hint}
      value={day}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...(isFirst && { 'data-autofocus': true })}
    />
  )
}

export function BirthdayForm({ view, onAsk }: FormProps) {
  const { asks } = usePatientWords()
  const now = today(useSession().clinic.time_zone).slice(5)
  const [from, setFrom] = useState(dayOr(view.birthday_from, now))
  const [to, setTo] = useState(dayOr(view.birthday_to, now))
  return (
    <ChipForm onSubmit={() => onAsk({ birthday_from: from, birthday_to: to })}>
      <Button variant="default" size="xs" onClick={() => onAsk({ birthday: THIS_WEEK })} data-autofocus>
        {asks.thisWeek}
      </Button>
      <YearDay label={asks.birthdayFrom} day={from} onChange={setFrom} />
      <YearDay label={asks.birthdayTo} day={to} onChange={setTo} />
    </ChipForm>
  )
}

const dayOr = (day: string | undefined, other: string) => (day !== undefined && /^\d\d-\d\d$/.test(day) ? day : other)

/** A leap year: it has all days. */
const LEAP_YEAR = 2024
const MONTHS = Array.from({ length: 12 }, (_, at) => at)
const twoDigits = (number: number) => String(number).padStart(2, '0')
const daysIn = (month: number) => new Date(Date.UTC(LEAP_YEAR, month, 0)).getUTCDate()

/** A day of any year, `MM-DD`. */
function YearDay({ label, day, onChange }: Pick<DayFieldProps, 'label' | 'day' | 'onChange'>) {
  const { asks } = usePatientWords()
  const { locale } = useWords()
  const [month = 1, date = 1] = day.split('-').map(Number)
  const name = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long' })
  const choose = (nextMonth: number, next: number) =>
    onChange(`${twoDigits(nextMonth)}-${twoDigits(Math.min(next, daysIn(nextMonth)))}`)
  return (
    <fieldset className="year-day">
      <Input.Label component="legend">{label}</Input.Label>
      <Group gap="xs" wrap="nowrap">
        <NativeSelect
          aria-label={asks.dayOf(label)}
          value={date}
          onChange={({ currentTarget }) => choose(month, Number(currentTarget.value))}
          data={Array.from({ length: daysIn(month) }, (_, at) => String(at + 1))}
        />
        <NativeSelect
          className="month"
          aria-label={asks.monthOf(label)}
          value={month}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value), date)}
          data={MONTHS.map((at) => ({ value: String(at + 1), label: name.format(Date.UTC(LEAP_YEAR, at, 1)) }))}
        />
      </Group>
    </fieldset>
  )
}
