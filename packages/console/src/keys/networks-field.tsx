// The addresses and networks from which alone a key or a connection may be used: shown, and written as one line.
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { TextInput } from '@mantine/core'

interface NetworksFieldProps {
  text: string
  onChange: (text: string) => void
  fault: string | undefined
}

export function NetworksField({ text, onChange, fault }: NetworksFieldProps) {
  const { changing } = useIntegrationWords().keyPage
  return (
    <TextInput
      label={changing.networks}
      description={changing.networksHint}
      dir="ltr"
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={fault}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

export function KnownNetworks({ networks }: { networks: readonly string[] | null }) {
  const { keyPage } = useIntegrationWords()
  if (networks === null) return keyPage.anywhere
  return (
    <bdi dir="ltr" className="broken-anywhere">
      {textOfNetworks(networks)}
    </bdi>
  )
}

/** Null for an empty line: from anywhere. */
export function networksOf(text: string): string[] | null {
  const networks = text.split(/[\s,;]+/).filter((one) => one !== '')
  return networks.length === 0 ? null : networks
}

export function textOfNetworks(networks: readonly string[] | null | undefined): string {
  return (networks ?? []).join(', ')
}
