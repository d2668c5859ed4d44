import { type CompletedPath, type CompletionTree, pathsOf } from './completion-tree.js';

/** A script for zsh, to be sourced, or saved as `_svccmd` in a folder of `fpath`. */
export function zshCompletion(tree: CompletionTree): string {
  const paths = pathsOf(tree);
  const known = paths.flatMap(({ path }) => (path === '' ? [] : [quote(path)])).join('|');
  return `#compdef ${tree.name}
# Completion of ${tree.name} for zsh, after compinit: source <(${tree.name} completion zsh)
_${tree.name}() {
  local place="" word
  local -a commands options values
  for word in \${words[2,CURRENT-1]}; do
    case "\${place:+$place }$word" in
      ${known}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${paths.map(caseOf).join('\n')}
  esac
  case "$place \${words[CURRENT-1]}" in
${paths.flatMap(valuesOf).join('\n')}
  esac
  if (( $#values )); then
    compadd -- $values
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

function valuesOf({ path, options }: CompletedPath): string[] {
  return options
    .filter(({ choices }) => choices.length > 0)
    .map(({ flags, choices }) => {
      const places = flags.map((flag) => quote(`${path} ${flag}`)).join('|');
      return `    ${places}) values=(${choices.map(quote).join(' ')}) ;;`;
    });
}

/** `_describe` takes what follows the first colon for the description. */
function described(name: string, description: string): string {
  return quote(`${name.replaceAll(':', '\\:')}:${description}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
