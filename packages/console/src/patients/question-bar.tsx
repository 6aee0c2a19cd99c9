// The search by name, and a row of chips that ask more of the patients.

import { useWords } from '@clinic-data/console-words/language'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Anchor, CloseButton, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { PlainChip, QuestionChip } from './question-chip.tsx'
import { BalanceForm, BirthdayForm, PaymentForm, VisitForm } from './question-forms.tsx'
import { useQuestionTexts } from './question-texts.ts'
import type { PatientView } from './questions.ts'

interface QuestionBarProps {
  typed: string
  onType: (text: string) => void
  /** Looks at once. */
  onEnter: () => void
  view: PatientView
  onAsk: (view: PatientView) => void
}

const LONGEST_SEARCH = 200

export function QuestionBar({ typed, onType, onEnter, view, onAsk }: QuestionBarProps) {
  const words = usePatientWords()
  const { patient } = useWords().activity
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onEnter()
  }
  return (
    <search className="patient-questions" aria-label={words.asks.search}>
      <form className="patient patient-choice" onSubmit={submit}>
        <TextInput
          label={patient.label}
          placeholder={patient.hint}
          maxLength={LONGEST_SEARCH}
          value={typed}
          onChange={({ currentTarget: { value } }) => onType(value)}
          spellCheck={false}
          autoComplete="off"
          rightSection={
            typed && <CloseButton size="sm" aria-label={words.asks.clearSearch} onClick={() => onType('')} />
          }
        />
      </form>
      <Chips view={view} onAsk={onAsk} />
    </search>
  )
}

function Chips({ view, onAsk }: Pick<QuestionBarProps, 'view' | 'onAsk'>) {
  const { asks } = usePatientWords()
  const texts = useQuestionTexts()
  /** An empty value leaves the address. */
  const change = (next: PatientView) => onAsk({ ...view, ...next })
  const forms = [
    { name: asks.balance, text: texts.balance(view), none: { owes_more_than: '' }, Form: BalanceForm },
    {
      name: asks.visit,
      text: texts.visit(view),
      none: { last_visit_before: '', last_visit_after: '' },
      Form: VisitForm,
    },
    { name: asks.payment, text: texts.payment(view), none: { last_payment_before: '' }, Form: PaymentForm },
    {
      name: asks.birthday,
      text: texts.birthday(view),
      none: { birthday: '', birthday_from: '', birthday_to: '' },
      Form: BirthdayForm,
    },
  ]
  return (
    <fieldset className="ask-chips">
      <legend className="unseen">{asks.filters}</legend>
      {forms.map(({ name, text, none, Form }) => (
        <QuestionChip key={name} name={name} text={text} onRemove={() => change(none)}>
          {(close) => (
            <Form
              view={view}
              onAsk={(next) => {
                change({ ...none, ...next })
                close()
              }}
            />
          )}
        </QuestionChip>
      ))}
      <PlainChip
        name={asks.noneAhead}
        text={texts.ahead(view)}
        onAsk={() => change({ has_future_appointment: 'false' })}
        onRemove={() => change({ has_future_appointment: '' })}
      />
      {Object.keys(view).length > 1 && (
        <Anchor component="button" type="button" size="sm" onClick={() => onAsk({})}>
          {asks.clear}
        </Anchor>
      )}
    </fieldset>
  )
}
