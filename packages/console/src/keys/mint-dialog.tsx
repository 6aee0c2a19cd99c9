// Mints a key, or a second one beside a key that is rotated, and shows it once.

import type { MintedConsoleKey } from '@clinic-data/console-parts/api'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { useState } from 'react'
import { MintForm } from './mint-form.tsx'
import type { Minting } from './minting.ts'
import { ShownOnce } from './shown-once.tsx'

interface MintDialogProps {
  minting: Minting
  onClose: () => void
  /** After the key was shown. */
  onMinted?: (minted: MintedConsoleKey) => void
}

export function MintDialog({ minting, onClose, onMinted }: MintDialogProps) {
  const words = useWords()
  const { integrations } = useIntegrationWords()
  const [minted, setMinted] = useState<MintedConsoleKey | null>(null)
  const close = () => {
    onClose()
    setMinted(null)
    if (minted !== null) onMinted?.(minted)
  }
  const { title, rotateTitle } = words.mint
  const newTitle = minting?.of === 'new' ? integrations.making.title : title
  const formTitle = minting?.beside ? rotateTitle(minting.beside.name) : newTitle
  return (
    <Dialog title={minted ? words.shown.title : formTitle} isOpen={minting !== null} onClose={close} isForm size="xl">
      {minting && minted === null && <MintForm {...minting} onMinted={setMinted} onCancel={close} />}
      {minting && minted && <ShownOnce minted={minted} isRotation={minting.beside !== null} onDone={close} />}
    </Dialog>
  )
}
