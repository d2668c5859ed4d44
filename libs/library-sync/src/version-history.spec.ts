import type { StoredEntry, SyncStep } from './plan-sync.js';
import { nextHistory, versionToExceed } from './version-history.js';

const node = (version: number): StoredEntry => ({
  version,
  kind: 'file',
  hidesOthers: false,
  hash: '',
  bytes: 1,
});
const removal = (path: string, version: number): SyncStep => ({
  action: 'remove',
  path,
  kind: 'file',
  data: new Uint8Array(),
  version,
});
const NOTHING_KNOWN = {
  history: { highest: new Map<string, number>(), floor: -1 },
  stored: new Map<string, StoredEntry>(),
  recorded: new Map<string, string>(),
};

test('beyond the limit the lowest versions are evicted, and unlisted paths must exceed them', () => {
  const versions = [4, 1, 0, 7, 1];
  const stored = new Map(versions.map((version, index) => [`${index}`, node(version)]));
  const steps = versions.map((version, index) => removal(`${index}`, version));
  const history = nextHistory(steps, new Map(), { ...NOTHING_KNOWN, stored }, 2);
  expect(history).toEqual({ highest: new Map([['0', 4], ['3', 7]]), floor: 1 }); // prettier-ignore
  const after = { ...NOTHING_KNOWN, history };
  expect(['0', '3', '1', 'new'].map((path) => versionToExceed(path, after))).toEqual([4, 7, 1, 1]);
  const later = nextHistory([], new Map(), after, 1);
  expect(later).toEqual({ highest: new Map([['3', 7]]), floor: 4 });
  expect(nextHistory([], new Map(), { ...after, history: later }, 1)).toEqual(later);
});

test('a path raised above the floor is listed while it is written, in case the load is interrupted', () => {
  const state = { ...NOTHING_KNOWN, history: { highest: new Map(), floor: 3 } };
  const create: SyncStep = { ...removal('a', 0), action: 'create', raises: 4 };
  const history = nextHistory([create], new Map([['a', 'hash']]), state, 0);
  expect(history).toEqual({ highest: new Map([['a', 4]]), floor: 3 });
  for (const version of [2, 3]) {
    const cutOff = { ...state, history, stored: new Map([['a', node(version)]]) };
    expect(versionToExceed('a', cutOff)).toBe(4);
  }
  const done = { ...state, history, stored: new Map([['a', node(4)]]) };
  expect(versionToExceed('a', done)).toBeUndefined();
});

test('without counted versions there is nothing to exceed or keep', () => {
  const state = { ...NOTHING_KNOWN, history: undefined };
  expect(versionToExceed('a', state)).toBeUndefined();
  expect(nextHistory([removal('a', 5)], new Map(), state)).toEqual({ highest: new Map(), floor: -1 });
});
