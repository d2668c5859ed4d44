import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { launchFirefox } from './firefox.js';

/** Chromium without a user interface of its own; it takes about two thirds of the full browser's CPU time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** No traffic of the browser's own. */
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Tabs share a renderer, and with it the code it has compiled.
  '--process-per-site',
  // New tabs use it, too, instead of processes that are started in advance.
  '--renderer-process-limit=1',
  // Pages are used for seconds: optimizing their code, and axe's, takes a fifth of a test's CPU time and gains nothing.
  '--js-flags=--no-opt --no-maglev',
];

/** Console messages about requests that tests fail on purpose. */
const FAILED_REQUEST = /Failed to load resource/;

const WINDOW = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' };

/** Each starts with a fresh profile. */
const LAUNCHERS = { chromium: launchChromium, firefox: launchFirefox };

/** Firefox takes several times as long when tests run side by side. */
const TIMEOUTS_MS = { chromium: 20_000, firefox: 60_000 };

export type BrowserName = keyof typeof LAUNCHERS;

/** Debian's headless Chromium, or its Firefox, and the errors of its pages. */
export class Browser {
  readonly complaints: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    private readonly profile: string,
  ) {
    context.on('weberror', (error) => this.complaints.push(String(error.error())));
    context.on('console', (message) => {
      // Content-Security-Policy violations count as errors.
      if (message.type() === 'error' && !FAILED_REQUEST.test(message.text())) {
        this.complaints.push(message.text());
      }
    });
  }

  static async start(name: BrowserName = 'chromium'): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), `${name}-`));
    const context = await LAUNCHERS[name](profile, WINDOW);
    context.setDefaultTimeout(TIMEOUTS_MS[name]);
    return new Browser(context, profile);
  }

  /** Opens an empty tab, signed in if there is a `token`. */
  async newPage(token?: string): Promise<Page> {
    const page = await this.context.newPage();
    if (token !== undefined) {
      await page.addInitScript(
        // Firefox runs it in the empty page too, which may not use the storage.
        `if (origin !== 'null' && !sessionStorage.getItem('was-here')) {
          sessionStorage.setItem('was-here', '1');
          sessionStorage.setItem('registry-token', ${JSON.stringify(token)});
        }`,
      );
    }
    return page;
  }

  /** Keeps the renderer of a site alive between tests, by a tab that stays open. */
  async keepRenderer(url: string): Promise<void> {
    await this.context.pages()[0]?.goto(url);
  }

  async stop(): Promise<void> {
    await this.context.close();
    await this.context.browser()?.close();
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function launchChromium(profile: string, options: BrowserContextOptions): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    ...options,
    executablePath: HEADLESS_SHELL,
    args: SWITCHES,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}
