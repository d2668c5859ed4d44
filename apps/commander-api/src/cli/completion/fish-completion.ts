import { type CompletedOption, type CompletedPath, type CompletionTree, pathsOf } from './completion-tree.js';

/** A script for fish, to be sourced, or saved as `svccmd.fish` in a folder of completions. */
export function fishCompletion(tree: CompletionTree): string {
  const paths = pathsOf(tree);
  const known = paths.flatMap(({ path }) => (path === '' ? [] : [quote(path)])).join(' ');
  return `# Completion of ${tree.name} for fish: ${tree.name} completion fish | source
function __${tree.name}_place
    set -l place
    for word in (commandline -opc)[2..]
        if contains -- (string join -- ' ' $place $word) ${known}
            set -a place $word
        end
    end
    string join -- ' ' $place
end
function __${tree.name}_at
    test (__${tree.name}_place | string collect --allow-empty) = "$argv[1]"
end
${paths.flatMap((path) => linesOf(path, tree.name)).join('\n')}
`;
}

function linesOf({ path, children, choices, options }: CompletedPath, program: string): string[] {
  const start = `complete -c ${program} -n ${quote(`__${program}_at ${quote(path)}`)}`;
  return [
    ...children.map(({ name, description }) => `${start} -f -a ${quote(name)} -d ${quote(description)}`),
    ...choices.map((choice) => `${start} -f -a ${quote(choice)}`),
    ...options.map((option) => `${start} ${optionWords(option)}`),
  ];
}

function optionWords({ flags, description, choices }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const values = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : '';
  return `${names.join(' ')}${values} -d ${quote(description)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
