import { EventBatch, type Occurrence } from './event-batch.js';
import { unknownCaller } from './security-event.js';

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000);
const refusal = (address: string, reason = 'token'): Occurrence => ({
  ...{ kind: 'credential_refused', actor: unknownCaller(address), details: { reason } },
});

test('the first occurrence is taken at once, those of the following minute together', () => {
  const batch = new EventBatch();
  batch.add(refusal('192.0.2.1'), at(0));
  expect(batch.take(at(2))).toEqual([{ ...refusal('192.0.2.1'), at: at(0) }]);
  for (let second = 10; second < 60; second += 1) batch.add(refusal('192.0.2.1'), at(second));
  expect(batch.take(at(61))).toEqual([]);
  expect(batch.take(at(62))).toEqual([
    {
      ...refusal('192.0.2.1'),
      at: at(10),
      details: { reason: 'token', count: 50, until: at(59).toISOString() },
    },
  ]);
  expect(batch.isEmpty).toBe(false);
  expect(batch.take(at(122))).toEqual([]);
  expect(batch.isEmpty).toBe(true);
});

test.each([
  ['an address', refusal('192.0.2.2')],
  ['a reason', refusal('192.0.2.1', 'zone')],
  ['an actor', { ...refusal('192.0.2.1'), actor: { ...unknownCaller('192.0.2.1'), id: 'a' } }],
  ['a source', { ...refusal('192.0.2.1'), actor: { ...unknownCaller('192.0.2.1'), source: 'token' } }],
])('occurrences that differ in %s stay apart', (_case, other) => {
  const batch = new EventBatch();
  batch.add(refusal('192.0.2.1'), at(0));
  batch.add(other, at(0));
  expect(batch.take(at(2))).toHaveLength(2);
});

test('callers cannot spread over the addresses of one IPv6 network', () => {
  const batch = new EventBatch();
  for (let host = 1; host <= 500; host += 1) batch.add(refusal(`2001:db8::${host.toString(16)}`), at(0));
  expect(batch.take(at(2))).toMatchObject([{ details: { count: 500 } }]);
});

test('a flood from many networks is bounded, counted completely, and leaves other kinds alone', () => {
  const batch = new EventBatch();
  for (let net = 0; net < 5_000; net += 1) batch.add(refusal(`10.${net >> 8}.${net & 255}.1`), at(0));
  batch.add({ kind: 'signed_in', actor: unknownCaller('192.0.2.1') }, at(0));
  const events = batch.take(at(2));
  expect(events).toHaveLength(202);
  const counted = events
    .filter(({ kind }) => kind === 'credential_refused')
    .reduce((sum, { details }) => sum + Number(details?.['count'] ?? 1), 0);
  expect(counted).toBe(5_000);
  expect(events.filter(({ actor }) => actor.source === 'several')).toHaveLength(1);
  expect(events.find(({ kind }) => kind === 'signed_in')?.actor.address).toBe('192.0.2.1');
});

test('amounts add up', () => {
  const batch = new EventBatch();
  const exported = {
    kind: 'clients_exported',
    actor: unknownCaller('192.0.2.1'),
    details: { format: 'csv' },
  } as const;
  batch.add({ ...exported, amounts: { clients: 3 } }, at(0));
  batch.add({ ...exported, amounts: { clients: 4 } }, at(1));
  expect(batch.take(at(2))).toMatchObject([{ details: { format: 'csv', clients: 7, count: 2 } }]);
  batch.add({ ...exported, amounts: { clients: 1 } }, at(3));
  expect(batch.takeAll()).toMatchObject([{ details: { clients: 1 } }]);
});
