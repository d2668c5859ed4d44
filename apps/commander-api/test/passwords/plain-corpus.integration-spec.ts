import { readFileSync } from 'node:fs';
import { documentFormat, findPlainPasswords } from '@svc/password-format';
import { recordFigure } from '@svc/test-servers';
import { makeCorpus } from './corpus/shapes.js';

const FILES = 2_000;
const SEED = 90_210;

/** Missed secrets, and other lines that are reported, of one shape of file. */
interface Count {
  secrets: number;
  missed: number;
  others: number;
  alarms: number;
}

const sum = (counts: readonly Count[], key: keyof Count): number =>
  counts.reduce((total, count) => total + count[key], 0);

test('in 2,000 files as other projects have them, plain passwords are found, and little else', async () => {
  const counts = new Map<string, Count>();
  for (const { name, text, secrets } of makeCorpus(SEED, FILES)) {
    const found = new Set((await findPlainPasswords(text, documentFormat(name))).map(({ line }) => line));
    const count = counts.get(name) ?? { secrets: 0, missed: 0, others: 0, alarms: 0 };
    counts.set(name, count);
    for (const [index, line] of text.split('\n').entries()) {
      const isFound = found.has(index + 1);
      if (secrets.has(index + 1)) {
        count.secrets += 1;
        if (!isFound) count.missed += 1;
      } else if (line.trim() !== '') {
        count.others += 1;
        if (isFound) count.alarms += 1;
      }
    }
  }
  const all = [...counts.values()];
  const [secrets, missed] = [sum(all, 'secrets'), sum(all, 'missed')];
  const [others, alarms] = [sum(all, 'others'), sum(all, 'alarms')];
  recordFigure('plain passwords missed', `${missed} of ${secrets}`);
  const byShape = [...counts].filter(([, { missed: own, alarms: reported }]) => own + reported > 0);
  for (const [name, count] of byShape)
    recordFigure(`missed and reported in ${name}`, `${count.missed} and ${count.alarms}`);
  recordFigure('other lines reported', `${alarms} of ${others}`);
  expect(missed / secrets).toBeLessThan(0.01);
  expect(alarms / others).toBeLessThan(0.002);
  // docs/checkpwd.md tells both.
  const page = readFileSync(new URL('../../../../docs/checkpwd.md', import.meta.url), 'utf8');
  expect(page).toContain(`${missed} of ${secrets} passwords are missed`);
  expect(page).toContain(`${alarms} of ${others} other lines are reported`);
});
