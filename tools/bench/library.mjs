// Loading a library into a warm, standalone ZooKeeper as `svccmd` does it, against bare batches of the same nodes, in turn.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startZookeeper } from '../../libs/test-servers/dist/index.js';
import { writeLibrary } from './library-files.mjs';
import { measureProcess, median } from './process-figures.mjs';

export const name = 'library';

const SVCCMD = fileURLToPath(new URL('../../apps/commander-api/bin/svccmd.js', import.meta.url));
const CLEAR = fileURLToPath(new URL('library-clear.mjs', import.meta.url));
const FLOOR = fileURLToPath(new URL('library-floor.mjs', import.meta.url));

export async function run({ quick, log }) {
  const size = quick ? { files: 500, folders: 30, rounds: 2 } : { files: 5_000, folders: 300, rounds: 5 };
  const folder = mkdtempSync(join(tmpdir(), 'library-bench-'));
  const zookeeper = await startZookeeper();
  try {
    const source = join(folder, 'library');
    const { bytes } = writeLibrary(source, size);
    log(`${size.files} files, ${size.folders} folders, ${(bytes / 1e6).toFixed(1)} MB`);
    const place = { address: zookeeper.address, source, folder };
    // What a server does first it does slowly: the virtual machine compiles.
    for (let warming = 0; warming < 3; warming += 1) {
      await floorLoad(place, '/floor');
      await clear(place, '/floor');
    }
    const rounds = [];
    for (let round = 0; round < size.rounds; round += 1) {
      const floor = await floorLoad(place, '/floor');
      const first = await load(place, '/ours');
      const again = await load(place, '/ours');
      await clear(place, '/floor', '/ours');
      rounds.push({ floor, first, again });
      log(`load ${first.seconds} s, again ${again.seconds} s, bare batches ${floor.seconds.toFixed(3)} s`);
    }
    const { floor, first, again } = median(rounds, (round) => round.first.seconds / round.floor.seconds);
    return {
      rows: [rowOf('load', first), rowOf('bare batches', floor), rowOf('load again, nothing changed', again)],
      ratios: {
        'load: time to that of bare batches': first.seconds / floor.seconds,
        'load again: time to that of bare batches': again.seconds / floor.seconds,
      },
    };
  } finally {
    await zookeeper.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function load({ address, source, folder }, node) {
  const config = join(folder, 'svccmd.conf');
  writeFileSync(config, `[source]\npath=${source}\n[destination]\nurls=${address}\npath=${node}\n`);
  return figures(await measureProcess([SVCCMD, '-c', config, '--json', 'library', 'load']));
}

async function floorLoad({ address, source }, node) {
  return figures(await measureProcess([FLOOR, address, node, source]));
}

async function clear({ address }, ...nodes) {
  await measureProcess([CLEAR, address, ...nodes]);
}

/** Both programs tell the time of the work itself, without that of starting Node. */
function figures({ stdout, peakMb, seconds }) {
  return { seconds: JSON.parse(stdout).seconds, processSeconds: seconds, peakMb };
}

function rowOf(what, { seconds, processSeconds, peakMb }) {
  return {
    what,
    seconds: Number(seconds.toFixed(3)),
    'whole process s': Number(processSeconds.toFixed(2)),
    'peak MB': Math.round(peakMb),
  };
}
