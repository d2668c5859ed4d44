/** What people write is far shallower. */
export const MAX_YAML_DEPTH = 200;

/** The part of the package `yaml` that reads the syntax alone. */
interface YamlSyntax {
  readonly Lexer: new () => { lex(text: string): Iterable<string> };
  readonly Parser: new () => {
    readonly stack: readonly unknown[];
    readonly offset: number;
    next(lexeme: string): Iterable<unknown>;
  };
}

/**
 * Where a text is nested too deeply to be parsed: the parser recurses, and a text of brackets can use up the stack in a
 * way that ends the process, which no `catch` helps against. The syntax alone is read without recursion.
 *
 * @param yaml the package `yaml`, which its users load only where a text is parsed
 * @returns an offset into the text; undefined when it is fine
 */
export function yamlTooDeepAt({ Lexer, Parser }: YamlSyntax, text: string): number | undefined {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Drained, since it does its work as it is read.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > MAX_YAML_DEPTH) return parser.offset;
  }
  return undefined;
}
