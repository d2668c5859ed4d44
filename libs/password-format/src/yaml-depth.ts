import type * as Yaml from 'yaml';

/** What people write is far shallower. */
export const MAX_YAML_DEPTH = 200;

/**
 * Where a text is nested too deeply to be parsed: the parser recurses, and a text of brackets can use up the stack in a
 * way that ends the process, which no `catch` helps against. The syntax alone is read without recursion.
 *
 * @param yaml the package, which is loaded only where a text is parsed
 * @returns an offset into the text; undefined when it is fine
 */
export function yamlTooDeepAt({ Lexer, Parser }: typeof Yaml, text: string): number | undefined {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Drained, since it does its work as it is read.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > MAX_YAML_DEPTH) return parser.offset;
  }
  return undefined;
}
