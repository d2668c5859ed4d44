import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeLookupFolder, placeRows } from './lookup-folder.js';

const MMDBLOOKUP = '/usr/bin/mmdblookup';
const PYTHON = '/usr/bin/python3';

/** Looks every row's first, middle and last address up with Python's reader; prints how many it asked and what differed. */
const CHECK = `
import csv, ipaddress, json, sys, maxminddb
path, lookup, family, names = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4].split()
reader = maxminddb.open_database(lookup)
asked, wrong = 0, []
def address(n):
    if family == 4: return ipaddress.IPv4Address(n)
    return ipaddress.IPv4Address(n & 0xffffffff) if n >> 32 == 0xffff else ipaddress.IPv6Address(n)
for row in csv.reader(open(path, newline='')):
    first, last, cells = int(row[0]), int(row[1]), dict(zip(names, row[2:]))
    want = {k: float(v) if k in ('latitude', 'longitude') else v for k, v in cells.items() if v != '-'}
    if all(v == 0 for v in want.values()): want = None
    if first >> 32 == 0 and last >> 32 != 0: first = 0xffff << 32
    for n in (first, (first + last) // 2, last):
        asked += 1
        if reader.get(str(address(n))) != want: wrong.append(str(address(n)))
print(json.dumps({'asked': asked, 'wrong': wrong[:5]}))
`;

const NAMES = 'country_code country_name region_name city_name latitude longitude zip_code time_zone';

describe('other readers agree with the input', () => {
  test.each([
    [4, 'IP2LOCATION-LITE-DB11.CSV', 601 * 3],
    [6, 'IP2LOCATION-LITE-DB11.IPV6.CSV', 1201 * 3],
  ])('python3-maxminddb, family %p', async (family, name, asked) => {
    const folder = makeLookupFolder();
    const csv = folder.write(name, placeRows(600, family as 4 | 6));
    expect((await folder.run('from-vendor', name)).code).toBe(0);
    const lookup = join(folder.lookups, name.replace('.CSV', '.mmdb'));
    const answer = execFileSync(PYTHON, ['-c', CHECK, csv, lookup, String(family), NAMES]).toString();
    expect(JSON.parse(answer)).toEqual({ asked, wrong: [] });
    const verified = await folder.run('verify', name.replace('.CSV', ''), '--against', name);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('0 differ')]);
  });

  test('mmdblookup', async () => {
    const folder = makeLookupFolder();
    folder.write('sites.csv', 'ip_from,ip_to,site\n10.1.0.0,10.1.255.255,"Warehouse, north"\n');
    await folder.run('from-csv', 'sites.csv', '-i', 'ipv4');
    const file = join(folder.lookups, 'sites.mmdb');
    for (const ip of ['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3', '2002:a01:203::1']) {
      expect(execFileSync(MMDBLOOKUP, ['-f', file, '-i', ip, 'site']).toString()).toContain(
        '"Warehouse, north"',
      );
    }
  });
});
