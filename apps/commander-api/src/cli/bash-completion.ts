/** A command as a completion sees it. */
export interface CompletionTree {
  readonly name: string;
  readonly options: readonly string[];
  readonly children: readonly CompletionTree[];
}

/** A bash script that completes the tree: its words are fixed, so that a key press starts no process. */
export function bashCompletion(tree: CompletionTree): string {
  const nodes = flatten(tree, '');
  const paths = nodes.flatMap(({ path }) => (path === '' ? [] : [`"${path}"`])).join(' | ');
  const cases = nodes.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`).join('\n');
  return `# Completion of ${tree.name} for bash: source <(${tree.name} completion bash)
_${tree.name}() {
  local path="" word words="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${tree.name} ${tree.name}
`;
}

interface CompletedPath {
  /** Words after the program's name, such as `library load`. */
  readonly path: string;
  readonly words: readonly string[];
}

function flatten(tree: CompletionTree, path: string): CompletedPath[] {
  const own = { path, words: [...tree.children.map(({ name }) => name), ...tree.options] };
  return [
    own,
    ...tree.children.flatMap((child) => flatten(child, path === '' ? child.name : `${path} ${child.name}`)),
  ];
}
