import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readStaticFiles } from './ui-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ui-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('each file has its type, and text is compressed once', async () => {
  writeFileSync(join(folder, 'index-1.js'), 'export {};');
  writeFileSync(join(folder, 'inter-1.woff2'), 'font');
  const files = readStaticFiles(folder);
  const script = files.get('index-1.js');
  expect(script).toMatchObject({ contentType: 'text/javascript; charset=utf-8' });
  const gzipped = await script?.compressed?.('gzip');
  expect(gunzipSync(gzipped ?? '').toString()).toBe('export {};');
  expect(await script?.compressed?.('gzip')).toBe(gzipped);
  expect(brotliDecompressSync((await script?.compressed?.('br')) ?? '').toString()).toBe('export {};');
  expect(files.get('inter-1.woff2')).toEqual({ contentType: 'font/woff2', plain: Buffer.from('font') });
});

test('files beside or below the folder have no name', () => {
  mkdirSync(join(folder, 'below'));
  writeFileSync(join(folder, 'below', 'secret.js'), '');
  const files = readStaticFiles(folder);
  expect([...files.keys()]).toEqual([]);
});

test('a missing folder has no files', () => {
  expect(readStaticFiles(join(folder, 'away')).size).toBe(0);
});
