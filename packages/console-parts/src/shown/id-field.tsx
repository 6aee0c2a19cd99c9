// A field for an id. It is searched for when it is whole, not with each letter, and an id runs from left to right in every language.
import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'

interface IdFieldProps {
  label: string
  hint: string
  id: string
  onChoose: (id: string) => void
}

/** Whoever shows another id shows it under another `key`. */
export function IdField({ label, hint, id, onChoose }: IdFieldProps) {
  const [text, setText] = useState(id)
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (text.trim() !== id) onChoose(text.trim())
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        label={label}
        placeholder={hint}
        maxLength={128}
        value={text}
        // The hint is a sentence of the page.
        {...(text !== '' && { dir: 'ltr' })}
        classNames={{ label: 'as-page' }}
        onChange={({ currentTarget: { value } }) => setText(value)}
        onBlur={() => submit()}
        spellCheck={false}
        autoComplete="off"
      />
    </form>
  )
}
