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

test('every nonce placeholder in the page gets the response’s nonce', () => {
  write('<meta nonce="__CSP_NONCE__"><script nonce="__CSP_NONCE__">');
  const { html, policy } = page().answer('n0');
  expect(html).toBe('<meta nonce="n0"><script nonce="n0">');
  expect(policy).toContain("'nonce-n0'");
});

test('the settings appear in the page verbatim, and cannot escape their attribute', () => {
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

test('an unbuilt UI is a 404 that says how to build it', () => {
  expect(() => page().answer()).toThrow(Problem);
  expect(() => page().answer()).toThrow('nx build registry-ui');
});

test('the policy allows no inline code', () => {
  const policy = uiPolicy('n0');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toMatch(/unsafe|data:|\*/);
});
