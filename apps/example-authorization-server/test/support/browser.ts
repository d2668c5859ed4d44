import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

/** Disables the browser's own network requests. */
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Debian's browser with a fresh profile. */
export async function startBrowser(): Promise<{
  readonly context: BrowserContext;
  stop(): Promise<void>;
}> {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium-headless-shell',
    args: SWITCHES,
  });
  context.setDefaultTimeout(20_000);
  return {
    context,
    stop: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
