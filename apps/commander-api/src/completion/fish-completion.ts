import {
  type CompletedOption,
  type CompletedPath,
  type CompletionTree,
  pathsOf,
  valuePlacesOf,
} from './completion-tree.js';

/** A script for fish, to be sourced, or saved as `svccmd.fish` in a folder of completions. */
export function fishCompletion(tree: CompletionTree): string {
  const paths = pathsOf(tree);
  const known = paths.flatMap(({ path }) => (path === '' ? [] : [quote(path)])).join(' ');
  const valued = valuePlacesOf(tree)
    .map(({ words }) => quote(words))
    .join(' ');
  return `# Completion of ${tree.name} for fish: ${tree.name} completion fish | source
function __${tree.name}_place
    set -l place ''
    set -l valued no
    for word in (commandline -opc)[2..]
        if test $valued = yes
            set valued no
        else if contains -- "$place $word" ${valued}
            set valued yes
        else if contains -- (string trim -- "$place $word") ${known}
            set place (string trim -- "$place $word")
        end
    end
    # Never empty, so that it is one word in a test.
    echo "at $place"
end
function __${tree.name}_at
    test (__${tree.name}_place) = "at $argv[1]"
end
${paths.flatMap((path) => linesOf(path, tree.name)).join('\n')}
`;
}

function linesOf(
  { path, children, choices, takesOthers, options }: CompletedPath,
  program: string,
): string[] {
  const start = `complete -c ${program} -n ${quote(`__${program}_at ${quote(path)}`)}`;
  return [
    ...children.map(({ name, description }) => `${start} -f -a ${quote(name)} -d ${quote(description)}`),
    ...choices.map((choice) => `${start}${takesOthers ? '' : ' -f'} -a ${quote(choice)}`),
    ...options.map((option) => `${start} ${optionWords(option)}`),
  ];
}

function optionWords({ flags, description, takesValue, choices }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  // Without -x the names of files are offered.
  const values = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : takesValue ? ' -r' : '';
  return `${names.join(' ')}${values} -d ${quote(description)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
