// The programs that a clinic connects, with the first programs that the page has as files.
import { type ClientName, programs } from '@clinic-data/contract/projections/programs'
import manifest from '../../package.json' with { type: 'json' }
import javascript from './first.mjs?raw'
import python from './first.py?raw'

export const clients = programs({ javascript: javascript.trim(), python: python.trim(), version: manifest.version })

export const clientNames = Object.keys(clients) as ClientName[]
