import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '@svc/service-kit';
import { UiFiles } from './ui-files.js';
import { UiPage, uiPolicy } from './ui-page.js';
import type { UiSettings } from './ui-settings.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ui-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (page: string) => writeFileSync(join(folder, 'index.html'), page);
const page = (settings: UiSettings = {}) => new UiPage(new UiFiles(folder), settings);

test('every place for a nonce in the page gets the one of the answer', () => {
  write('<meta nonce="__CSP_NONCE__"><script nonce="__CSP_NONCE__">');
  const { html, policy } = page().answer('n0');
  expect(html).toBe('<meta nonce="n0"><script nonce="n0">');
  expect(policy).toContain("'nonce-n0'");
});

test('the settings stand in the page as they are, and cannot leave their attribute', () => {
  write('<meta content="__UI_SETTINGS__">');
  const oidc = { issuer: 'https://id.example/x', client_id: `"><script>$&'`, scope: 'openid' };
  const { html, policy } = page({ oidc }).answer();
  const [, content = ''] = /^<meta content="([^"<>]*[^<]*)">$/.exec(html) ?? [];
  expect(html).not.toContain('<script');
  expect(
    JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')),
  ).toEqual({
    oidc,
  });
  expect(policy).toContain("connect-src 'self' https://id.example;");
});

test('a UI that was not built is a 404 that says how to build it', () => {
  expect(() => page().answer()).toThrow(Problem);
  expect(() => page().answer()).toThrow('nx build registry-ui');
});

test('the policy has no way in for inline code', () => {
  const policy = uiPolicy('n0');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toMatch(/unsafe|data:|\*/);
});
