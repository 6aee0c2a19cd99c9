// The choice of language and colours.

import { type Language, languages, useSpeech } from '@clinic-data/console-words/language'
import { Group, NativeSelect, useMantineColorScheme } from '@mantine/core'

const SCHEMES = ['auto', 'light', 'dark'] as const

export function Preferences() {
  const { language, speak, words } = useSpeech()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Group gap="xs" wrap="nowrap" grow>
      <NativeSelect
        size="xs"
        aria-label={words.language}
        value={language}
        onChange={({ currentTarget }) => speak(currentTarget.value as Language)}
        data={languages.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NativeSelect
        size="xs"
        aria-label={words.scheme.label}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(currentTarget.value as (typeof SCHEMES)[number])}
        data={SCHEMES.map((scheme) => ({ value: scheme, label: words.scheme[scheme] }))}
      />
    </Group>
  )
}
