// `sc completion bash|zsh|fish`: prints a script that asks `sc` for the possible next words.

import { type Shell, shells } from '../command-line/own-commands.ts'
import type { CommandRun } from '../command-run.ts'
import { UsageError } from '../usage-error.ts'

const scripts: Readonly<Record<Shell, string>> = {
  bash: `_sc() {
  local IFS=$'\\n'
  COMPREPLY=($(sc __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _sc sc
`,
  zsh: `#compdef sc
_sc() {
  local -a found
  found=("\${(@f)$(sc __complete "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}")
  [[ -n "$found" ]] && compadd -- "\${found[@]}" || _default
}
if [[ "$funcstack[1]" = _sc ]]; then
  _sc "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _sc sc
fi
`,
  fish: `function __sc_complete
  set -l words (commandline -opc) (commandline -ct)
  sc __complete $words[2..-1] 2>/dev/null
end
complete -c sc -a '(__sc_complete)'
`,
}

export async function run({ call, stdout }: CommandRun): Promise<void> {
  const shell = shells.find((one) => one === call.args.shell)
  if (shell === undefined) throw new UsageError(`the shell must be one of ${shells.join(', ')}`)
  await stdout.write(scripts[shell])
}
