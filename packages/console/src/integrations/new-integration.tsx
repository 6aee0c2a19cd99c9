// Makes an integration with its first key. Afterwards its page is shown.

import { searchOf } from '../belonging/integration-name.tsx'
import { MintDialog } from '../keys/mint-dialog.tsx'
import type { Minting } from '../keys/minting.ts'
import { goTo } from '../places.tsx'

interface NewIntegrationProps {
  minting: Minting
  close: () => void
}

export function NewIntegration({ minting, close }: NewIntegrationProps) {
  return (
    <MintDialog
      minting={minting}
      onClose={close}
      onMinted={({ integration }) => integration && goTo('integrations', searchOf(integration.id))}
    />
  )
}
