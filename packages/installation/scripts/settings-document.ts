// Writes the tables of all settings from their definitions. Prints them with: node packages/installation/scripts/settings-document.ts
import { chapters, type Definition } from '../src/settings/definitions.ts'
import { secretSettings } from '../src/settings/setting-names.ts'

const INTRODUCTION = `# Settings

Settings come from the environment. A wrong value, or a name that is one slip away from a setting that is not set (\`DATABSE_URL\`), prints
one clear line and exits with 2. An empty value counts as unset. This page is made from the definitions (\`npm run golden\`).

A value that holds a secret may stand in a file instead. The setting with \`_FILE\` behind its name tells the path:
${secretSettings.map((name) => `\`${name}_FILE\``).join(', ')}.
`

/** The whole of `docs/settings.md`. */
export function settingsDocument(): string {
  const all = Object.entries<Record<string, Definition>>(chapters).map(
    ([title, chapter]) => `## ${title}

| Setting | Default | Meaning |
|---|---|---|
${Object.entries(chapter).map(row).join('\n')}
`,
  )
  return [INTRODUCTION, ...all].join('\n')
}

function row([name, { default: value, otherwise = '', meaning }]: [string, Definition]): string {
  const shown = value === undefined ? otherwise : `\`${value}\``
  return `| \`${name}\` |${shown && ` ${shown}`} | ${meaning} |`
}

if (import.meta.main) process.stdout.write(settingsDocument())
