// The frame of every dialog: the browser's own, which keeps the focus inside, dims the page and gives the focus back when it is closed.

import { useWords } from '@clinic-data/console-words/language'
import { CloseButton } from '@mantine/core'
import { type ReactNode, useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import { useLostConnection } from '../requests/connection.ts'
import { Holding } from './held.ts'

interface DialogProps {
  title: ReactNode
  isOpen: boolean
  onClose: () => void
  /** A form in it must not be lost by a click beside it. */
  isForm?: boolean
  /** A short question stands in the middle. Anything longer begins at the top, and has the whole of a narrow screen. */
  size?: 'question' | 'lg' | 'xl'
  children: ReactNode
}

/** Whoever ended a row goes on at the top of the page, not outside it. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus()
}

export function Dialog({ isOpen, ...shown }: DialogProps) {
  return isOpen && <Opened {...shown} />
}

function Opened({ title, onClose, isForm = false, size = 'lg', children }: Omit<DialogProps, 'isOpen'>) {
  const { close, connection } = useWords()
  const isLost = useLostConnection()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [holders, setHolders] = useState(0)
  const isHeld = holders > 0
  const hold = useCallback(() => {
    setHolders((before) => before + 1)
    // The element that had the focus may be gone. From the dialog the next press of Tab leads to what it holds now.
    if (!dialog.current?.contains(document.activeElement)) dialog.current?.focus()
    return () => setHolders((before) => before - 1)
  }, [])
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    shown?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    // Closing gives the focus back, if what had it is still there.
    return () => {
      shown?.close()
      const { activeElement } = document
      if (activeElement === null || activeElement === document.body || shown?.contains(activeElement)) focusHeading()
    }
  }, [])
  useLayoutEffect(() => {
    if (!isHeld) return
    // A browser closes a dialog at the second Escape whatever its `cancel` event is told. Only the key itself can be refused.
    // It closes the dialog on top, which may be another one.
    const isOnTop = () => [...document.querySelectorAll('dialog[open]')].at(-1) === dialog.current
    const refuse = (event: KeyboardEvent) => event.key === 'Escape' && isOnTop() && event.preventDefault()
    document.addEventListener('keydown', refuse)
    return () => document.removeEventListener('keydown', refuse)
  }, [isHeld])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, and comes as the event `cancel`.
    <dialog
      ref={dialog}
      tabIndex={-1}
      className="dialog"
      data-size={size}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (!isHeld) onClose()
      }}
      // Where it was closed all the same, it opens again until it is no longer wanted.
      onClose={({ currentTarget }) => isHeld && currentTarget.showModal()}
      onClick={({ target, currentTarget }) => {
        // The area beside the dialog is its own backdrop.
        if (target === currentTarget && !isHeld && !isForm) onClose()
      }}
    >
      {/* The page's own bar lies behind. */}
      <div role="status" className="connection" data-lost={isLost || undefined}>
        {isLost && connection.lost}
      </div>
      <div className="dialog-frame">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {!isHeld && <CloseButton aria-label={close} onClick={onClose} />}
        </header>
        <Holding value={hold}>{children}</Holding>
      </div>
    </dialog>
  )
}
