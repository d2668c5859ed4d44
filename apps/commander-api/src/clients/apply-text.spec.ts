import type { ApplyReport } from './apply-declarations.js';
import { applyText } from './apply-text.js';

const REPORT: ApplyReport = {
  dry_run: false,
  prune: true,
  created: 1,
  updated: 1,
  deleted: 1,
  unchanged: 3,
  clients: [
    { client_id: 'new', client_name: 'N', action: 'created', file: 'a.yaml', line: 2, client_secret: 'shh' },
    {
      client_id: 'shop',
      client_name: 'Shop',
      action: 'updated',
      taken_over: true,
      file: 'a.yaml',
      line: 9,
      changed: [
        { field: 'client_uri', before: null, after: 'https://shop.example/' },
        { field: 'enabled', before: true, after: false },
        { field: 'redirect_uris', before: ['x', 'y'], after: ['y', 'z'] },
        { field: 'grant_types', before: ['p', 'q'], after: ['q', 'p'] },
      ],
    },
    { client_id: 'old', client_name: null, action: 'deleted' },
  ],
};

test('each Client that is changed has its place, its fields, and its secret', () => {
  expect(applyText(REPORT).split('\n')).toEqual([
    '+ created new (N)  a.yaml:2',
    '    client_secret: shh',
    '~ updated shop (Shop)  a.yaml:9',
    '    taken over',
    '    client_uri: (none) -> "https://shop.example/"',
    '    enabled: true -> false',
    '    redirect_uris:',
    '      - "x"',
    '      + "z"',
    '    grant_types: order changed',
    '- deleted old',
    '1 created, 1 updated, 1 deleted, 3 unchanged',
  ]);
});

test('a plan lists the changes', () => {
  const lines = applyText({ ...REPORT, dry_run: true }).split('\n');
  expect(lines[0]).toBe('+ create new (N)  a.yaml:2');
  expect(lines.at(-1)).toBe('1 to create, 1 to update, 1 to delete, 3 unchanged; nothing was changed');
});

test('a name cannot add lines', () => {
  const clients = [{ client_id: 'x', client_name: 'A\n- deleted all\u001b[2J', action: 'deleted' as const }];
  expect(applyText({ ...REPORT, clients }).split('\n')[0]).toBe('- deleted x (A\\n- deleted all\\u001b[2J)');
});
