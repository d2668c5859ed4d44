import { folderOfUrl, isFolderPath, toSubfolder } from './source-address.js';

test.each([
  '/srv/library',
  './library',
  'library',
  '../a',
  '/srv/@svc/library',
  './a:b',
  'a/b:c',
  './a@b/c',
  '../a@b/c',
  'a@b',
])('%s is a folder path', (text) => expect(isFolderPath(text)).toBe(true));

test.each([
  'git://u:t@h/x.git',
  'htps://u:t@h/x.git',
  'git:/u:t@h/x.git',
  'git:u:t@h/x.git',
  '//u:t@h/x.git',
  '//t@h/x.git',
  'git//t@h/x.git',
  'git/u:t@h/x.git',
  '/git/u:t/o@h/x.git',
  'git@h:x.git',
  'git/t@h/x.git',
  't@h/group/x.git',
  ' git://u:t@h/x.git',
  'file:///srv',
  'C:\\library',
])('%s is not a folder path: it may contain a token', (text) => expect(isFolderPath(text)).toBe(false));

test.each([
  ['file:///srv/library', '/srv/library'],
  ['file:///a%20b%3Ac%40d%25', '/a b:c@d%'],
  ['FILE:///srv', '/srv'],
])('%s means the folder %s', (text, folder) => expect(folderOfUrl(text)).toBe(folder));

test.each([
  'file:relative',
  'file:/srv',
  'file://srv/library',
  'file:///srv?x',
  'file:///srv#x',
  'file:///a%2Fb',
  'file:///%zz',
  'file:',
])('%s is rejected', (text) =>
  expect(() => folderOfUrl(text)).toThrow(
    new RangeError(
      'write a folder as file:///folder, with three slashes, and "?", "#" and "%" percent-encoded',
    ),
  ),
);

test('a subfolder is normalized, and must stay within the source', () => {
  expect([undefined, '', '/', '/a/', './a//b/.', 'a'].map(toSubfolder)).toEqual([
    '',
    '',
    '',
    'a',
    'a/b',
    'a',
  ]);
  for (const text of ['..', '../a', 'a/../../b']) {
    expect(() => toSubfolder(text)).toThrow(
      new RangeError('the subfolder leads out of the source; remove the ".."'),
    );
  }
});
