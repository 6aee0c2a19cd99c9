// A question as a chip: a press opens what it asks, and once it stands it says so and can be taken away.

import { CrossIcon, PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Button, Group, Popover, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'

interface ChipProps {
  name: string
  /** The question in words. Null: it is not put. */
  text: string | null
  onRemove: () => void
}

interface OpenChipProps extends ChipProps {
  /** The fields of the question. @param close closes them when all is said. */
  children: (close: () => void) => ReactNode
}

/** Opens its fields. */
export function QuestionChip({ name, text, onRemove, children }: OpenChipProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={290}
      position="bottom-start"
      trapFocus
      returnFocus
      withinPortal={false}
      transitionProps={{ duration: 0 }}
    >
      <Chip name={name} text={text} onRemove={onRemove} onPress={() => setOpen(!isOpen)}>
        {(button) => <Popover.Target>{button}</Popover.Target>}
      </Chip>
      <Popover.Dropdown>{children(() => setOpen(false))}</Popover.Dropdown>
    </Popover>
  )
}

/** Asks, or asks no more, by the press itself. */
export function PlainChip({ onAsk, ...chip }: ChipProps & { onAsk: () => void }) {
  return (
    <Chip {...chip} isPressed={chip.text !== null} onPress={chip.text === null ? onAsk : chip.onRemove}>
      {(button) => button}
    </Chip>
  )
}

interface BareProps extends ChipProps {
  onPress: () => void
  isPressed?: boolean
  children: (button: ReactNode) => ReactNode
}

function Chip({ name, text, onRemove, onPress, isPressed, children }: BareProps) {
  const { asks } = usePatientWords()
  const button = useRef<HTMLButtonElement>(null)
  const remove = () => {
    onRemove()
    // The cross goes, and the focus with it.
    button.current?.focus()
  }
  return (
    <span className="ask-chip" data-set={text !== null || undefined}>
      {children(
        <button type="button" ref={button} aria-pressed={isPressed} onClick={onPress}>
          {text === null && <PlusIcon size={14} />}
          {text ?? name}
        </button>,
      )}
      {text !== null && (
        <button type="button" className="ask-remove" aria-label={asks.remove(text)} onClick={remove}>
          <CrossIcon size={14} />
        </button>
      )}
    </span>
  )
}

/** The fields of a question, and what asks it. */
export function ChipForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const { asks } = usePatientWords()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {children}
        <Group justify="flex-end">
          <Button type="submit" size="xs">
            {asks.apply}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
