// The look of the console: system fonts, one accent, and colours whose contrast suffices for small text.
import { type CSSVariablesResolver, createTheme } from '@mantine/core'

const SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Hebrew', Arial, sans-serif"
const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace"

/** From the text to the deepest background, with a touch of the accent. */
const DARK = [
  ...(['#d8dce1', '#b4bcc5', '#8b949e', '#5c6670', '#3a424c'] as const),
  ...(['#2c323a', '#1f242b', '#15181d', '#101317', '#0b0d10'] as const),
] as const

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  colors: { dark: DARK },
  defaultRadius: 'md',
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SANS, fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Whoever sees no page hears what is wrong with a field.
  components: { InputError: { defaultProps: { role: 'alert' } } },
})

/** Mantine's own greys and reds are too pale for small text. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#55606b',
    '--mantine-color-placeholder': '#6b7580',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#364fc7',
    '--mantine-color-text': '#1a1f26',
  },
  dark: {
    '--mantine-color-text': '#d8dce1',
    '--mantine-color-dimmed': '#a4adb7',
    '--mantine-color-placeholder': '#8b949e',
    '--mantine-color-error': '#ff9b94',
    '--mantine-color-anchor': '#a5b8ff',
  },
})
