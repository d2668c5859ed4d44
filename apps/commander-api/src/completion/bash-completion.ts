import { type CompletionTree, pathsOf, valuePlacesOf } from './completion-tree.js';

/**
 * A script for bash. Its words are fixed, so that a key press starts no process. Where it has none, bash completes the
 * names of files.
 */
export function bashCompletion(tree: CompletionTree): string {
  const paths = pathsOf(tree);
  const known = paths.flatMap(({ path }) => (path === '' ? [] : [`"${path}"`])).join(' | ');
  const cases = paths.map(({ path, children, choices, options }) => {
    const words = [...children.map(({ name }) => name), ...choices].join(' ');
    const flags = options.flatMap((option) => option.flags).join(' ');
    return `    "${path}") words="${words}" options="${flags}" ;;`;
  });
  const places = valuePlacesOf(tree);
  const values = places
    .filter(({ choices }) => choices.length > 0)
    .map(({ words, choices }) => `    "${words}") words="${choices.join(' ')}" ;;`);
  return `# Completion of ${tree.name} for bash: source <(${tree.name} completion bash)
_${tree.name}() {
  local path="" valued="" word words="" options="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $valued ]]; then
      [[ $word == "=" ]] || valued=""
      continue
    fi
    case "$path $word" in
      ${places.map(({ words }) => `"${words}"`).join(' | ')}) valued="$path $word" ;;
    esac
    case "\${path:+$path }$word" in
      ${known}) path="\${path:+$path }$word" ;;
    esac
  done
  if [[ -n $valued ]]; then
    case "$valued" in
${values.join('\n')}
    esac
  else
    case "$path" in
${cases.join('\n')}
    esac
    [[ $current == -* ]] && words="$options"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${tree.name} ${tree.name}
`;
}
