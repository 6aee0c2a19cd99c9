// Writes the golden file of `sc schema`, the command tree as programs see it, so that every change to it is reviewed.
import { writeFileSync } from 'node:fs'
import { schemaFile, schemaText } from './golden-schema.ts'

writeFileSync(schemaFile, schemaText())
