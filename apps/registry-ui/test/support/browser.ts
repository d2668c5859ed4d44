import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

/** Only what the test asks for reaches the network. */
const SWITCHES = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What a page may say about requests that a test lets fail on purpose. */
const FAILED_REQUEST = /Failed to load resource/;

/** Debian's browser with a fresh profile, and what went wrong in its pages. */
export class Browser {
  readonly complaints: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    private readonly profile: string,
  ) {
    context.on('weberror', (error) => this.complaints.push(String(error.error())));
    context.on('console', (message) => {
      // A refusal by the Content-Security-Policy is an error here too.
      if (message.type() === 'error' && !FAILED_REQUEST.test(message.text())) {
        this.complaints.push(message.text());
      }
    });
  }

  static async start(): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: '/usr/bin/chromium',
      args: SWITCHES,
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      locale: 'en-GB',
    });
    context.setDefaultTimeout(20_000);
    return new Browser(context, profile);
  }

  /** An empty tab; with `token` it is signed in. */
  async newPage(token?: string): Promise<Page> {
    const page = await this.context.newPage();
    if (token !== undefined) {
      await page.addInitScript(
        `if (!sessionStorage.getItem('was-here')) {
          sessionStorage.setItem('was-here', '1');
          sessionStorage.setItem('registry-token', ${JSON.stringify(token)});
        }`,
      );
    }
    return page;
  }

  async stop(): Promise<void> {
    await this.context.close();
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
