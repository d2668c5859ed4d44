import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, recordSecrets } from '@svc/test-servers';
import { startBrowser } from './support/browser.js';
import { Stage } from './support/stage.js';

jest.setTimeout(120_000);

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

let stage: Stage;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let page: Page;
let folder: string;
beforeAll(async () => {
  [stage, browser, folder] = await Promise.all([
    Stage.set(),
    startBrowser(),
    mkdtemp(join(tmpdir(), 'quickstarts-')),
  ]);
  await symlink(MODULES, join(folder, 'node_modules'));
  page = await browser.context.newPage();
  const token = JSON.stringify(await stage.registry.token());
  await page.addInitScript(`sessionStorage.setItem('registry-token', ${token})`);
});
afterAll(async () => {
  await browser.stop();
  await stage.strike();
  await rm(folder, { recursive: true });
});

/** Registers a client in the console. @returns its secret, if one is shown, on the page with the quickstarts */
const register = async (template: string, redirectUri: string): Promise<string | undefined> => {
  await page.goto(`${stage.registry.url}/ui/register?template=${template}`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Quick');
  await page.getByRole('textbox', { name: 'Redirect URIs, 1', exact: true }).fill(redirectUri);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Quick registered' }).waitFor();
  await page.getByLabel('Authorization server').fill(stage.example.server);
  const secret = page.getByRole('status', { name: 'Client secret' });
  if ((await secret.count()) === 0) return undefined;
  const value = (await secret.textContent()) ?? '';
  recordSecrets(value);
  return value;
};

/** The code that the console shows. */
const codeOf = async (framework: string): Promise<string> => {
  await page.getByRole('tab', { name: framework }).click();
  return (await page.getByRole('tabpanel', { name: framework }).locator('pre').textContent()) ?? '';
};

/** Runs a program, signs in through it in another tab, and shows what it answers. */
const signInThrough = async (code: string, secret: string | undefined, redirectUri: string) => {
  const file = join(folder, 'app.mjs');
  await writeFile(file, code);
  const program = spawn(process.execPath, [file], {
    env: { PATH: process.env['PATH'], ...(secret !== undefined && { CLIENT_SECRET: secret }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(program, 'close');
  const tab = await browser.context.newPage();
  try {
    const start = new URL('/', redirectUri).href;
    await eventually(async () => void (await fetch(start, { redirect: 'manual' })));
    await tab.goto(start);
    await tab
      .getByLabel('Your name')
      .or(tab.getByRole('button', { name: 'Allow' }))
      .waitFor();
    if (await tab.getByLabel('Your name').isVisible()) {
      await tab.getByLabel('Your name').fill('ms-quick');
      await tab.getByRole('button', { name: 'Sign in' }).click();
    }
    const allow = tab.getByRole('button', { name: 'Allow' });
    await allow.or(tab.getByText('Signed in:')).waitFor();
    if (await allow.isVisible()) await allow.click();
    await tab.getByText('Signed in:').waitFor();
    return (await tab.locator('body').textContent()) ?? '';
  } finally {
    await tab.context().clearCookies();
    await tab.close();
    program.kill();
    await ended;
  }
};

/** A redirect URI at a free port, where the programs listen. */
const freeRedirectUri = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}/signed-in`;
};

test.each(['web-confidential', 'spa'])(
  "a new %s client's quickstarts sign a user in, as the console shows them",
  async (template) => {
    const redirectUri = await freeRedirectUri();
    const secret = await register(template, redirectUri);
    expect(secret === undefined).toBe(template === 'spa');
    for (const framework of ['openid-client', 'oauth4webapi']) {
      const answer = await signInThrough(await codeOf(framework), secret, redirectUri);
      expect([framework, answer]).toEqual([framework, expect.stringContaining('"iss"')]);
      expect(answer).toContain(stage.example.server);
    }
    const { stdout } = await promisify(execFile)('sh', ['-c', await codeOf('curl')]);
    // Neither refused nor sent back: the user is asked to sign in.
    expect(stdout).toMatch(/^HTTP\/1\.1 303 /);
    expect(/^location: (.*)$/im.exec(stdout)?.[1]).toMatch(/\/interaction\//);
  },
);
