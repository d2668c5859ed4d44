import { readFileSync } from 'node:fs';
import { recordFigure } from '@svc/test-servers';
import { findPlainPasswords } from '@svc/password-format';
import { makeCorpus } from './plain-corpus.js';

const FILES = 2_000;

/** Not one that the rules were written with. */
const SEED = 7_301;

/** Counts by kind: how many there are, and how many were reported. */
class Tally {
  readonly kinds = new Map<string, { total: number; reported: number }>();

  add(kind: string, isReported: boolean): void {
    const entry = this.kinds.get(kind) ?? { total: 0, reported: 0 };
    this.kinds.set(kind, { total: entry.total + 1, reported: entry.reported + Number(isReported) });
  }

  sum(matches: (kind: string) => boolean): { total: number; reported: number } {
    const chosen = [...this.kinds].filter(([kind]) => matches(kind)).map(([, entry]) => entry);
    return {
      total: chosen.reduce((sum, { total }) => sum + total, 0),
      reported: chosen.reduce((sum, { reported }) => sum + reported, 0),
    };
  }

  text(): string {
    return [...this.kinds]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([kind, { total, reported }]) => `${kind} ${reported}/${total}`)
      .join(', ');
  }
}

const isHard = (kind: string): boolean => kind.startsWith('hard');

test('in 2,000 generated files, plain passwords are found, and little else', async () => {
  const [secrets, decoys] = [new Tally(), new Tally()];
  let elsewhere = 0;
  for (const file of makeCorpus(SEED, FILES)) {
    const found = new Set((await findPlainPasswords(file.text, file.format)).map(({ line }) => line));
    for (const [line, kind] of file.secrets) secrets.add(kind, found.has(line));
    for (const [line, kind] of file.decoys) decoys.add(kind, found.has(line));
    for (const line of found) if (!file.secrets.has(line) && !file.decoys.has(line)) elsewhere += 1;
  }
  recordFigure('plain passwords found', secrets.text());
  recordFigure('reported although plain text is no secret', decoys.text());
  expect(elsewhere).toBe(0);
  const [sure, allSecrets] = [secrets.sum((kind) => !isHard(kind)), secrets.sum(() => true)];
  const [harmless, allDecoys] = [decoys.sum((kind) => !isHard(kind)), decoys.sum(() => true)];
  recordFigure(
    'false negatives',
    `${allSecrets.total - allSecrets.reported} of ${allSecrets.total} plain passwords`,
  );
  recordFigure('false positives', `${allDecoys.reported} of ${allDecoys.total} other settings`);
  expect(sure.reported / sure.total).toBeGreaterThan(0.99);
  expect(allSecrets.reported / allSecrets.total).toBeGreaterThan(0.88);
  expect(harmless.reported / harmless.total).toBeLessThan(0.001);
  // Random identifiers under neutral names cannot be told from secrets: they need the list of what is allowed.
  expect(allDecoys.reported / allDecoys.total).toBeLessThan(0.07);
  // docs/checkpwd.md tells both.
  const page = readFileSync(new URL('../../../../docs/checkpwd.md', import.meta.url), 'utf8');
  expect(page).toContain(
    `${allSecrets.total - allSecrets.reported} of ${allSecrets.total} passwords are missed`,
  );
  expect(page).toContain(`${allDecoys.reported} of ${allDecoys.total} other settings are reported`);
});
