import { EMPTY_CONTEXT } from '../test/shell/empty-context.js';
import { COMMAND_EXAMPLES } from './command-line/command-examples.js';
import { manPages } from './command-line/man-pages.js';
import { COMMANDS } from './command-table.js';

let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  pages = await manPages(COMMANDS, EMPTY_CONTEXT, '1.2.3');
});

const page = (name: string): string => pages.get(name) ?? '';

test('every command has a page', () => {
  const names = Object.keys(COMMAND_EXAMPLES).map(
    (path) => `${`svccmd ${path}`.trim().replaceAll(' ', '-')}.1`,
  );
  expect([...pages.keys()].sort()).toEqual(names.sort());
});

test('a page has the arguments, options, notes and examples of its command, and leads to the one above', () => {
  const sections = [...page('svccmd-encpwd.1').matchAll(/^\.SH (.+)$/gm)].map(([, title]) => title);
  expect(sections).toEqual([
    ...['NAME', 'SYNOPSIS', 'DESCRIPTION', 'ARGUMENTS', 'OPTIONS', 'NOTES', 'EXAMPLES', 'SEE ALSO'],
  ]);
  expect(page('svccmd-encpwd.1')).toContain('.B \\-\\-key\\-file <file>\nuse this key file');
  expect(page('svccmd-encpwd.1')).toContain('.BR svccmd (1)');
});

test("the program's page has the exit codes, and leads to all commands", () => {
  expect(page('svccmd.1')).toMatch(/^\.SH EXIT CODES$/m);
  expect(page('svccmd.1')).toContain('.B svccmd\\-library(1)\nload a library into the coordination cluster');
  expect(page('svccmd-library.1')).toContain('.B svccmd\\-library\\-load(1)');
});

test('no line is taken for a request by mistake', () => {
  const requests = [...pages.values()].flatMap((text) => text.match(/^[.'].*$/gm) ?? []);
  expect(requests.filter((line) => !/^\.(TH|ad|SH|TP|PP|B|BR|nf|fi)\b/.test(line))).toEqual([]);
});
