import { findPlainPasswords } from '@svc/password-format';
import { AllowList } from './allow-list.js';

const [password] = await findPlainPasswords('password: hunter2\n', 'yaml');
const allows = async (list: string, path: string) => new AllowList(list, 'x.allow').allows(path, password!);

test.each<[string, string, boolean]>([
  ['a.yaml', 'a.yaml', true],
  ['a.yaml', 'b/a.yaml', true],
  ['/a.yaml', 'b/a.yaml', false],
  ['test/', 'test/a/b.yaml', true],
  ['test/*\n!test/b.yaml', 'test/a.yaml', true],
  ['test/*\n!test/b.yaml', 'test/b.yaml', false],
  ['!test/b.yaml\ntest/*', 'test/b.yaml', true],
  ['!b.yaml', 'a.yaml', false],
])('the list %j and the path %s: %s', async (list, path, expected) => {
  expect(await allows(list, path)).toBe(expected);
});

test('a fingerprint allows one value, whatever other lines exclude', async () => {
  const print = await password!.fingerprint();
  expect(await allows(`a.yaml ${print}`, 'a.yaml')).toBe(true);
  expect(await allows(`a.yaml ${'x'.repeat(16)}`, 'a.yaml')).toBe(false);
  expect(await allows(`*.yaml\n!a.yaml\na.yaml ${print}`, 'a.yaml')).toBe(true);
});

test('"!" with a fingerprint is refused, with its line', () => {
  expect(() => new AllowList(`# why\n!a.yaml ${'x'.repeat(16)}`, 'x.allow')).toThrow(
    'x.allow:2: "!" takes a pattern without a fingerprint; leave the fingerprint out',
  );
});
