import { type CompletionTree, pathsOf } from './completion-tree.js';

/** A script for bash. Its words are fixed, so that a key press starts no process. */
export function bashCompletion(tree: CompletionTree): string {
  const paths = pathsOf(tree);
  const known = paths.flatMap(({ path }) => (path === '' ? [] : [`"${path}"`])).join(' | ');
  const cases = paths.map(({ path, children, choices, options }) => {
    const words = [...children.map(({ name }) => name), ...choices, ...options.flatMap(({ flags }) => flags)];
    return `    "${path}") words="${words.join(' ')}" ;;`;
  });
  const values = paths.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .flatMap(({ flags, choices }) =>
        flags.map((flag) => `    "${path} ${flag}") words="${choices.join(' ')}" ;;`),
      ),
  );
  return `# Completion of ${tree.name} for bash: source <(${tree.name} completion bash)
_${tree.name}() {
  local path="" word words="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${known}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  case "$path \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${tree.name} ${tree.name}
`;
}
