import { makeLookupFolder, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const BUILD = ['from-csv', 'v4.csv', 'v6.csv', '-i', 'cidr', '-o', 'places'];

function makeBlocks(more = '') {
  const folder = makeLookupFolder();
  folder.write('v4.csv', `network,id,seat\n192.0.2.0/24,1,2\n198.51.100.0/24,9,\n${more}`);
  folder.write('v6.csv', 'seat,network,id\n1,2001:db8::/32,2\n');
  folder.write('names.csv', 'id,country\n1,Utopia\n2,"Erewhon, ""N"""\n');
  return folder;
}

test('several files are one lookup, with the columns of joined files', async () => {
  const folder = makeBlocks();
  const joins = ['--join', 'names.csv:id', '--join', 'names.csv:id=seat:seat_'];
  const built = await folder.run(...BUILD, ...joins, '--drop-columns', 'id,seat', '--json');
  expect(JSON.parse(built.stdout)).toMatchObject({ lookup: 'places', rows: 3, kept: 3, overlaps: 0 });
  const shown = await folder.run('show', 'places', '192.0.2.1', '2001:db8::1', '198.51.100.1', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject([
    { record: { country: 'Utopia', seat_country: 'Erewhon, "N"' } },
    { record: { country: 'Erewhon, "N"', seat_country: 'Utopia' } },
    { record: {} },
  ]);
});

test.each([
  ['10.0.0/8,1,2\n', [], 'v4.csv: row 4, column network: "10.0.0/8"'],
  ['10.0.0.0/8,1\n', [], 'v4.csv: row 4: "10.0.0.0/8,1" has 2 columns, but 3 are expected'],
  ['2001:db8::/33,1,1\n', ['--strict'], 'v6.csv: row 2: overlaps row 4 of v4.csv, which --strict'],
  ['', ['--no-header', '--column-names', 'a b'], 'several files need headers, which identify'],
])('an error of %j with %j names file and row', async (row, options, message) => {
  const { code, stderr } = await makeBlocks(row).run(...BUILD, ...options);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain(message);
});

test('overlaps of two files name both', async () => {
  const { stderr } = await makeBlocks('2001:db8::/33,1,1\n').run(...BUILD);
  expect(stderr).toContain('row 2 of v6.csv overlaps row 4 of v4.csv: row 2 of v6.csv wins');
});
