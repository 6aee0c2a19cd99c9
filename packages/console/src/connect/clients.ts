// The programs that a clinic connects, with the first program in JavaScript that the page has as a file.
import { type ClientName, programs } from '@clinic-data/contract/projections/programs'
import program from './first.mjs?raw'

export const clients = programs(program.trim())

export const clientNames = Object.keys(clients) as ClientName[]
