import { Reader, type Response } from 'mmdb-lib';
import { build, type Built, violationsOf } from '../../test/build-in-memory.js';
import { openLookup } from '../mmdb/open-lookup.js';

const find = ({ bytes }: Built, address: string) => openLookup(bytes).find(address);
const foreign = ({ bytes }: Built, address: string) => new Reader<Response>(bytes).get(address);

describe('from-csv', () => {
  test('each value column of a row is found for the first and last address of its range', () => {
    const built = build('ip_from,ip_to,site,zone\n10.0.0.1,10.0.1.200,"Head office, north",internal\n');
    const record = { site: 'Head office, north', zone: 'internal' };
    for (const address of ['10.0.0.1', '10.0.0.255', '10.0.1.200']) {
      expect(find(built, address)).toEqual(record);
      expect(foreign(built, address)).toEqual(record);
    }
    for (const address of ['10.0.0.0', '10.0.1.201', '0.0.0.0', '255.255.255.255', '::1:0:0', 'ffff::']) {
      expect(find(built, address)).toBeUndefined();
      expect(foreign(built, address)).toBeNull();
    }
  });

  test.each(['1.2.3.4', '::ffff:1.2.3.4', '::1.2.3.4', '2002:102:304::', '2002:102:304:ffff::1'])(
    'an IPv4 row is found as %s',
    (address) => {
      const built = build('a,b,v\n1.2.3.4,1.2.3.4,x\n');
      expect(find(built, address)).toEqual({ v: 'x' });
      expect(foreign(built, address)).toEqual({ v: 'x' });
    },
  );

  test('Teredo addresses have no record', () => {
    expect(find(build('a,b,v\n0.0.0.0,255.255.255.255,x\n'), '2001:0:102:304::')).toBeUndefined();
  });

  test('rows in 2002::/16 take precedence over the alias, without affecting the rest of it', () => {
    const csv = `a,b,v\n::ffff:1.2.3.0,::ffff:1.2.3.255,four\n2002:102:304::8,2002:102:304::9,own\n`;
    const built = build(csv, { inputFormat: 'ipv6' });
    expect(built.counts.overlaps).toBe(0);
    expect(find(built, '2002:102:304::7')).toEqual({ v: 'four' });
    expect(find(built, '2002:102:304::8')).toEqual({ v: 'own' });
    expect(find(built, '2002:102:304::9')).toEqual({ v: 'own' });
    expect(find(built, '2002:102:304::a')).toEqual({ v: 'four' });
    expect(find(built, '2002:102:3ff:ffff:ffff:ffff:ffff:ffff')).toEqual({ v: 'four' });
    expect(find(built, '2002:102:400::')).toBeUndefined();
    expect(find(built, '2002:102:2ff:ffff::')).toBeUndefined();
  });

  test('in ::/96 IPv4 rows win, and a row there serves the addresses between them', () => {
    const csv = 'a,b,v\n::,::ffff:0.0.0.9,low\n::ffff:1.2.3.4,::ffff:1.2.3.4,four\n';
    const built = build(csv, { inputFormat: 'ipv6' });
    expect(built.counts.overlaps).toBe(0);
    expect(find(built, '1.2.3.4')).toEqual({ v: 'four' });
    expect(find(built, '1.2.3.3')).toEqual({ v: 'low' });
    expect(find(built, '0.0.0.9')).toEqual({ v: 'low' });
    expect(find(built, '::1:0:0')).toEqual({ v: 'low' });
    expect(find(built, '::fffe:ffff:ffff')).toEqual({ v: 'low' });
    expect(find(built, '::1:0:0:0')).toBeUndefined();
  });

  test('of the rows behind the IPv4 ones the later wins, whichever form of the address it covers', () => {
    const wide = '::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,wide\n';
    const low = '::5,::9,low\n';
    const four = '::ffff:0.0.0.7,::ffff:0.0.0.7,four\n';
    const after = build(`a,b,v\n${wide}${low}${four}`, { inputFormat: 'ipv6' });
    const before = build(`a,b,v\n${four}${low}${wide}`, { inputFormat: 'ipv6' });
    for (const address of ['::6', '0.0.0.6', '::ffff:0.0.0.6']) {
      expect([find(after, address)?.['v'], find(before, address)?.['v']]).toEqual(['low', 'wide']);
    }
    for (const address of ['::7', '0.0.0.7', '::ffff:0.0.0.7']) {
      expect([find(after, address)?.['v'], find(before, address)?.['v']]).toEqual(['four', 'four']);
    }
    expect([after.counts.overlaps, before.counts.overlaps]).toEqual([1, 1]);
  });

  test('a row across the borders of the mapped block is split', () => {
    const built = build('a,b,v\n::fffe:0:0,::1:0:0:7,x\n', { inputFormat: 'ipv6', includeIpRange: true });
    expect(find(built, '9.9.9.9')).toEqual({ ip_from: '0.0.0.0', ip_to: '255.255.255.255', v: 'x' });
    expect(find(built, '::fffe:0:0')).toEqual({ ip_from: '::fffe:0:0', ip_to: '::fffe:ffff:ffff', v: 'x' });
    expect(find(built, '::1:0:0:7')).toEqual({ ip_from: '::1:0:0:0', ip_to: '::1:0:0:7', v: 'x' });
    expect(find(built, '::1:0:0:8')).toBeUndefined();
  });

  test('rows with the same values share a record, however their cells are quoted', () => {
    const built = build('a,b,v,w\n1.0.0.0,1.0.0.1,x,y\n"2.0.0.0","2.0.0.1","x","y"\r\n3.0.0.0,3.0.0.1,x,"y"');
    expect(built.counts).toMatchObject({ rows: 3, kept: 3, records: 1 });
    expect(find(built, '3.0.0.1')).toEqual({ v: 'x', w: 'y' });
  });

  test('a row that continues the one before with the same values is merged with it', () => {
    const built = build('a,b,v\n1.0.0.0,1.0.0.255,x\n1.0.1.0,1.0.1.255,x\n');
    expect(built.counts.merged).toBe(1);
    expect(openLookup(built.bytes).findNetwork('1.0.0.7')?.network).toBe('1.0.0.0/23');
  });

  test('an empty cell leaves its column out, and a dash is a value', () => {
    expect(find(build('a,b,v,w\n1.0.0.0,1.0.0.1,,-\n'), '1.0.0.0')).toEqual({ w: '-' });
  });

  test('rows without value columns are found, with no values', () => {
    expect(find(build('a,b\n1.0.0.0,1.0.0.1\r\n'), '1.0.0.1')).toEqual({});
  });

  test('line breaks, doubled quotes, separators and any UTF-8 survive in quoted cells', () => {
    const built = build(
      'a;b;v\r\n\r\n1.0.0.0;1.0.0.1;"one\r\n""two"";three"\r\n2.0.0.0;2.0.0.0;Zürich 😀\n',
      {
        separator: ';',
      },
    );
    expect(find(built, '1.0.0.1')).toEqual({ v: 'one\r\n"two";three' });
    expect(find(built, '2.0.0.0')).toEqual({ v: 'Zürich 😀' });
    expect(built.counts.rows).toBe(2);
  });

  test('lines inside quotes are not rows, even if they look like earlier rows', () => {
    const row = (first: number, value: string) => `${first}.0.0.0,${first}.0.0.1,${value}\n`;
    const cell = `y\n${row(3, 'x')}${row(4, 'z')}`;
    const csv = `a,b,v\n${row(1, 'x')}${row(2, `"${cell}"`)}${row(5, 'x')}${row(6, `"y\n"`)}${row(7, 'x')}`;
    for (const chunkBytes of [csv.length, 50, 1]) {
      const built = build(csv, { chunkBytes });
      expect(built.counts).toMatchObject({ rows: 5, records: 3 });
      expect(find(built, '2.0.0.1')).toEqual({ v: cell });
      expect([3, 4].map((first) => find(built, `${first}.0.0.0`))).toEqual([undefined, undefined]);
      expect([1, 5, 7].map((first) => find(built, `${first}.0.0.0`))).toEqual(Array(3).fill({ v: 'x' }));
    }
    expect(violationsOf(`${csv}x`)).toEqual(['input.csv: row 11: "x" has 1 columns, but 3 are expected']);
  });

  test('a byte order mark is not part of the first name', () => {
    expect(find(build('\ufeffa,b,v\n1.0.0.0,1.0.0.1,x\n'), '1.0.0.1')).toEqual({ v: 'x' });
  });

  test('a lookup without rows is a valid file without records', () => {
    const built = build('a,b,v\n');
    expect(built.counts).toMatchObject({ kept: 0, records: 0 });
    expect(find(built, '1.2.3.4')).toBeUndefined();
    expect(foreign(built, '1.2.3.4')).toBeNull();
    expect(build('a,b,v\n', { forceIpv4: true }).counts.nodes).toBe(1);
  });

  test('one row may cover all addresses', () => {
    const four = build('a,b,v\n0.0.0.0,255.255.255.255,x\n', { forceIpv4: true });
    expect(four.counts).toMatchObject({ nodes: 1, ipVersion: 4 });
    expect(foreign(four, '77.1.1.1')).toEqual({ v: 'x' });
    const six = build('a,b,v\n::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,x\n', { inputFormat: 'ipv6' });
    for (const address of ['::', '1.2.3.4', '2002::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff']) {
      expect(foreign(six, address)).toEqual({ v: 'x' });
    }
  });

  test('numbers are numbers only with types, and only in columns known to hold them', () => {
    const csv = 'a,b,latitude,elevation,fraud_score,zip_code\n1.0.0.0,1.0.0.1,-12.50,-3,99,02117\n';
    const text = { latitude: '-12.50', elevation: '-3', fraud_score: '99', zip_code: '02117' };
    expect(find(build(csv), '1.0.0.0')).toEqual(text);
    const typed = build(csv, { types: true });
    const numbers = { latitude: -12.5, elevation: -3, fraud_score: 99, zip_code: '02117' };
    expect(find(typed, '1.0.0.0')).toEqual(numbers);
    expect(foreign(typed, '1.0.0.0')).toEqual(numbers);
    // int32 is the first of the extended types: MaxMind DB specification 2.0, "Output Data Section".
    const int32 = Buffer.of(4, 1, 0xff, 0xff, 0xff, 0xfd);
    expect(typed.bytes.includes(int32)).toBe(true);
  });

  test('the same input, name and epoch give the same bytes, however the input is cut', () => {
    const csv = `a,b,v\r\n${Array.from({ length: 500 }, (_, i) => `${i % 200}.${i}.0.0,${i % 200}.${i}.0.9,"v${i % 7},"`.replaceAll(`.${i}.`, `.${i % 250}.`)).join('\r\n')}`;
    const whole = build(csv);
    for (const chunkBytes of [1, 2, 3, 7, 64, 1000])
      expect(build(csv, { chunkBytes }).bytes.equals(whole.bytes)).toBe(true);
  });

  test('metadata name the lookup, and never begin with a name that is MaxMind’s', () => {
    const { metadata } = openLookup(build('a,b,v\n', { lookupName: 'zones' }).bytes);
    expect(metadata).toMatchObject({
      databaseType: 'zones',
      buildEpoch: 1_700_000_000,
      languages: ['en'],
      ipVersion: 6,
    });
    expect(metadata.description['en']).toContain('zones');
    expect(openLookup(build('a,b,v\n', { lookupName: 'GeoIP2-x' }).bytes).metadata.databaseType).toBe(
      'lookup-GeoIP2-x',
    );
  });

  test('an IPv4 tree has no place for IPv6 rows, which are counted', () => {
    const csv = 'a,b,v\n1.0.0.0,1.0.0.1,x\n2001:db8::,2001:db8::1,y\n';
    const built = build(csv, { inputFormat: 'auto', forceIpv4: true });
    expect(built.counts).toMatchObject({ kept: 1, leftOut: 1, ipVersion: 4 });
    expect(find(built, '2001:db8::1')).toBeUndefined();
    expect(find(built, '::ffff:1.0.0.1')).toEqual({ v: 'x' });
  });
});

describe('networks and mixed files', () => {
  test('one column of networks and single addresses of both families', () => {
    const csv = 'network,v\n10.0.0.0/8,a\n192.0.2.7,b\n2001:db8::/32,c\n2001:db9::1,d\n0.0.0.0/32,e\n';
    for (const inputFormat of ['cidr', 'auto'] as const) {
      const built = build(csv, { inputFormat });
      expect(find(built, '10.255.255.255')).toEqual({ v: 'a' });
      expect(find(built, '192.0.2.7')).toEqual({ v: 'b' });
      expect(find(built, '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff')).toEqual({ v: 'c' });
      expect(find(built, '2001:db9::1')).toEqual({ v: 'd' });
      expect(find(built, '0.0.0.0')).toEqual({ v: 'e' });
      expect(find(built, '11.0.0.0')).toBeUndefined();
    }
  });

  test('no header: the names are given, with or without those of the addresses', () => {
    const csv = '1.0.0.0\t1.0.0.255\t13335\n2001:db8::\t2001:db8::ff\t64496\n';
    for (const columnNames of [['asn'], ['start', 'end', 'asn'], ['ip_from', 'ip_to', 'asn']]) {
      const built = build(csv, { inputFormat: 'auto', header: false, columnNames, separator: 'tab' });
      expect(find(built, '1.0.0.7')).toEqual({ asn: '13335' });
      expect(find(built, '2001:db8::7')).toEqual({ asn: '64496' });
    }
  });

  test.each([
    ['10.0.0.1/8', 'has bits set after its prefix'],
    ['10.0.0.0/33', 'is not a network'],
    ['2001:db8::/129', 'is not a network'],
    ['10.0.0.0/', 'is not a network'],
    ['10.0.0.0/08', 'is not a network'],
  ])('%s is rejected', (network, reason) => {
    expect(violationsOf(`network,v\n${network},a\n`, { inputFormat: 'cidr' })[0]).toContain(
      `"${network}" ${reason}`,
    );
  });
});

describe('overlaps', () => {
  test('the later row in the file wins where rows overlap', () => {
    const csv =
      'a,b,v\n1.0.0.10,1.0.0.20,first\n1.0.0.15,1.0.0.30,second\n1.0.0.0,1.0.0.12,third\n1.0.0.17,1.0.0.17,fourth\n';
    const built = build(csv);
    const seen = Array.from({ length: 31 }, (_, i) => find(built, `1.0.0.${i}`)?.['v']);
    expect(seen.slice(0, 13)).toEqual(Array(13).fill('third'));
    expect(seen.slice(13, 15)).toEqual(Array(2).fill('first'));
    expect(seen.slice(15)).toEqual(Array.from({ length: 16 }, (_, i) => (i === 2 ? 'fourth' : 'second')));
    expect(built.counts.overlaps).toBe(3);
    expect(built.counts.overlapping).toContainEqual({ earlier: 2, later: 4 });
  });

  test('strict builds reject them and name both rows', () => {
    const csv = 'a,b,v\n1.0.0.10,1.0.0.20,first\n1.0.0.15,1.0.0.30,second\n';
    expect(violationsOf(csv, { strict: true })[0]).toBe(
      'input.csv: row 3: overlaps row 2, which --strict does not allow',
    );
  });

  test('strict builds list the first 20, regardless of skipped rows', () => {
    const invalid = Array.from({ length: 25 }, () => 'x,y,z').join('\n');
    const nested = Array.from({ length: 30 }, (_, row) => `1.0.0.${row},1.0.0.99,v`).join('\n');
    const csv = `a,b,v\n${invalid}\n${nested}\n`;
    const violations = violationsOf(csv, { strict: true, skipInvalid: true });
    expect(violations).toHaveLength(21);
    expect(violations[0]).toBe('input.csv: row 28: overlaps row 27, which --strict does not allow');
    expect(violations[20]).toBe('... and 9 more');
  });

  test('rows in ::/96 overlap each other, but not IPv4 rows', () => {
    const rows = '::5,::9,x\n::7,::20,y\n::ffff:0:6,::ffff:0:8,z';
    const { counts } = build(`a,b,v\n${rows}\n`, { inputFormat: 'ipv6' });
    expect(counts).toMatchObject({ overlaps: 1, overlapping: [{ earlier: 2, later: 3 }] });
  });

  test('split rows count once', () => {
    const row = '::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff';
    const { counts } = build(`a,b,v\n${row},x\n${row},y\n`, { inputFormat: 'ipv6' });
    expect(counts).toMatchObject({ overlaps: 1, overlapping: [{ earlier: 2, later: 3 }] });
  });

  test('a row that overrides much of the input is in the summary, a wide IPv6 row over IPv4 rows is not', () => {
    const rows = (from: (i: number) => string) =>
      Array.from({ length: 200 }, (_, i) => `${from(i)},${from(i)},v`).join('\n');
    const ipv4 = rows((i) => `1.0.0.${i}`);
    const ipv6 = rows((i) => `2001:db8::${i.toString(16)}`);
    const wide = '::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,x';
    const given = (...parts: string[]) =>
      build(['a,b,v', ...parts].join('\n'), { inputFormat: 'auto' }).counts;
    expect(given(ipv4, '1.0.0.0,1.0.0.255,x').overriding).toEqual([{ row: 202, overridden: 200, first: 2 }]);
    expect(given(ipv4, wide).overriding).toEqual([]);
    expect(given(ipv6, wide).overriding).toEqual([{ row: 202, overridden: 200, first: 2 }]);
    expect(given(wide, ipv6, ipv4).overriding).toEqual([]);
    expect(given(ipv4, wide, ipv6, wide).overriding).toEqual([{ row: 403, overridden: 201, first: 202 }]);
  });

  test('a row entirely covered by a later one leaves nothing in the file', () => {
    const built = build('a,b,v\n1.0.0.10,1.0.0.20,hidden\n1.0.0.0,1.0.0.30,shown\n');
    expect(built.counts.records).toBe(1);
    expect(built.bytes.includes('hidden')).toBe(false);
  });
});
