// Writes the client's generated files, and the declarations of its code.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compiledDeclarations, goldenFolder } from './declarations.ts'
import { generatedFiles, sourceFolder } from './generated-files.ts'

for (const [name, text] of Object.entries(generatedFiles())) writeFileSync(join(sourceFolder, name), text)
rmSync(goldenFolder, { recursive: true, force: true })
mkdirSync(goldenFolder)
for (const [name, text] of Object.entries(compiledDeclarations())) writeFileSync(join(goldenFolder, name), text)
