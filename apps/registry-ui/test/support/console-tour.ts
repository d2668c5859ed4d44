import type { Page } from 'playwright-core';
import { Browser, type BrowserName } from './browser.js';
import { Registry } from './registry.js';

/** A registry, a browser, and a signed-in tab per test. An error in a page fails its test. */
export interface Tour {
  readonly registry: Registry;
  readonly browser: Browser;
  readonly page: Page;
  /** Opens a path of the console, such as `/clients`, in the tab. */
  open(path: string): Promise<void>;
}

/**
 * Starts the browser and registry that the tests of a file share.
 *
 * @param environment variables of the registry that extend or override its defaults
 */
export function startTour(
  environment: Readonly<Record<string, string>> = {},
  browserName?: BrowserName,
): Tour {
  let registry: Registry;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [registry, browser] = await Promise.all([Registry.start(environment), Browser.start(browserName)]);
    await browser.keepRenderer(`${registry.url}/health/live`);
  });
  afterAll(async () => {
    await Promise.all([browser.stop(), registry.stop()]);
  });
  beforeEach(async () => {
    page = await browser.newPage(registry.token);
  });
  afterEach(async () => {
    await page.close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });
  return {
    get registry() {
      return registry;
    },
    get browser() {
      return browser;
    },
    get page() {
      return page;
    },
    open: async (path) => {
      await page.goto(`${registry.url}/ui${path}`);
    },
  };
}
