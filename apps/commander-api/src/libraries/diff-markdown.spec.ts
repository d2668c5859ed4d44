import type { LoadReport, PlannedChange } from '@svc/library-sync';
import { diffMarkdown } from './diff-markdown.js';

const REPORT = {
  source: 'folder /library',
  revision: '0123456789abcdef',
  destination: 'zookeeper zk:2181 /library',
  changed: true,
  created: 1,
  updated: 2,
  deleted: 3,
  unchanged: 4,
  problems: [],
  kept: [],
} as unknown as LoadReport;
const creations = (count: number): PlannedChange[] =>
  Array.from({ length: count }, (_, index) => ({ action: 'create', kind: 'file', path: `f${index}.yaml` }));

test('changes, findings and kept nodes are listed', () => {
  const report: LoadReport = {
    ...REPORT,
    changes: [
      { action: 'create', kind: 'folder', path: 'Parsers' },
      { action: 'update', kind: 'file', path: 'a.yaml' },
    ],
    problems: [{ severity: 'warning', path: 'a.yaml', code: 'x', message: 'is *odd*, tell @team' }],
    kept: ['b.yaml'],
  };
  expect(diffMarkdown(report)).toBe(`### What a load would change

from \`folder /library\` at \`0123456789ab\` into \`zookeeper zk:2181 /library\`: 1 created, 2 updated, 3 deleted, 4 unchanged

**1 note**

- a.yaml: warning: is \\*odd\\*, tell \\@team

**2 changes**

- create \`Parsers/\`
- update \`a.yaml\`

**1 node that is kept**

- \`b.yaml\` is kept, although the source no longer has it`);
  expect(diffMarkdown({ ...REPORT, changed: false })).toMatch(/^### A load would change nothing\n/);
});

test.each([
  ['a`b.yaml', '``a`b.yaml``'],
  ['a``b.yaml', '```a``b.yaml```'],
  ['`.yaml', '`` `.yaml ``'],
  ['<img src=x>.yaml', '`<img src=x>.yaml`'],
  ['a|b.yaml', '`a|b.yaml`'],
  ['a\nb\u202e.yaml', '`a\\nb\\u202e.yaml`'],
])('the name %s is shown as it is', (path, shown) => {
  const changes: PlannedChange[] = [{ action: 'create', kind: 'file', path }];
  expect(diffMarkdown({ ...REPORT, changes })).toContain(`- create ${shown}`);
});

test('long lists are folded, and longer ones are cut', () => {
  expect(diffMarkdown({ ...REPORT, changes: creations(20) })).not.toContain('<details>');
  const folded = diffMarkdown({ ...REPORT, changes: creations(21) });
  expect(folded).toContain('<details><summary>21 changes</summary>\n\n- create `f0.yaml`\n');
  expect(folded).toMatch(/- create `f20\.yaml`\n\n<\/details>$/);
  const cut = diffMarkdown({ ...REPORT, changes: creations(5_000) });
  expect(cut).toContain('- create `f199.yaml`\n- and 4800 more\n');
  expect(cut.length).toBeLessThan(65_536);
});
