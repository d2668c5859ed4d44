import type { Library } from './checks/check-library.js';
import { type PlanState, planSync, type StoredEntry } from './plan-sync.js';

const entry = (kind: StoredEntry['kind'], hidesOthers = false): StoredEntry => {
  const [hash, bytes] = kind === 'file' ? ['stored', 1] : ['', 0];
  return { version: 0, kind, hidesOthers, hash, bytes };
};

const libraryOf = (files: Iterable<string>): Library => ({
  folders: new Set(),
  files: new Map([...files].map((path) => [path, { data: Buffer.from('new'), hash: 'new' }])),
});

/** @param others the paths that no load wrote */
function stateOf(
  stored: ReadonlyMap<string, StoredEntry>,
  others: ReadonlySet<string> = new Set(),
): PlanState {
  const owned = new Set([...stored.keys()].filter((path) => !others.has(path)));
  return {
    stored,
    recorded: new Map(),
    owned,
    ownedFiles: owned,
    filesHoldChildren: true,
    history: undefined,
  };
}

/** Numbers from 0 to below 1, the same at each run. */
function generator(seed: number): () => number {
  let value = seed;
  return () => (value = (value * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** A tree of folders and files, some of them others', and a source in which some folders are files. */
function randomCase(seed: number) {
  const random = generator(seed);
  const stored = new Map<string, StoredEntry>();
  const others = new Set<string>();
  const grow = (parent: string, depth: number): void => {
    for (const name of ['a', 'a!', 'ab', 'b']) {
      if (random() < 0.4) continue;
      const path = `${parent}${name}`;
      const isFolder = depth < 4 && random() < 0.6;
      stored.set(path, entry(isFolder ? 'folder' : 'file', isFolder && random() < 0.1));
      if (random() < 0.1) others.add(path);
      if (isFolder) grow(`${path}/`, depth + 1);
    }
  };
  grow('', 1);
  const toFile = [...stored]
    .filter(([, { kind }]) => kind === 'folder' && random() < 0.3)
    .map(([path]) => path);
  const topmost = toFile.filter((path) => !toFile.some((other) => path.startsWith(`${other}/`)));
  return { library: libraryOf(topmost), state: stateOf(stored, others), topmost };
}

test('folders that become files are emptied first, and those that cannot be are problems', () => {
  let blockedCases = 0;
  let earlyRemovals = 0;
  for (let seed = 1; seed <= 300; seed += 1) {
    const { library, state, topmost } = randomCase(seed);
    const { steps, problems } = planSync(library, state, 'owned');
    const isBelow = (path: string) => topmost.some((folder) => path.startsWith(`${folder}/`));
    const removed = new Set(steps.filter(({ action }) => action === 'remove').map(({ path }) => path));
    const lastEarly = steps.findLastIndex(({ path }) => isBelow(path));
    const firstOther = steps.findIndex(({ path }) => !isBelow(path));
    if (lastEarly >= 0 && firstOther >= 0) expect(lastEarly).toBeLessThan(firstOther);
    const blocked = topmost.filter(
      (folder) =>
        state.stored.get(folder)!.hidesOthers ||
        [...state.stored.keys()].some((path) => path.startsWith(`${folder}/`) && !removed.has(path)),
    );
    const found = problems.filter(({ code }) => code === 'folder-in-the-way').map(({ path }) => path);
    expect({ seed, found: found.sort() }).toEqual({ seed, found: blocked.sort() });
    blockedCases += Math.sign(blocked.length);
    earlyRemovals += lastEarly + 1;
  }
  expect(blockedCases).toBeGreaterThan(50);
  expect(earlyRemovals).toBeGreaterThan(300);
});

test('very many folders that become files are planned in time', () => {
  // If each is compared with all others, this takes minutes.
  const names = Array.from({ length: 20_000 }, (_, n) => `folder-${n}`);
  const stored = new Map(
    names.flatMap(
      (name) =>
        [
          [name, entry('folder')],
          [`${name}/a.yaml`, entry('file')],
        ] as const,
    ),
  );
  expect(planSync(libraryOf(names), stateOf(stored), 'owned').steps).toHaveLength(2 * names.length);
});
