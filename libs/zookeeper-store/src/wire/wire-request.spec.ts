import { FrameMemory } from './frame-memory.js';
import { WireRequest } from './wire-request.js';

const LARGE = 100_000;

/** A request with content that differs by `fill`. */
function requestOf(fill: number, bytes: number, memory: FrameMemory): WireRequest {
  return new WireRequest(1, bytes + 4, memory).data(Buffer.alloc(bytes, fill));
}

test.each([10, LARGE, 2_000_000])(
  'a request of %i bytes is the same in memory that was used before',
  (bytes) => {
    const memory = new FrameMemory();
    const expected = Buffer.from(requestOf(1, bytes, memory).toBuffer());
    const other = requestOf(2, bytes + 1, memory);
    other.release();
    expect(requestOf(1, bytes, memory).toBuffer().equals(expected)).toBe(true);
  },
);

test('memory is used again only after it was released', () => {
  const memory = new FrameMemory();
  const [first, second] = [requestOf(1, LARGE, memory), requestOf(2, LARGE, memory)];
  const sent = first.toBuffer();
  expect(second.toBuffer().buffer).not.toBe(sent.buffer);
  second.release();
  const third = requestOf(3, LARGE, memory);
  expect(third.toBuffer().buffer).toBe(second.toBuffer().buffer);
  expect(sent.at(-1)).toBe(1);
});
