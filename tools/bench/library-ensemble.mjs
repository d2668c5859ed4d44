// Benchmark on an ensemble of three servers.
import { startZookeeperEnsemble } from '@svc/test-servers';
import { clear, floorLoad, kazoo, load } from './library-programs.mjs';
import { lineOf, tabulate } from './library-rounds.mjs';

export async function ensemble({ folder, source, rounds, log }) {
  const cluster = await startZookeeperEnsemble();
  try {
    const place = { address: cluster.addresses, source, folder };
    for (let warming = 0; warming < 2; warming += 1) {
      await floorLoad(place, '/floor');
      await clear(place, '/floor');
    }
    const measured = [];
    for (let round = 0; round < rounds; round += 1) {
      const figures = {
        'three servers: bare batches': await floorLoad(place, '/floor'),
        'three servers: load': await load(place, '/ours'),
        'three servers: kazoo, batches': await kazoo('load', place, '/kazoo'),
      };
      await clear(place, '/floor', '/ours', '/kazoo');
      measured.push(figures);
      log(lineOf(figures));
    }
    return tabulate(measured, {
      'three servers, load: time to that of bare batches': [
        'three servers: load',
        'three servers: bare batches',
      ],
      'three servers, load: time to that of kazoo': ['three servers: load', 'three servers: kazoo, batches'],
    });
  } finally {
    await cluster.stop();
  }
}
