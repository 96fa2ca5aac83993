import { type Command, defineCommand, UsageError } from '../command.ts';

/** A first argument that is one of a few words. */
const CHOICE = /^\w+(\|\w+)+/;

/** For each beginning of a command line: the words that can follow. */
function followers(commands: readonly Command[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (before: string, word: string) => {
    if (!found.has(before)) found.set(before, new Set());
    found.get(before)?.add(word);
  };
  for (const { name, options, positionals = '' } of commands) {
    const words = name.split(' ');
    words.forEach((word, index) => {
      add(words.slice(0, index).join(' '), word);
    });
    for (const choice of CHOICE.exec(positionals)?.[0].split('|') ?? []) add(name, choice);
    for (const option of [...Object.keys(options), 'json', 'help']) add(name, `--${option}`);
  }
  return found;
}

const SHELLS: Readonly<Record<string, (lines: readonly (readonly [string, string])[]) => string>> = {
  bash: (lines) => `_payassent() {
  local before="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || before="\${before:+$before }$word"; done
  local words=""
  case "$before" in
${lines.map(([before, words]) => `    '${before}') words='${words}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _payassent payassent`,
  zsh: (lines) => `autoload -U +X bashcompinit && bashcompinit
${SHELLS['bash']?.(lines) ?? ''}`,
  fish: (lines) => `function __payassent_words
  set -l before (string join ' ' (string match -v -- '-*' (commandline -opc)[2..-1]))
  switch "$before"
${lines.map(([before, words]) => `    case '${before}'\n      string split ' ' -- '${words}'`).join('\n')}
  end
end
complete -c payassent -f -a '(__payassent_words)'`,
};

/** The table of commands comes from the one that runs them. */
export const completionOf = (table: () => Promise<Command[]>): Command =>
  defineCommand({
    name: 'completion',
    summary: 'print a script that completes commands and options in a shell',
    positionals: 'bash|zsh|fish',
    options: {},
    details: [
      'For this shell only:      eval "$(payassent completion bash)"',
      'For every new bash:       payassent completion bash >> ~/.bashrc',
      'For every new fish:       payassent completion fish > ~/.config/fish/completions/payassent.fish',
    ].join('\n'),
    async run(_io, { positionals }) {
      const [shell = ''] = positionals;
      const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (!write) throw new UsageError(`Give one of: ${Object.keys(SHELLS).join(', ')}`);
      const lines = [...followers(await table())].map(
        ([before, words]) => [before, [...words].join(' ')] as const,
      );
      const script = write(lines);
      return { document: { shell, script }, text: script };
    },
  });
