import { findings } from '../testing/declaration-findings.js';

const includes = ['INCLUDE'];

test('targets must be files of the library: absolute, or beside the file', async () => {
  const text =
    'a: !INCLUDE /Parsers/b.yaml\nb: !INCLUDE b.yaml\nc: !INCLUDE ../top.yaml\nd: !INCLUDE none.yaml\n';
  const files = {
    'Parsers/a.yaml': text,
    'Parsers/b.yaml': 'x: 1\n',
    'top.yaml': 'x: !INCLUDE /Parsers\n',
  };
  expect(await findings(files, { includes })).toEqual([
    'Parsers/a.yaml:4:13: error: includes "none.yaml", which is not in the library',
    'top.yaml:1:13: error: includes "/Parsers", which is not in the library',
  ]);
});

test('a path above the root, and a list of paths, are errors', async () => {
  const files = { 'A/a.yaml': 'a: !INCLUDE ../../b.yaml\nb: !INCLUDE [/b.yaml]\n', 'b.yaml': 'x: 1\n' };
  expect(await findings(files, { includes })).toEqual([
    'A/a.yaml:2:13: error: has no path of a file after !INCLUDE',
    'A/a.yaml:1:13: error: includes "../../b.yaml", which is not in the library',
  ]);
});

test('each circle is reported once; files that are included twice are none', async () => {
  const files = {
    'a.yaml': 'a: !INCLUDE b.yaml\nb: !INCLUDE d.yaml\n',
    'b.yaml': 'a: !INCLUDE c.yaml\nb: !INCLUDE d.yaml\n',
    'c.yaml': 'a: !INCLUDE a.yaml\n',
    'd.yaml': 'a: 1\n',
    'e.yaml': 'a: !INCLUDE a.yaml\nb: !INCLUDE e.yaml\n',
  };
  expect(await findings(files, { includes })).toEqual([
    'c.yaml:1:13: error: includes "a.yaml", which in turn includes this file (by way of a.yaml, b.yaml)',
    'e.yaml:2:13: error: includes "e.yaml", which is this file itself',
  ]);
});

test('a chain of twenty thousand files ends', async () => {
  const chain = Array.from({ length: 20_000 }, (_, index) => [
    `${index}.yaml`,
    `a: !INCLUDE ${index + 1}.yaml\n`,
  ]);
  const found = await findings(
    { ...Object.fromEntries(chain), '20000.yaml': 'a: !INCLUDE 0.yaml\n' },
    { includes },
  );
  expect(found).toEqual([
    expect.stringMatching(/^20000\.yaml:1:13: .* \(by way of 0\.yaml, .*, and 19995 more\)$/),
  ]);
});
