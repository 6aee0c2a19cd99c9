// `clinicd conformance`: the command of the conformance kit, which a vendor installs by itself.
import { Command } from 'commander'

export function conformanceCommand(): Command {
  return new Command('conformance')
    .summary('Check a backend of your own against the rules of the backend port.')
    .description(
      'Hold the rules of the backend port against a backend. Exit 1 when one fails. Use clinics of test data.',
    )
    .argument('[options...]', 'the kit reads its options itself')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (options: readonly string[]) => {
      // Loaded when it is called: no other command needs it.
      const { main } = await import('@clinic-data/conformance/command-line')
      process.exitCode = await main('clinicd conformance', options)
    })
}
