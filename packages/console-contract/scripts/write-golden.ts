// Writes the golden file of the console's permissions, so that every change to them is reviewed.
import { writeFileSync } from 'node:fs'
import { permissionsFile, permissionsText } from './golden-permissions.ts'

writeFileSync(permissionsFile, permissionsText())
