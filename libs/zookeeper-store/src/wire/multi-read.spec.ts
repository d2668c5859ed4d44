import { flag, header, ints, text } from '../../test/support/wire-fields.js';
import { decodeMultiRead, encodeMultiRead, GET_CHILDREN, GET_DATA } from './multi-read.js';
import { WireReply } from './wire-reply.js';

const END = Buffer.concat([ints(-1), flag(1), ints(-1)]);

test.each([
  ['data', GET_DATA, 4],
  ['children', GET_CHILDREN, 8],
] as const)('reads of %s are encoded as ZooKeeper specifies it', (_case, code, type) => {
  const request = encodeMultiRead(code, ['/é', '/b/c']);
  request.header.xid = 5;
  const body = Buffer.concat([
    ints(5, 22),
    ...[header(type, -1), text('/é'), flag(0), header(type, -1), text('/b/c'), flag(0)],
    END,
  ]);
  expect(request.toBuffer().toString('hex')).toBe(Buffer.concat([ints(body.length), body]).toString('hex'));
});

test('the answer has what was read of each node, or why it was not', () => {
  const reply = Buffer.concat([
    Buffer.alloc(20),
    ...[header(8, 0), text('one'), header(-1, -101), ints(-101), header(8, 0), text('two')],
    END,
  ]);
  const outcomes = decodeMultiRead(new WireReply(reply), (fields) => fields.text());
  expect(outcomes).toEqual([{ value: 'one' }, { code: -101 }, { value: 'two' }]);
});
