// Writes the generated Python files.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles, sourceFolder } from './generated-files.ts'

for (const [name, text] of Object.entries(generatedFiles())) writeFileSync(join(sourceFolder, name), text)
