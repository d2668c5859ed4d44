// Benchmark on a warm standalone server: loads from a folder and from git, first, repeated and unchanged.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startGitServer, startZookeeper } from '@svc/test-servers';
import { clear, commitLibrary, floorLoad, git, kazoo, load } from './library-programs.mjs';
import { lineOf, tabulate } from './library-rounds.mjs';

export async function standalone({ folder, source, rounds, log }) {
  const repositories = join(folder, 'repositories');
  mkdirSync(repositories);
  commitLibrary(source, repositories);
  const [zookeeper, gitServer] = await Promise.all([
    startZookeeper(),
    startGitServer({ root: repositories }),
  ]);
  try {
    const place = { address: zookeeper.address, source, folder };
    const url = `${gitServer.url}/library.git`;
    const gitPlace = { ...place, source: url.replace('http:', 'git:') };
    // Warms up the server's JVM.
    for (let warming = 0; warming < 3; warming += 1) {
      await floorLoad(place, '/floor');
      await clear(place, '/floor');
    }
    const measured = [];
    for (let round = 0; round < rounds; round += 1) {
      const figures = {
        'bare batches': await floorLoad(place, '/floor'),
        load: await load(place, '/ours'),
        'kazoo, batches': await kazoo('load', place, '/kazoo'),
        'load again, nothing changed': await load(place, '/ours'),
        'kazoo, compare': await kazoo('compare', place, '/kazoo'),
        'load --if-changed': await load(place, '/ours', '--if-changed'),
        'git clone': await git(place, 'clone', '--quiet', '--bare', '--depth', '1', url, undefined),
        'load from git': await load(gitPlace, '/git'),
        'git ls-remote': await git(place, 'ls-remote', '--quiet', url, 'HEAD'),
        'load --if-changed from git': await load(gitPlace, '/git', '--if-changed'),
      };
      await clear(place, '/floor', '/ours', '/kazoo', '/git');
      measured.push(figures);
      log(lineOf(figures));
    }
    return tabulate(measured, {
      'load: time to that of bare batches': ['load', 'bare batches'],
      'load: time to that of kazoo': ['load', 'kazoo, batches'],
      'load again: time to that of bare batches': ['load again, nothing changed', 'bare batches'],
      'load again: time to that of kazoo': ['load again, nothing changed', 'kazoo, compare'],
      'load --if-changed: time to that of load again': ['load --if-changed', 'load again, nothing changed'],
      'load from git: time to that of git clone and bare batches': [
        'load from git',
        'git clone',
        'bare batches',
      ],
      'load --if-changed from git: time to that of git ls-remote': [
        'load --if-changed from git',
        'git ls-remote',
      ],
    });
  } finally {
    await Promise.all([zookeeper.stop(), gitServer.stop()]);
  }
}
