/** Far deeper than anything written by hand. */
export const MAX_YAML_DEPTH = 200;

/** Limits aliases, so that a small file cannot expand without bounds. */
export const MAX_YAML_ALIASES = 100;

/** The part of the package `yaml` that parses only the syntax. */
interface YamlSyntax {
  readonly Lexer: new () => { lex(text: string): Iterable<string> };
  readonly Parser: new () => {
    readonly stack: readonly YamlToken[];
    readonly offset: number;
    next(lexeme: string): Iterable<unknown>;
  };
}

/** The properties of a token that determine its nesting. */
interface YamlToken {
  readonly type: string;
}

interface YamlItem {
  readonly start?: readonly YamlToken[];
  readonly sep?: readonly YamlToken[] | null;
}

export interface TooDeepYaml {
  /** Where the nesting becomes too deep. */
  readonly offset: number;
  /** Offsets of likely mistakes that cause the nesting; see `compactMappings`. */
  readonly compact: readonly number[];
}

/** Limits the report for a text full of errors. */
const MAX_COMPACT = 10;

/**
 * Finds mappings on the same line as their key, `k: v: 1`. YAML forbids them, but each swallows the lines after it,
 * so a few hundred such lines are nested that deeply.
 *
 * @param stack the parser's current stack
 * @returns the offsets of the first ten
 */
export function compactMappings(stack: readonly YamlToken[]): number[] {
  const found: number[] = [];
  for (const [index, token] of stack.entries()) {
    const parent = stack[index - 1];
    if (token.type !== 'block-map' || parent?.type !== 'block-map') continue;
    const { start, sep } = (parent as YamlToken & { items: readonly YamlItem[] }).items.at(-1) ?? {};
    if (!sep || sep.some(({ type }) => type === 'newline')) continue;
    if (start?.some(({ type }) => type === 'explicit-key-ind')) continue;
    found.push((token as YamlToken & { offset: number }).offset);
    if (found.length === MAX_COMPACT) break;
  }
  return found;
}

/**
 * Detects text nested too deeply for the parser, which is recursive: brackets can exhaust the stack and crash the
 * process despite `catch`. Parsing only the syntax needs no recursion.
 *
 * @param yaml the package `yaml`, which callers load lazily
 * @returns undefined if the text is fine
 */
export function yamlTooDeepAt({ Lexer, Parser }: YamlSyntax, text: string): TooDeepYaml | undefined {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // The generator works only while it is consumed.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > MAX_YAML_DEPTH)
      return { offset: parser.offset, compact: compactMappings(parser.stack) };
  }
  return undefined;
}
