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
  const lengths = {
    ...{ '10.0.0.': 32, '2001:db8::': 128, '::ffff:10.0.0.': 128, '::10.0.0.': 128 },
    '2002:a00:': 48,
  } as const;
  const prefix = fc.constantFrom(...(Object.keys(lengths) as (keyof typeof lengths)[]));
  const addressOf = (start: string, host: number) => {
    const address = start + host.toString(start.startsWith('2') ? 16 : 10);
    return start === '2002:a00:' ? `${address}::` : address;
  };
  const small = fc
    .tuple(prefix, fc.nat(15), fc.integer({ min: 0, max: 4 }))
    .map(([start, host, bits]) => `${addressOf(start, host & (-1 << bits))}/${lengths[start] - bits}`);
  const large = fc.constantFrom('::/0', '::/64', '::/96', '::ffff:0:0/96', '2002::/16');
  const network = fc.oneof({ arbitrary: small, weight: 4 }, large);
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

test('an IPv4 address has the row of all its forms', () => {
  const csv = 'network,v\n::/96,x\n10.0.0.0/30,y\n::1.2.3.0/120,z\n2002::/128,6to4\n';
  const options = { inputFormat: 'cidr' } as const;
  const forms = ['10.0.0.1', '::10.0.0.1', '::ffff:10.0.0.1', '2002:a00:1::5'];
  expect(forms.map((form) => lineFor(csv, form, options))).toEqual([3, 3, 3, 3]);
  const others = ['10.0.0.4', '1.2.3.4', '::ffff:1.2.3.4', '32.2.0.0', '2002::', '2002::1'];
  expect(others.map((form) => lineFor(csv, form, options))).toEqual([2, 4, 4, 2, 5, 2]);
});

test('IPv4 rows come before IPv6 rows around them, and rows left out as empty are none', () => {
  const wide = 'a,b,v\n10.0.0.0,10.0.0.9,x\n::,ffff::,y\n';
  expect(lineFor(wide, '10.0.0.1', { inputFormat: 'auto' })).toBe(2);
  expect(lineFor(wide, '10.0.0.10', { inputFormat: 'auto' })).toBe(3);
  expect(() => lineFor(wide, '10', {})).toThrow('"10" is not an IP address');
});
