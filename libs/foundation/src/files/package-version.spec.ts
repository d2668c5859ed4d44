import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageVersion } from './package-version.js';

const folder = mkdtempSync(join(tmpdir(), 'version-'));
afterAll(() => rmSync(folder, { recursive: true }));

const moduleIn = (...folders: string[]) => pathToFileURL(join(folder, ...folders, 'module.js')).href;

test('a module has the version of the nearest package.json above it', () => {
  mkdirSync(join(folder, 'outer/inner/dist'), { recursive: true });
  writeFileSync(join(folder, 'outer/package.json'), '{"version": "1.0.0"}');
  writeFileSync(join(folder, 'outer/inner/package.json'), '{"version": "2.0.0"}');
  expect(packageVersion(moduleIn('outer/inner/dist'))).toBe('2.0.0');
  expect(packageVersion(moduleIn('outer/other'))).toBe('1.0.0');
});

test('without a package.json above, that is an error', () => {
  expect(() => packageVersion('file:///nowhere/at/all/module.js')).toThrow(
    'no package.json above file:///nowhere/at/all/module.js',
  );
});
