/** What people write is far shallower. */
export const MAX_YAML_DEPTH = 200;

/** The part of the package `yaml` that reads the syntax alone. */
interface YamlSyntax {
  readonly Lexer: new () => { lex(text: string): Iterable<string> };
  readonly Parser: new () => {
    readonly stack: readonly YamlToken[];
    readonly offset: number;
    next(lexeme: string): Iterable<unknown>;
  };
}

/** The part of a token that says how it is nested. */
interface YamlToken {
  readonly type: string;
}

interface YamlItem {
  readonly start?: readonly YamlToken[];
  readonly sep?: readonly YamlToken[] | null;
}

export interface TooDeepYaml {
  /** Where the nesting goes too deep. */
  readonly offset: number;
  /** Offsets of what makes it so deep by mistake; see `compactMappings`. */
  readonly compact: readonly number[];
}

/** A text that is wrong throughout need not be reported line by line. */
const MAX_COMPACT = 10;

/**
 * Finds mappings that stand on the line of their key, `k: v: 1`. YAML forbids them, and each takes the lines after it for
 * its own: a few hundred such lines are nested as deeply.
 *
 * @param stack of the parser, where it is
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
 * Where a text is nested too deeply to be parsed: the parser recurses, and a text of brackets can use up the stack in a
 * way that ends the process, which no `catch` helps against. The syntax alone is read without recursion.
 *
 * @param yaml the package `yaml`, which its users load only where a text is parsed
 * @returns undefined when it is fine
 */
export function yamlTooDeepAt({ Lexer, Parser }: YamlSyntax, text: string): TooDeepYaml | undefined {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Drained, since it does its work as it is read.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > MAX_YAML_DEPTH)
      return { offset: parser.offset, compact: compactMappings(parser.stack) };
  }
  return undefined;
}
