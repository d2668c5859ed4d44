import {
  type CompletedPath,
  type CompletionTree,
  pathsOf,
  type ValuePlace,
  valuePlacesOf,
} from './completion-tree.js';

/** A script for zsh, to be sourced, or saved as `_svccmd` in a folder of `fpath`. */
export function zshCompletion(tree: CompletionTree): string {
  const paths = pathsOf(tree);
  const known = paths.flatMap(({ path }) => (path === '' ? [] : [quote(path)])).join('|');
  const places = valuePlacesOf(tree);
  return `#compdef ${tree.name}
# Completion of ${tree.name} for zsh, after compinit: source <(${tree.name} completion zsh)
_${tree.name}() {
  local place="" valued="" word
  local -a commands options values
  for word in \${words[2,CURRENT-1]}; do
    if [[ -n $valued ]]; then
      valued=""
      continue
    fi
    case "$place $word" in
      ${places.map(({ words }) => quote(words)).join('|')}) valued="$place $word" ;;
    esac
    case "\${place:+$place }$word" in
      ${known}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${paths.map(caseOf).join('\n')}
  esac
  case "$valued" in
${places.flatMap(valuesOf).join('\n')}
  esac
  if [[ -n $valued ]]; then
    (( $#values )) && compadd -- $values || _files
  elif [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option options
  else
    (( $#commands )) && _describe command commands || _files
  fi
}
if [[ "$funcstack[1]" == _${tree.name} ]]; then
  _${tree.name} "$@"
else
  compdef _${tree.name} ${tree.name}
fi
`;
}

function caseOf({ path, children, choices, options }: CompletedPath): string {
  const commands = [
    ...children.map(({ name, description }) => described(name, description)),
    ...choices.map(quote),
  ];
  const flags = options.flatMap((option) => option.flags.map((flag) => described(flag, option.description)));
  return `    ${quote(path)}) commands=(${commands.join(' ')}) options=(${flags.join(' ')}) ;;`;
}

function valuesOf({ words, choices }: ValuePlace): string[] {
  return choices.length > 0 ? [`    ${quote(words)}) values=(${choices.map(quote).join(' ')}) ;;`] : [];
}

/** `_describe` takes what follows the first colon for the description. */
function described(name: string, description: string): string {
  return quote(`${name.replaceAll(':', '\\:')}:${description}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
