import fc from 'fast-check';
import { build } from '../../test/build-in-memory.js';
import { runs } from '../../test/property-runs.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { CoveringRow } from './covering-row.js';
import type { BuildOptions } from './build-options.js';
import { planBuild } from './plan-build.js';

function lineFor(csv: string, address: string, options: Partial<BuildOptions>): number | undefined {
  const plan = planBuild('input.csv', { kind: 'csv', buildEpoch: 0, ...options });
  const row = new CoveringRow(plan, address);
  row.push(Buffer.from(csv));
  row.end();
  return row.line;
}

test('the covering row is the one whose values the lookup has', () => {
  const prefix = fc.constantFrom('10.0.0.', '2001:db8::', '::ffff:10.0.0.');
  const addressOf = (start: string, host: number) => start + host.toString(start.startsWith('2') ? 16 : 10);
  const network = fc.tuple(prefix, fc.nat(15), fc.integer({ min: 0, max: 4 })).map(([start, host, bits]) => {
    const length = (start.startsWith('1') ? 32 : 128) - bits;
    return `${addressOf(start, host & (-1 << bits))}/${length}`;
  });
  const probe = fc.tuple(prefix, fc.nat(20)).map(([start, host]) => addressOf(start, host));
  fc.assert(
    fc.property(
      fc.array(network, { maxLength: 8 }),
      probe,
      fc.constantFrom('later', 'specific'),
      (networks, address, overlap) => {
        const csv = ['network,line', ...networks.map((each, index) => `${each},${index + 2}`)].join('\n');
        const options = { inputFormat: 'cidr', overlap } as const;
        const found = openLookup(build(csv, options).bytes).find(address)?.['line'];
        expect(lineFor(csv, address, options)).toBe(found === undefined ? undefined : Number(found));
      },
    ),
    { numRuns: runs(300) },
  );
});

test('IPv4 rows come before IPv6 rows around them, and rows left out as empty are none', () => {
  const wide = 'a,b,v\n10.0.0.0,10.0.0.9,x\n::,ffff::,y\n';
  expect(lineFor(wide, '10.0.0.1', { inputFormat: 'auto' })).toBe(2);
  expect(lineFor(wide, '10.0.0.10', { inputFormat: 'auto' })).toBe(3);
  expect(() => lineFor(wide, '10', {})).toThrow('"10" is not an IP address');
});
