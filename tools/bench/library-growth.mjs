// Checks that five times as many files take about five times as long.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startZookeeper } from '@svc/test-servers';
import { writeLibrary } from './library-files.mjs';
import { clear, floorLoad, load } from './library-programs.mjs';
import { lineOf, tabulate } from './library-rounds.mjs';

const SMALL = 20_000;
const LARGE = 100_000;

export async function growth({ folder, log }) {
  const zookeeper = await startZookeeper();
  try {
    const round = {};
    for (const files of [SMALL, LARGE]) {
      const source = join(folder, 'growing');
      writeLibrary(source, { files, folders: files / 20 });
      const place = { address: zookeeper.address, source, folder };
      const what = `${files.toLocaleString('en')} files`;
      round[`${what}: bare batches`] = await floorLoad(place, '/floor');
      await clear(place, '/floor');
      round[`${what}: load`] = await load(place, '/ours');
      round[`${what}: load again`] = await load(place, '/ours');
      await clear(place, '/ours');
      rmSync(source, { recursive: true });
    }
    log(lineOf(round));
    const perFile = (what) =>
      (round[`100,000 files: ${what}`].seconds / round[`20,000 files: ${what}`].seconds) * (SMALL / LARGE);
    const { rows } = tabulate([round], {});
    return {
      rows,
      ratios: Object.fromEntries(
        ['bare batches', 'load', 'load again'].map((what) => [
          `${what}: time for one of 100,000 files to that for one of 20,000`,
          perFile(what),
        ]),
      ),
    };
  } finally {
    await zookeeper.stop();
  }
}
