type Member = (character: string) => boolean;

/** git's character classes, which are ASCII-only. */
const CLASSES = new Map<string, Member>(
  Object.entries({
    alnum: /[0-9A-Za-z]/,
    alpha: /[A-Za-z]/,
    blank: /[ \t]/,
    cntrl: /[^ -~\u0080-\uffff]/,
    digit: /[0-9]/,
    graph: /[!-~]/,
    lower: /[a-z]/,
    print: /[ -~]/,
    punct: /[!-/:-@[-`{-~]/,
    space: /[ \t\n\r]/,
    upper: /[A-Z]/,
    xdigit: /[0-9A-Fa-f]/,
  }).map(([name, characters]) => [name, (character) => characters.test(character)]),
);

/**
 * Parses a bracket expression like git, ignoring case: `[a-z]`, `[!abc]`, `[[:digit:]_]`, `[]]`.
 *
 * @param start index of `[`
 * @returns its matcher and the index of its `]`; undefined if unclosed or with an unknown class
 */
export function readBracket(text: string, start: number): { matches: Member; end: number } | undefined {
  const isNegated = text[start + 1] === '!' || text[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  const members: Member[] = [];
  let previous: string | undefined;
  let at = first;
  // A leading `]` is a member.
  while (at === first || text[at] !== ']') {
    const found = readMember(text, at, previous);
    if (found === undefined) return undefined;
    members.push(found.member);
    previous = found.character;
    at = found.next;
  }
  const contains = (character: string) => members.some((member) => member(character));
  const matches = (character: string) =>
    (contains(character.toLowerCase()) || contains(character.toUpperCase())) !== isNegated;
  return { matches, end: at };
}

interface FoundMember {
  readonly member: Member;
  readonly next: number;
  /** The character that may start a range. */
  readonly character?: string;
}

function readMember(text: string, at: number, previous: string | undefined): FoundMember | undefined {
  if (text[at] === '-' && previous !== undefined && text[at + 1] !== undefined && text[at + 1] !== ']') {
    const last = readCharacter(text, at + 1);
    return last && { member: (one) => one >= previous && one <= last.character, next: last.next };
  }
  if (text.startsWith('[:', at)) {
    const end = text.indexOf(']', at + 2);
    if (end < 0) return undefined;
    if (end > at + 2 && text[end - 1] === ':') {
      const member = CLASSES.get(text.slice(at + 2, end - 1));
      return member && { member, next: end + 1 };
    }
  }
  const found = readCharacter(text, at);
  return found && { ...found, member: (one) => one === found.character };
}

/** @returns undefined at the end of the text */
function readCharacter(text: string, at: number): { character: string; next: number } | undefined {
  const index = text[at] === '\\' ? at + 1 : at;
  const character = text[index];
  return character === undefined ? undefined : { character, next: index + 1 };
}
