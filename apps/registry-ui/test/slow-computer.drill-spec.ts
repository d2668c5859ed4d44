import { BareChromium, recordFigure } from '@svc/test-servers';
import { Registry } from './support/registry.js';

const CLIENTS = 20_000;
const SLOWDOWN = 4;

/** Milliseconds from the start of the navigation. */
const USABLE_MS = 1_500;
const ON_IDLE_MACHINE = process.env['DRILL_IDLE_MACHINE'] !== undefined;

const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 2);

let registry: Registry;
let browser: BareChromium;

beforeAll(async () => {
  [registry, browser] = await Promise.all([Registry.start(), BareChromium.start()]);
  const lines = Array.from({ length: CLIENTS }, (_, number) =>
    JSON.stringify({
      client_id: `application-${number}`,
      client_name: `Application ${number}`,
      redirect_uris: [`https://application-${number}.example.com/callback`],
      // Every tenth has a warning.
      code_challenge_method: number % 10 === 0 ? 'none' : 'S256',
    }),
  );
  const response = await fetch(`${registry.url}/clients/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${registry.token}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  expect(await response.json()).toMatchObject({ registered: CLIENTS });
}, 300_000);

afterAll(async () => {
  await Promise.all([browser.stop(), registry.stop()]);
});

/**
 * Signs in, and resolves `measured` with the time since the start of the navigation once a row is drawn that can be clicked and
 * the search typed in.
 */
const LIST_USABLE = `
sessionStorage.setItem('registry-token', TOKEN);
globalThis.measured = new Promise((resolve) => {
  const canBeUsed = (element) => {
    if (!element) return false;
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (element === hit || element.contains(hit));
  };
  const look = () => {
    const isBusy = document.querySelector('table[aria-busy="true"]') !== null;
    const parts = ['tbody tr[data-index] a', '[aria-label="Search clients"]'].map((part) => document.querySelector(part));
    if (!isBusy && parts.every(canBeUsed)) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    else requestAnimationFrame(look);
  };
  look();
});`;

test.each([
  ['first visit, nothing cached', true],
  ['later visit', false],
])('%s: the list is usable in time on a slow computer', async (visit, clearCache) => {
  const url = `${registry.url}/ui/clients`;
  const script = LIST_USABLE.replace('TOKEN', JSON.stringify(registry.token));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(await browser.measureVisit(url, script, { clearCache, slowdown: SLOWDOWN }));
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
  recordFigure(
    `${visit}: list usable, median and longest of ${ROUNDS}`,
    `${Math.round(median)} ms, ${Math.round(Math.max(...times))} ms`,
  );
  if (ON_IDLE_MACHINE) expect(median).toBeLessThanOrEqual(USABLE_MS);
});
