// A text to be copied, always from left to right, with its button.

import { useWords } from '@clinic-data/console-words/language'
import { ActionIcon, Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { CopyIcon, DoneIcon } from './icons.tsx'

const SHOWN_MS = 2_000

/** A key or a command line. @param isMain its button is named in words. */
export function CopyText({ label, text, isMain = false }: { label: string; text: string; isMain?: boolean }) {
  const words = useWords()
  const shown = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useCopied()
  const copy = async () => setCopied(await copied(text, shown.current))
  const icon = isCopied ? <DoneIcon size={16} /> : <CopyIcon size={16} />
  const name = isCopied ? words.copied : words.copy
  return (
    <div>
      <div className="copy-label">{label}</div>
      <div className="copy-box" data-main={isMain || undefined}>
        <code ref={shown} className="copy-text" dir="ltr">
          {text}
        </code>
        {isMain ? (
          <Button onClick={copy} leftSection={icon} data-autofocus>
            {name}
          </Button>
        ) : (
          <ActionIcon variant="default" size="lg" onClick={copy} aria-label={`${name}: ${label}`}>
            {icon}
          </ActionIcon>
        )}
      </div>
    </div>
  )
}

/** Copies what the page shows in another form. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const words = useWords()
  const shown = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setCopied] = useCopied()
  const copy = async () => setCopied(await copied(text, shown.current))
  return (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={copy}
        leftSection={isCopied ? <DoneIcon size={14} /> : <CopyIcon size={14} />}
      >
        {isCopied ? words.copied : name}
      </Button>
      <textarea ref={shown} className="unseen" value={text} readOnly tabIndex={-1} aria-hidden="true" />
    </>
  )
}

/** Whether it was copied a moment ago. */
function useCopied() {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(setCopied, SHOWN_MS, false)
    return () => clearTimeout(timer)
  }, [isCopied])
  return [isCopied, setCopied] as const
}

/** Browsers hide the clipboard from a page that came by plain http. Then the text is selected and copied as by hand. */
async function copied(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (shown === null) return false
    if (shown instanceof HTMLTextAreaElement) shown.select()
    else getSelection()?.selectAllChildren(shown)
    return document.execCommand('copy')
  }
}
