import { readFileSync } from 'node:fs';
import { type BrowserContext, type BrowserContextOptions, firefox } from 'playwright-core';

/** Playwright ends the connection to earlier versions, which do not know `network.addDataCollector`. */
export const OLDEST_FIREFOX = 143;

/** Of Debian's Firefox: without the updates of Debian's security team, it may be too old. */
export function firefoxVersion(): number {
  const [, version] =
    /^Version=(\d+)/m.exec(readFileSync('/usr/lib/firefox-esr/application.ini', 'utf8')) ?? [];
  return Number(version);
}

/** Playwright sends it for every window, but Firefox ESR does not know it yet. */
const UNKNOWN_COMMAND = 'emulation.setMediaFeaturesOverride';

const PREFERENCES = {
  // No traffic of the browser's own.
  'services.settings.server': 'data:,',
  // In place of the unknown command.
  'ui.prefersReducedMotion': 1,
};

interface Session {
  send(method: string, ...parameters: unknown[]): Promise<unknown>;
}

/** The part of Playwright's internals that sends commands. */
interface Internals {
  readonly _connection: { toImpl(browser: unknown): { readonly _browserSession: Session } };
}

/**
 * Debian's Firefox, driven by WebDriver BiDi.
 *
 * @param home a folder of the current user, without which Firefox refuses to start
 */
export async function launchFirefox(home: string, options: BrowserContextOptions): Promise<BrowserContext> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: '/usr/bin/firefox-esr',
    env: { ...process.env, HOME: home },
    firefoxUserPrefs: PREFERENCES,
  });
  const session = (browser as unknown as Internals)._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = async (method, ...parameters) =>
    method === UNKNOWN_COMMAND ? undefined : send(method, ...parameters);
  return browser.newContext(options);
}
