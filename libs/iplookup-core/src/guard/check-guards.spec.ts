import { build } from '../../test/build-in-memory.js';
import { LookupOptionError } from '../messages/option-message.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { checkGuards, type FormerLookup } from './check-guards.js';
import type { GuardOptions } from './guard-options.js';
import { describeGuard } from './guard.errors.js';

const CSV = [
  'ip_from,ip_to,country',
  '10.0.0.0,10.0.0.127,US',
  '10.0.0.128,10.0.0.191,DE',
  '10.0.0.192,10.0.0.255,FR',
  '2001:db8::,2001:db8::ff,US',
];
const BUILT = 1_700_000_000;
const make = (lines: readonly string[] = CSV, buildEpoch = BUILT) =>
  build(lines.join('\n'), { inputFormat: 'auto', buildEpoch }).bytes;
const former = (bytes: Uint8Array): FormerLookup => ({ kind: 'lookup', lookup: new ParsedLookup(bytes) });
const FORMER = former(make());

const check = (bytes: Uint8Array, guards: GuardOptions, before: FormerLookup = FORMER) =>
  checkGuards(bytes, before, guards).map((outcome) => [outcome.passed, describeGuard(outcome)]);

const ALL: GuardOptions = {
  verify: true,
  maxLost: 0.05,
  maxChanged: [{ column: 'country', share: 0.1 }],
  maxShare: 1,
  probes: [{ address: '10.0.0.1', column: 'country', value: 'US' }],
  notOlder: true,
};

test('the same lookup again passes every guard', () => {
  expect(check(make(), ALL)).toEqual([
    [true, '--verify: 3 records, no problems'],
    [true, '--not-older: built 2023-11-14T22:13:20Z, the previous one 2023-11-14T22:13:20Z'],
    [true, '--max-lost 5%: 0% of the addresses are lost in IPv4, 0% of the addresses are lost in IPv6'],
    [
      true,
      '--max-changed country=10%: 0% of the addresses change their country in IPv4, 0% of the addresses change their country in IPv6',
    ],
    [
      true,
      '--max-share 100%: 50% of the addresses have the same record in IPv4, 100% of the addresses have the same record in IPv6',
    ],
    [true, '--probe: 1 of 1 hold'],
  ]);
});

test('a first lookup has nothing to lose', () => {
  const outcomes = checkGuards(make(), { kind: 'none' }, ALL);
  expect(outcomes.filter(({ passed }) => !passed)).toEqual([]);
  expect(outcomes.filter(({ found }) => found === 'there is no previous lookup')).toHaveLength(3);
});

test('lost addresses of one family are not hidden by the other', () => {
  const withoutHalf = CSV.filter((line) => !line.includes('US') || line.includes('::'));
  expect(check(make(withoutHalf), { maxLost: 0.49 })).toEqual([
    [false, '--max-lost 49%: 50% of the addresses are lost in IPv4 (10.0.0.0/25)'],
  ]);
  expect(check(make(withoutHalf), { maxLost: 0.5 })[0]![0]).toBe(true);
  const withoutIpv6 = CSV.filter((line) => !line.includes('::'));
  expect(check(make(withoutIpv6), { maxLost: 0.5 })).toEqual([
    [false, '--max-lost 50%: 100% of the addresses are lost in IPv6 (2001:db8::/120)'],
  ]);
});

test('a changed, an emptied and a lost value count as changed, and a new one does not', () => {
  const changed = CSV.map((line) => line.replace('FR', 'IT').replace(',DE', ','));
  expect(check(make(changed), { maxChanged: [{ column: 'country', share: 0.25 }] })).toEqual([
    [
      false,
      '--max-changed country=25%: 50% of the addresses change their country in IPv4 (10.0.0.128/26: "DE" -> nothing; 10.0.0.192/26: "FR" -> "IT")',
    ],
  ]);
  expect(
    check(make(), { maxChanged: [{ column: 'country', share: 0.34 }] }, former(make(changed)))[0]![0],
  ).toBe(true);
});

test('a record that covers too much is reported', () => {
  expect(check(make(), { maxShare: 0.4 })).toEqual([
    [
      false,
      '--max-share 40%: 50% of the addresses have the same record in IPv4 ({"country":"US"}), 100% of the addresses have the same record in IPv6 ({"country":"US"})',
    ],
  ]);
});

test('failed probes are listed, the first five of them', () => {
  const probe = (address: string, value: string) => ({ address, column: 'country', value });
  const probes = [
    probe('10.0.0.1', 'DE'),
    probe('10.0.0.130', 'DE'),
    probe('192.0.2.1', 'US'),
    probe('192.0.2.1', '-'),
    ...Array.from({ length: 5 }, () => probe('2001:db8::1', '-')),
  ];
  expect(check(make(), { probes })).toEqual([
    [
      false,
      `--probe: 10.0.0.1 has the country "US", not "DE"; 192.0.2.1 has no record, not "US"; ${'2001:db8::1 has the country "US", not "-"; '.repeat(3)}and 2 more`,
    ],
  ]);
});

test('an older lookup is found by its build time', () => {
  expect(check(make(CSV, BUILT - 1), { notOlder: true })).toEqual([
    [false, '--not-older: built 2023-11-14T22:13:19Z, the previous one 2023-11-14T22:13:20Z'],
  ]);
  expect(check(make(CSV, BUILT + 1), { notOlder: true })[0]![0]).toBe(true);
});

test('a damaged new lookup fails any guard', () => {
  const torn = make().subarray(0, 200);
  expect(check(torn, { verify: true })[0]![0]).toBe(false);
  expect(check(torn, { maxLost: 1 })).toEqual([[false, expect.stringMatching(/^--verify: /)]]);
  const bent = Buffer.from(make());
  bent[0] = 0x7f;
  expect(checkGuards(bent, FORMER, { verify: true, maxLost: 1 }).some(({ passed }) => !passed)).toBe(true);
});

test.each<[string, FormerLookup]>([
  ['unreadable', { kind: 'unreadable', reason: 'a.mmdb cannot be read (permission denied)' }],
  ['damaged', former(damaged())],
])('a former file that is %s fails what compares with it', (_what, before) => {
  const outcomes = checkGuards(make(), before, ALL);
  const failed = outcomes.filter(({ passed }) => !passed);
  expect(failed.map(({ guard }) => guard)).toEqual(
    expect.arrayContaining(['maxLost', 'maxChanged']) as string[],
  );
  expect(failed.every(({ found }) => found.startsWith('the previous lookup cannot be compared: '))).toBe(
    true,
  );
});

/** Its metadata is readable, its tree is not. */
function damaged(): Uint8Array {
  const bytes = Buffer.from(make());
  bytes.fill(0xff, 0, 60);
  return bytes;
}

test('a column that neither lookup has is an error', () => {
  const unknown = { maxChanged: [{ column: 'contry', share: 0.1 }] };
  expect(() => checkGuards(make(), FORMER, unknown)).toThrow(LookupOptionError);
  expect(() => checkGuards(make(), FORMER, unknown)).toThrow(
    '--max-changed names the column contry, which neither the new nor the previous lookup has',
  );
});

test('without guards, nothing is checked', () => {
  expect(checkGuards(make(), FORMER, {})).toEqual([]);
});
