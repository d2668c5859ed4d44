import { flag, header, ints, text } from '../../test/support/wire-fields.js';
import { toAcl } from './access-rules.js';
import {
  decodeMulti,
  decodeMultiRead,
  encodeMulti,
  encodeMultiRead,
  GET_CHILDREN,
  GET_DATA,
} from './multi.js';
import { WireReply } from './wire-reply.js';
import { WireRequest } from './wire-request.js';

test('a multi is encoded as specified by ZooKeeper', () => {
  const request = encodeMulti([
    { type: 'check', path: '/fence' },
    { type: 'create', path: '/é', data: Buffer.from('xy'), acl: toAcl('read'), ephemeral: true },
    { type: 'setData', path: '/b', data: Buffer.alloc(0), version: 0 },
    { type: 'remove', path: '/c', version: 7 },
  ]);
  request.header.xid = 5;
  const acl = Buffer.concat([
    ...[ints(2, 31), text('auth'), text('')],
    ...[ints(1), text('world'), text('anyone')],
  ]);
  const body = Buffer.concat([
    ints(5, 14),
    ...[header(13, -1), text('/fence'), ints(-1)],
    ...[header(1, -1), text('/é'), text('xy'), acl, ints(1)],
    ...[header(5, -1), text('/b'), ints(0), ints(0)],
    ...[header(2, -1), text('/c'), ints(7)],
    ...[ints(-1), flag(1), ints(-1)],
  ]);
  expect(request.toBuffer().toString('hex')).toBe(Buffer.concat([ints(body.length), body]).toString('hex'));
});

test('the reply holds the result of each operation', () => {
  const reply = Buffer.concat([
    Buffer.alloc(20),
    ...[header(13, 0), header(1, 0), text('/é'), header(5, 0), Buffer.alloc(68), header(2, 0)],
    ...[header(-1, 0), ints(-110), header(-1, 0), ints(-2)],
    ...[ints(-1), flag(1), ints(-1)],
  ]);
  expect(decodeMulti(new WireReply(reply))).toEqual([0, 0, 0, 0, -110, -2]);
});

test('a truncated reply is an error, not a wrong value', () => {
  expect(() => new WireReply(Buffer.concat([Buffer.alloc(20), ints(9), flag(1)])).data()).toThrow(
    /cut short/,
  );
  expect(() => new WireReply(Buffer.alloc(20)).int()).toThrow(/out of range/);
  expect(() => new WireRequest(1, 4).toBuffer()).toThrow(/differs from its declared size/);
});

const END = Buffer.concat([ints(-1), flag(1), ints(-1)]);

test.each([
  ['data', GET_DATA, 4],
  ['children', GET_CHILDREN, 8],
] as const)('multi-reads of %s are encoded as specified by ZooKeeper', (_case, code, type) => {
  const request = encodeMultiRead(code, ['/é', '/b/c']);
  request.header.xid = 5;
  const body = Buffer.concat([
    ints(5, 22),
    ...[header(type, -1), text('/é'), flag(0), header(type, -1), text('/b/c'), flag(0)],
    END,
  ]);
  expect(request.toBuffer().toString('hex')).toBe(Buffer.concat([ints(body.length), body]).toString('hex'));
});

test('the reply holds each node’s value or error', () => {
  const reply = Buffer.concat([
    Buffer.alloc(20),
    ...[header(8, 0), text('one'), header(-1, -101), ints(-101), header(8, 0), text('two')],
    END,
  ]);
  const outcomes = decodeMultiRead(new WireReply(reply), (fields) => fields.text());
  expect(outcomes).toEqual([{ value: 'one' }, { code: -101 }, { value: 'two' }]);
});
