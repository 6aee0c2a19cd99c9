// Mints a key, or a second one beside a key that is rotated, and shows it once.
import { Modal, useMatches } from '@mantine/core'
import { useState } from 'react'
import type { ConsoleKey, MintedConsoleKey } from '../api.ts'
import { useWords } from '../words/language.tsx'
import { MintForm } from './mint-form.tsx'
import { ShownOnce } from './shown-once.tsx'

/** What the dialog mints: a new key, one beside another, or nothing while it is closed. */
export type Minting = { beside: ConsoleKey | null } | null

export function MintDialog({ minting, onClose }: { minting: Minting; onClose: () => void }) {
  const words = useWords()
  const isFullScreen = useMatches({ base: true, sm: false })
  const [minted, setMinted] = useState<MintedConsoleKey | null>(null)
  const close = () => {
    onClose()
    setMinted(null)
  }
  const { title, rotateTitle } = words.mint
  const formTitle = minting?.beside ? rotateTitle(minting.beside.name) : title
  return (
    <Modal
      opened={minting !== null}
      onClose={close}
      title={minted ? words.shown.title : formTitle}
      size="xl"
      fullScreen={isFullScreen}
      transitionProps={{ duration: 0 }}
      // A slip of the hand must not lose a form, or a key that is shown once.
      closeOnClickOutside={false}
      closeOnEscape={minted === null}
      withCloseButton={minted === null}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {minting && minted === null && <MintForm beside={minting.beside} onMinted={setMinted} onCancel={close} />}
      {minting && minted && <ShownOnce minted={minted} isRotation={minting.beside !== null} onDone={close} />}
    </Modal>
  )
}
