// The admin console's list of 100,000 Clients in Debian's Chromium, compared with the list's bare request, in turn. A
// wait ends when the first row of the result can be clicked.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { listeningAddress, startPostgres } from '@svc/test-servers';
import { clientLines } from './ui-clients.mjs';
import { measureScroll } from './ui-scroll.mjs';

export const name = 'ui';

const MAIN = fileURLToPath(new URL('../../apps/registry-api/dist/main.js', import.meta.url));

/** The list's initial request. */
const BARE = '/client?sort=-updated_at&limit=100&count=true';

export async function run({ quick, log }) {
  const size = quick
    ? { clients: 2_000, rounds: 2, scrolled: 2_000 }
    : { clients: 100_000, rounds: 9, scrolled: 20_000 };
  const folder = await mkdtemp(join(tmpdir(), 'ui-bench-'));
  const postgres = await startPostgres({ settings: { shared_buffers: '256MB' } });
  const registry = await startRegistry(await postgres.createDatabase(), folder);
  const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    viewport: { width: 1280, height: 800 },
  });
  try {
    log(`importing ${size.clients} Clients`);
    await importClients(registry, size.clients);
    const rounds = [];
    for (let round = 0; round < size.rounds; round += 1)
      rounds.push(await measureRound(browser, registry, round));
    return withScroll(resultOf(rounds), await measureScroll(browser, registry, size.scrolled));
  } finally {
    await browser.close();
    registry.child.kill();
    await once(registry.child, 'exit');
    await postgres.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Measures one visit, in milliseconds. */
async function measureRound(browser, registry, round) {
  const page = await browser.newPage();
  await page.addInitScript(`sessionStorage.setItem('registry-token', ${JSON.stringify(registry.token)})`);
  // Every visit downloads the script again, like a first one.
  const network = await browser.newCDPSession(page);
  await network.send('Network.clearBrowserCache');
  const figures = { 'bare request': await bareRequest(registry) };
  await page.goto(`${registry.url}/ui/clients`, { waitUntil: 'commit' });
  figures['first load'] = await page.evaluate(ROWS_DRAWN);
  await page.reload({ waitUntil: 'commit' });
  figures['load, files cached'] = await page.evaluate(ROWS_DRAWN);
  const steps = {
    'search, from the last key on': async () =>
      page.getByLabel('Search clients').pressSequentially(WORDS[round % WORDS.length]),
    'search cleared': async () => page.getByRole('button', { name: 'Clear search' }).click(),
    'sort by name': async () => page.getByRole('button', { name: 'Name', exact: true }).click(),
    'scroll on by a page': async () =>
      page
        .locator('table')
        .locator('..')
        .evaluate((list) => (list.scrollTop = list.scrollHeight)),
  };
  for (const [what, act] of Object.entries(steps)) figures[what] = await timed(page, act);
  await page.getByRole('button', { name: 'Filter' }).click();
  const kinds = page.getByLabel('Has warnings');
  figures['filter by warnings'] = await timed(page, async () => kinds.selectOption('true'));
  await page.close();
  return figures;
}

/** Each search finds some Clients, but not those shown before. */
const WORDS = ['portal', 'billing ex', 'wallet 7', 'treasury', 'staging'];

/** Time from navigation until a row is rendered and can be clicked. */
const ROWS_DRAWN = `new Promise((resolve) => {
  const look = () => {
    const row = document.querySelector('tbody tr[data-index] a');
    const busy = document.querySelector('table[aria-busy="true"]');
    if (row && !busy) requestAnimationFrame(() => resolve(performance.now()));
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Time from `act`'s last input event until the resulting rows are rendered. */
async function timed(page, act) {
  await page.evaluate(`(() => {
    const first = () => document.querySelector('tbody')?.textContent;
    let last = performance.now();
    for (const kind of ['input', 'click', 'change', 'scroll']) addEventListener(kind, () => (last = performance.now()), { capture: true });
    const before = first();
    window.answered = new Promise((resolve) => {
      const look = () => {
        const busy = document.querySelector('table[aria-busy="true"]');
        if (first() !== before && !busy) requestAnimationFrame(() => resolve(performance.now() - last));
        else requestAnimationFrame(look);
      };
      look();
    });
  })()`);
  await act();
  return page.evaluate('window.answered');
}

async function bareRequest({ url, token }) {
  const started = performance.now();
  const response = await fetch(url + BARE, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the bare request was answered with ${response.status}`);
  return performance.now() - started;
}

function resultOf(rounds) {
  const names = Object.keys(rounds[0]);
  const middle = Object.fromEntries(
    names.map((what) => [what, median(rounds.map((figures) => figures[what]))]),
  );
  const rows = names.map((what) => ({
    what,
    'median ms': Math.round(middle[what]),
    'most ms': Math.round(Math.max(...rounds.map((figures) => figures[what]))),
  }));
  const ratios = Object.fromEntries(
    names.slice(1).map((what) => [`${what} to the bare request`, middle[what] / middle['bare request']]),
  );
  return { rows, ratios };
}

function withScroll({ rows, ratios }, { console, plain }) {
  const row = (what, ms) => ({ what, 'median ms': Math.round(ms), 'most ms': Math.round(ms) });
  return {
    rows: [...rows, row('script of scrolling', console), row('script of scrolling a plain table', plain)],
    ratios: { ...ratios, 'script of scrolling to a plain table': console / plain },
  };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function importClients({ url, token }, count) {
  const response = await fetch(`${url}/clients/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: [...clientLines(count)].join(''),
  });
  const answer = await response.json();
  const { registered, detail } = /** @type {{ registered?: number, detail?: string }} */ (answer);
  if (registered !== count) throw new Error(`${registered} of ${count} Clients were imported: ${detail}`);
}

async function startRegistry(databaseUrl, folder) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      PORT: '0',
      APPLICATION_TYPES: 'native',
      GRANT_TYPES: 'refresh_token',
      TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic client_secret_post',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await listeningAddress(child);
  const token = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
  return { url, token, child };
}
