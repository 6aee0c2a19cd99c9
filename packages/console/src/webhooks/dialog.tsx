// The frame of the webhooks' dialogs: on a narrow screen the whole of it.
import { Modal, useMatches } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../words/language.tsx'

interface DialogProps {
  title: string
  isOpen: boolean
  onClose: () => void
  /** It holds what must not be lost by a slip of the hand. */
  isHeld?: boolean
  size?: string
  children: ReactNode
}

export function Dialog({ title, isOpen, onClose, isHeld = false, size = 'lg', children }: DialogProps) {
  const { close } = useWords()
  const fullScreen = useMatches({ base: true, sm: false })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      fullScreen={fullScreen}
      transitionProps={{ duration: 0 }}
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      withCloseButton={!isHeld}
      closeButtonProps={{ 'aria-label': close }}
    >
      {isOpen && children}
    </Modal>
  )
}
