import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * The words and options of this tool's command line. `--help` prints the comment at the start of the tool's file and ends the
 * process; an unknown option does so with status 2, since a tool that ignores a misspelt one does something else than asked.
 *
 * @template {string} Flag
 * @template {string} [Value=never]
 * @param {readonly Flag[]} flags
 * @param {readonly Value[]} [values] options that take a value
 * @returns {{ words: string[], flags: Record<Flag, boolean>, values: Partial<Record<Value, string>> }} without the dashes
 */
export function readCommandLine(flags, values = []) {
  const { positionals, given } = parse([...flags, 'help'], values);
  if (given['help'] !== undefined) {
    console.log(usage());
    process.exit(0);
  }
  const set = /** @type {Record<Flag, boolean>} */ (
    Object.fromEntries(flags.map((flag) => [flag, given[flag] !== undefined]))
  );
  return {
    words: positionals,
    flags: set,
    values: /** @type {Partial<Record<Value, string>>} */ (given),
  };
}

/**
 * @param {readonly string[]} flags
 * @param {readonly string[]} values
 * @returns {{ positionals: string[], given: Record<string, string | boolean | undefined> }}
 */
function parse(flags, values) {
  const options = /** @type {import('node:util').ParseArgsConfig['options']} */ (
    Object.fromEntries([
      ...flags.map((flag) => [flag, { type: 'boolean' }]),
      ...values.map((value) => [value, { type: 'string' }]),
    ])
  );
  try {
    const { values: given, positionals } = parseArgs({ options, allowPositionals: true });
    return { positionals, given: /** @type {Record<string, string | boolean | undefined>} */ (given) };
  } catch (error) {
    console.error(`${error.message.split('. ')[0]}\n\n${usage()}`);
    process.exit(2);
  }
}

function usage() {
  const [comment = ''] = /^(\/\/.*\n)+/.exec(readFileSync(process.argv[1] ?? '', 'utf8')) ?? [];
  return comment.replaceAll(/^\/\/ ?/gm, '').trimEnd();
}
