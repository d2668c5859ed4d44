import { checkYaml } from './check-yaml.js';

const check = async (text: string, signal?: AbortSignal) => checkYaml(Buffer.from(text), signal);

test.each([
  ['commas', `[!x ${','.repeat(100_000)}]`],
  ['unmatched closing brackets', `[${'}'.repeat(100_000)}`],
  ['duplicate keys', `? a\n: b\n${'a: 1\n'.repeat(10_000)}`],
])('a file full of errors yields ten findings: %s', async (_case, text) => {
  const findings = await check(text);
  expect(findings.length).toBeLessThanOrEqual(10);
  expect(findings[0]).toMatchObject({ code: expect.stringMatching(/^yaml-/), line: expect.any(Number) });
});

test('parsing yields to the event loop, and a signal aborts it', async () => {
  const text = `- &a x\n${'- *a\n'.repeat(20_000)}`;
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await expect(check(text)).resolves.toEqual([]);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
  const abort = new AbortController();
  setImmediate(() => abort.abort());
  await expect(check(text, abort.signal)).rejects.toThrow(/abort/);
});

test('a file with too many tokens is rejected before it is composed', async () => {
  const [finding, ...others] = await check(`- &a x\n${'- {a: 1}\n'.repeat(30_000)}`);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    code: 'yaml-size',
    message: 'has more than 300000 words and marks; split the file',
  });
});

test('every document is checked; one with syntax errors only for its syntax', async () => {
  const findings = await check('a: *x\n---\nb: [1\n---\nc: 1\nc: 2\n');
  expect(findings.map(({ code, line }) => `${line} ${code}`)).toEqual([
    '1 yaml-alias',
    '4 yaml-syntax',
    '6 yaml-duplicate-key',
  ]);
});

test('a few or hundreds of nested compact mappings are reported alike', async () => {
  const report = async (lines: number) => check('k: v: 1\n'.repeat(lines));
  const finding = (line: number) => ({
    code: 'yaml-syntax',
    message: 'Nested mappings are not allowed in compact mappings',
    line,
    column: 4,
  });
  expect(await report(2)).toEqual([finding(1), finding(2)]);
  const ten = Array.from({ length: 10 }, (_, index) => finding(index + 1));
  for (const lines of [150, 250, 300, 100_000]) expect(await report(lines)).toEqual(ten);
  const deep = Array.from({ length: 250 }, (_, level) => `${' '.repeat(level)}k:\n`).join('');
  expect(await check(deep)).toMatchObject([{ code: 'yaml-depth' }]);
  expect(await check(`a: b: 1\n${deep}`)).toMatchObject([{ code: 'yaml-syntax', line: 1 }]);
  expect(await check(`${'? '.repeat(250)}a`)).toMatchObject([{ code: 'yaml-depth' }]);
});
