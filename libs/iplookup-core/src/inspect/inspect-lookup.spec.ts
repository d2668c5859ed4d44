import fc from 'fast-check';
import { build } from '../../test/build-in-memory.js';
import type { BuildOptions } from '../build/build-options.js';
import { LookupOptionError } from '../messages/option-message.js';
import { drawInspection } from './draw-inspection.js';
import { hilbertPoint } from './draw-map.js';
import { inspectLookup } from './inspect-lookup.js';
import { OTHERS } from './value-groups.js';

const inspect = (csv: string, options: Partial<BuildOptions> = {}, column?: string) =>
  inspectLookup(build(csv, { inputFormat: 'cidr', lookupName: 'places', ...options }).bytes, column);

const csv = [
  'network,country,city',
  '10.0.0.0/8,XA,One',
  '11.0.0.0/9,XB,Two',
  '11.128.0.0/9,XA,',
  '12.0.0.0/24,,Three',
  '2001:db8::/32,XB,Four',
].join('\n');

test('networks, addresses and records are counted by family and by the first column', () => {
  const { bytes, metadata, records, column, ipv4, ipv6, groups } = inspect(csv);
  expect([records, column, metadata.databaseType, bytes > 0]).toEqual([5, 'country', 'places', true]);
  expect(ipv4).toEqual({ networks: 4, addresses: 2 ** 25 + 256 });
  expect(ipv6).toEqual({ networks: 1, addresses: 2 ** 96 });
  expect(groups).toEqual([
    { value: 'XA', ipv4: { networks: 2, addresses: 2 ** 24 + 2 ** 23 }, ipv6: { networks: 0, addresses: 0 } },
    { value: 'XB', ipv4: { networks: 1, addresses: 2 ** 23 }, ipv6: { networks: 1, addresses: 2 ** 96 } },
    { value: undefined, ipv4: { networks: 1, addresses: 256 }, ipv6: { networks: 0, addresses: 0 } },
  ]);
});

test('another column may be chosen, by its path where records are nested', () => {
  expect(inspect(csv, {}, 'city').groups.map(({ value }) => value)).toEqual([
    'One',
    'Two',
    undefined,
    'Three',
    'Four',
  ]);
  const nested = 'network,country_code,city_name\n10.0.0.0/8,XA,One\n';
  expect(inspect(nested, { schema: 'geoip2' })).toMatchObject({
    column: 'country.iso_code',
    groups: [{ value: 'XA' }],
  });
  expect(inspect(nested, { schema: 'geoip2' }, 'city.names.en').groups).toMatchObject([{ value: 'One' }]);
});

test('the first column is that of most records, and groups of one size come by their IPv6 addresses', () => {
  const some = 'network,a,b\n10.0.0.0/8,,x\n11.0.0.0/8,1,y\n12.0.0.0/9,,z\n2001:db8::/32,,y\n';
  const { column, groups } = inspect(some);
  expect(column).toBe('b');
  expect(groups.map(({ value }) => value)).toEqual(['y', 'x', 'z']);
});

test('long values are truncated, and non-text is shown as JSON', () => {
  const [long, longest] = ['y'.repeat(81), 'z'.repeat(80)];
  const values = inspect(`network,v\n10.0.0.0/8,${long}\n11.0.0.0/9,${longest}\n`).groups;
  expect(values.map(({ value }) => value)).toEqual([`${'y'.repeat(77)}...`, longest]);
  const nested = 'network,country_code,city_name\n10.0.0.0/8,XA,One\n';
  expect(inspect(nested, { schema: 'geoip2' }, 'city').groups).toMatchObject([
    { value: '{"names":{"en":"One"}}' },
  ]);
  expect(() => inspect(nested, { schema: 'geoip2' }, 'country.iso_code.length')).toThrow(
    'has no column country.iso_code.length; its columns: country.iso_code, city.names.en',
  );
});

test('an unknown column is rejected, listing the existing ones', () => {
  const refused = 'the lookup places has no column none; its columns: country, city';
  expect(() => inspect(csv, {}, 'none')).toThrow(new LookupOptionError(refused));
  const names = Array.from({ length: 50 }, (_, i) => `c${i}`);
  const wide = `network,${names.join(',')}\n10.0.0.0/8,${names.join(',')}\n`;
  expect(() => inspect(wide, {}, 'c')).toThrow(/: c0, .*, c39 and 10 more$/);
  const full = `network,${names.slice(0, 40).join(',')}\n10.0.0.0/8,${names.slice(0, 40).join(',')}\n`;
  expect(() => inspect(full, {}, 'c')).toThrow(/, c38, c39$/);
  expect(inspect('network,v\n', {}, 'none').groups).toEqual([]);
});

test('a row’s addresses are not a column', () => {
  expect(inspect(csv, { includeIpRange: true }).column).toBe('country');
});

test('beyond 10,000 values the rest is one group', () => {
  const rows = Array.from({ length: 10_050 }, (_, i) => `10.${i >> 8}.${i & 255}.0/24,v${i}`).join('\n');
  const { groups } = inspect(`network,v\n${rows}`);
  expect(groups).toHaveLength(10_001);
  expect(groups[0]).toMatchObject({ value: OTHERS, ipv4: { networks: 50 } });
});

test('a lookup without rows can be inspected and drawn', () => {
  const inspection = inspect('network,v\n');
  expect(inspection).toMatchObject({ records: 0, column: '', groups: [], ipv4: { networks: 0 } });
  expect(drawInspection(inspection)).toContain('nothing known');
});

test('cells have the group with most addresses, and how much is known of them', () => {
  const [ipv4, ipv6] = inspect(csv).maps;
  const cell = (network: number) => [ipv4!.group[network], ipv4!.covered[network]];
  expect([cell(9 << 8), cell(10 << 8), cell(11 << 8), cell((11 << 8) + 128)]).toEqual([
    [-1, 0],
    [0, 1],
    [1, 1],
    [0, 1],
  ]);
  expect(cell(12 << 8)).toEqual([2, 1 / 256]);
  expect(ipv6!.group.filter((group) => group >= 0)).toEqual(Int32Array.of(1));
});

test('the picture is well-formed for any lookup', () => {
  const hostile = `network,"<script>&""'"\n10.0.0.0/8,"</text><script>alert(1)</script>\u0000\u001b[31m"\n`;
  const svg = drawInspection(inspect(hostile));
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&#60;/text&#62;&#60;script');
  expect(svg).not.toMatch(/[\u0000\u001b]/);
});

test('the picture names the lookup, the column, the shares and every /8', () => {
  const svg = drawInspection(inspect(csv));
  for (const text of ['places: IPv4 addresses, by country', '0.59 %', '(without country)', 'IPv6 (2000::/3)'])
    expect(svg).toContain(text);
  for (let block = 0; block < 256; block++) expect(svg).toContain(`>${block}</text>`);
  expect(svg).toContain('>2400::</text>');
});

test('neighbours along the curve are neighbours in the picture, and each point is visited once', () => {
  const points = Array.from({ length: 4096 }, (_, step) => hilbertPoint(step, 64));
  expect(new Set(points.map(String)).size).toBe(4096);
  for (const [step, [x, y]] of points.slice(1).entries()) {
    const [a, b] = points[step]!;
    expect(Math.abs(x - a) + Math.abs(y - b)).toBe(1);
  }
});

test('numbers with common leading bits are in one square', () => {
  fc.assert(
    fc.property(fc.nat(65_535), (cell) => {
      const [x, y] = hilbertPoint(cell, 256);
      expect(hilbertPoint(cell >> 8, 16)).toEqual([x >> 4, y >> 4]);
    }),
  );
});
