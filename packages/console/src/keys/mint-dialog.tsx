// Mints a key, or a second one beside a key that is rotated, and shows it once.

import { useWords } from '@clinic-data/console-words/language'
import { useState } from 'react'
import type { ConsoleKey, MintedConsoleKey } from '../api.ts'
import { Dialog } from '../shown/dialog.tsx'
import { MintForm } from './mint-form.tsx'
import { ShownOnce } from './shown-once.tsx'

/** The dialog mints a new key, one beside another, or nothing while it is closed. */
export type Minting = { beside: ConsoleKey | null } | null

export function MintDialog({ minting, onClose }: { minting: Minting; onClose: () => void }) {
  const words = useWords()
  const [minted, setMinted] = useState<MintedConsoleKey | null>(null)
  const close = () => {
    onClose()
    setMinted(null)
  }
  const { title, rotateTitle } = words.mint
  const formTitle = minting?.beside ? rotateTitle(minting.beside.name) : title
  return (
    <Dialog title={minted ? words.shown.title : formTitle} isOpen={minting !== null} onClose={close} isForm size="xl">
      {minting && minted === null && <MintForm beside={minting.beside} onMinted={setMinted} onCancel={close} />}
      {minting && minted && <ShownOnce minted={minted} isRotation={minting.beside !== null} onDone={close} />}
    </Dialog>
  )
}
