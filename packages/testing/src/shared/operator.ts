// Runs operator commands for all files of a process of tests, so that `clinicd` is loaded once. Its own process ends with this one.
import { ClinicdCommands } from '../programs/clinicd-commands.ts'

export const operator = new ClinicdCommands()
