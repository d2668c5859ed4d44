import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '@svc/service-kit';
import { UiFiles } from './ui-files.js';
import { uiPolicy } from './ui-policy.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ui-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('every place for a nonce in the page gets the one of the answer', () => {
  writeFileSync(join(folder, 'index.html'), '<meta nonce="__CSP_NONCE__"><script nonce="__CSP_NONCE__">');
  expect(new UiFiles(folder).pageWith('n0')).toBe('<meta nonce="n0"><script nonce="n0">');
});

test('a UI that was not built is a 404 that says how to build it', () => {
  expect(() => new UiFiles(folder).pageWith('n0')).toThrow(Problem);
  expect(() => new UiFiles(folder).pageWith('n0')).toThrow('nx build registry-ui');
});

test('the policy has no way in for inline code', () => {
  const policy = uiPolicy('n0');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|data:|\*/);
});
