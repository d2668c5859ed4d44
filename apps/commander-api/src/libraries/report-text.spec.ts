import type { LoadReport } from '@svc/library-sync';
import { historyText, reportText, statusText } from './report-text.js';

const REPORT: LoadReport = {
  source: '/library',
  revision: 'abc',
  destination: 'zookeeper zk:2181/library',
  dry_run: false,
  changed: true,
  skipped: false,
  load: 2,
  version: '3',
  created: 1,
  updated: 2,
  deleted: 0,
  unchanged: 4,
  bytes: 50,
  seconds: 0.5,
  problems: [],
  foreign: [],
  kept: [],
  unreadable: [],
};
const linesOf = (change: Partial<LoadReport>) =>
  reportText({ ...REPORT, ...change })
    .split('\n')
    .slice(1);

test('a load reports what it wrote, a dry run what it would write', () => {
  expect(linesOf({})).toEqual([
    '1 created, 2 updated, 0 deleted, 4 unchanged, 50 bytes written',
    'load 2 is done, version 3 (0.50 s)',
  ]);
  expect(linesOf({ dry_run: true, changes: [{ action: 'update', kind: 'folder', path: 'a' }] })).toEqual([
    '~ a/',
    '1 to be created, 2 to be updated, 0 to be deleted, 4 unchanged, 50 bytes to be written',
    'dry run: nothing was written (0.50 s)',
  ]);
});

test('unreadable nodes are marked', () => {
  expect(linesOf({ foreign: ['a', 'b'], kept: ['c'], unreadable: ['b', 'c'] }).slice(1, -1)).toEqual([
    '2 left alone, not created by a load:',
    '  a',
    '  b (not readable)',
    '1 kept, although the source no longer has it:',
    '  c (not readable)',
  ]);
});

test('a load that completed one which had been interrupted says so, whether it still had nodes to write or not', () => {
  for (const changed of [true, false]) {
    expect(linesOf({ changed, completed: 1 }).at(-1)).toBe(
      'load 2 is done, version 3; it completed load 1, which had been interrupted (0.50 s)',
    );
  }
  expect(linesOf({ changed: false }).at(-1)).toBe('unchanged since load 2 (0.50 s)');
});

test('a plan says that a load has to be completed, even if there is nothing else to do', () => {
  for (const changed of [true, false]) {
    expect(linesOf({ dry_run: true, changed, completed: 1 }).at(-1)).toBe(
      'dry run: nothing was written; load 1 was interrupted or is still running; the next load completes it (0.50 s)',
    );
  }
  expect(linesOf({ dry_run: true, changed: false }).at(-1)).toBe(
    'dry run: the library is up to date (0.50 s)',
  );
});

test('hundreds of thousands of changes are listed', () => {
  const paths = Array.from({ length: 200_000 }, (_, index) => `${index}.txt`);
  const changes = paths.map((path) => ({ action: 'create', kind: 'file', path }) as const);
  expect(linesOf({ dry_run: true, changes }).length).toBe(paths.length + 2);
  const drift = paths.map((path) => ({ path, change: 'removed' }) as const);
  expect(statusText({ destination: 'zookeeper', drift } as never).split('\n').length).toBe(paths.length + 2);
});

test('a status without the record of the last load says that it is missing, not that nothing was loaded', () => {
  const linesOfStatus = (load: number) => statusText({ destination: 'folder /library', load }).split('\n');
  expect(linesOfStatus(0)).toEqual(['folder /library', 'nothing has been loaded yet']);
  expect(linesOfStatus(5)).toEqual([
    'folder /library',
    'load 5 is the last finished one, but its record is missing; load again to write a new one',
  ]);
});

test('a status says how to complete an interrupted load or rollback', () => {
  const lastLine = (restores?: number) => {
    const pending = { load: 4, by: 'root', since: 'now', ...(restores !== undefined && { restores }) };
    return statusText({ destination: 'folder /library', load: 3, pending }).split('\n').at(-1);
  };
  expect(lastLine(1)).toBe(
    'load 4 was interrupted (root, now); run svccmd library rollback --to 1 to complete it, or load again',
  );
  expect(lastLine()).toMatch(/; load again to complete it, or run rollback --to again if it was a rollback$/);
});

test('names and signers with line breaks add no lines', () => {
  const lines = linesOf({
    kept: ['a\nload 9 is done.yaml'],
    signed_by: 'eve\nload 9 is done',
    signing_key: 'SHA256:x',
    signed_at: '2026-01-01T00:00:00Z',
  });
  expect(lines.filter((line) => line.startsWith('load 9'))).toEqual([]);
  expect(lines).toContain('  a\\nload 9 is done.yaml');
  const by = 'root\nversion 99';
  const lock = { id: 'x', by, since: '2026-01-01T00:00:00Z' };
  expect(statusText({ destination: 'folder /library', load: 0, lock }).split('\n')).toContain(
    'a load is running: root\\nversion 99, since 2026-01-01T00:00:00Z',
  );
});

test('the history says which loads are rollbacks and repairs', () => {
  const record = { source_kind: 'git', origin: '', started_at: '', files: 1, bytes: 1, parts: 1 } as const;
  const loads = (['repair', 'rollback', undefined] as const).map((kind, index) => ({
    ...{ ...record, load: 3 - index, revision: 'abc', source: 'git', by: 'root', finished_at: 'now' },
    ...(kind && { kind }),
  }));
  expect(historyText(loads).split('\n')).toEqual([
    'load 3  now  abc  +0 ~0 -0  git  (root)',
    '  a repair of what others had changed',
    'load 2  now  abc  +0 ~0 -0  git  (root)',
    '  a rollback',
    'load 1  now  abc  +0 ~0 -0  git  (root)',
  ]);
});
