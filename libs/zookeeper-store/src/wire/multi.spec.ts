import { toAcl } from '../access-rules.js';
import { decodeMulti, encodeMulti } from './multi.js';
import { WireReply } from './wire-reply.js';
import { WireRequest } from './wire-request.js';

const ints = (...values: number[]) => {
  const data = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => data.writeInt32BE(value, 4 * index));
  return data;
};
const flag = (value: number) => Buffer.from([value]);
const text = (value: string) => Buffer.concat([ints(Buffer.byteLength(value)), Buffer.from(value)]);

test('a multi is encoded as ZooKeeper specifies it', () => {
  const request = encodeMulti([
    { type: 'check', path: '/fence' },
    { type: 'create', path: '/é', data: Buffer.from('xy'), acl: toAcl('read'), ephemeral: true },
    { type: 'setData', path: '/b', data: Buffer.alloc(0), version: 0 },
    { type: 'remove', path: '/c', version: 7 },
  ]);
  request.header.xid = 5;
  const header = (type: number) => Buffer.concat([ints(type), flag(0), ints(-1)]);
  const acl = Buffer.concat([
    ...[ints(2, 31), text('auth'), text('')],
    ...[ints(1), text('world'), text('anyone')],
  ]);
  const body = Buffer.concat([
    ints(5, 14),
    ...[header(13), text('/fence'), ints(-1)],
    ...[header(1), text('/é'), text('xy'), acl, ints(1)],
    ...[header(5), text('/b'), ints(0), ints(0)],
    ...[header(2), text('/c'), ints(7)],
    ...[ints(-1), flag(1), ints(-1)],
  ]);
  expect(request.toBuffer().toString('hex')).toBe(Buffer.concat([ints(body.length), body]).toString('hex'));
});

test('the answer tells each operation what became of it', () => {
  const header = (type: number) => Buffer.concat([ints(type), flag(0), ints(0)]);
  const reply = Buffer.concat([
    Buffer.alloc(20),
    ...[header(13), header(1), text('/é'), header(5), Buffer.alloc(68), header(2)],
    ...[header(-1), ints(-110), header(-1), ints(-2)],
    ...[ints(-1), flag(1), ints(-1)],
  ]);
  expect(decodeMulti(new WireReply(reply))).toEqual([0, 0, 0, 0, -110, -2]);
});

test('a reply that is cut short is an error, not another value', () => {
  expect(() => new WireReply(Buffer.concat([Buffer.alloc(20), ints(9), flag(1)])).data()).toThrow(
    /cut short/,
  );
  expect(() => new WireReply(Buffer.alloc(20)).int()).toThrow(/out of range/);
  expect(() => new WireRequest(1, 4).toBuffer()).toThrow(/another size than was said/);
});
