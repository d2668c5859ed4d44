import { gzipSync } from 'node:zlib';
import { startTour } from './support/console-tour.js';

const tour = startTour();

test.each(['/', '/clients', '/register?template=blank'])(
  'the scripts of %s as the first screen are at most 250 kB in 25 files, compressed, and cached forever',
  async (path) => {
    const sizes: number[] = [];
    tour.page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      sizes.push(Number(response.headers()['content-length']));
      expect(response.headers()['cache-control']).toContain('immutable');
    });
    // Code that is loaded ahead of time, when the browser is idle, is not part of the first screen.
    await tour.page.addInitScript('globalThis.requestIdleCallback = () => 0');
    await tour.open(path);
    await tour.page.getByRole('heading', { level: 1 }).waitFor();
    await tour.page.waitForLoadState('networkidle');
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.length).toBeLessThanOrEqual(25);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  },
);

test.each([
  ['scripts', 'js', 150_000],
  ['styles', 'css', 22_000],
])('the %s of the page itself are within their budget, gzipped', async (_what, extension, most) => {
  const html = await (await fetch(`${tour.registry.url}/ui/clients`)).text();
  const names = new RegExp(`(?:src|href)="([^"]+\\.${extension})"`, 'g');
  const sizes = await Promise.all(
    [...html.matchAll(names)].map(
      async ([, path]) => gzipSync(await (await fetch(tour.registry.url + path)).arrayBuffer()).length,
    ),
  );
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(most);
});
