import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { ints } from '../../test/support/wire-fields.js';
import { FrameMemory } from '../wire/frame-memory.js';
import { REPLY_TOO_LARGE } from './zookeeper-error.js';
import { FrameSplitter } from './frame-splitter.js';

const frame = (content: Uint8Array) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length);
  return Buffer.concat([length, content]);
};

const CUTS = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 });

/** Pushes a stream in chunks of these sizes, repeating them. */
function split(splitter: FrameSplitter, stream: Buffer, cuts: readonly number[]): Buffer[] {
  const frames: Buffer[] = [];
  for (let start = 0, turn = 0; start < stream.length; turn += 1) {
    const end = start + cuts[turn % cuts.length]!;
    frames.push(...splitter.push(stream.subarray(start, end)));
    start = end;
  }
  return frames;
}

test('frames come out whole and in order, wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), CUTS, (contents, cuts) => {
      const frames = split(new FrameSplitter(40), Buffer.concat(contents.map(frame)), cuts);
      expect(frames).toEqual(contents.map(frame));
    }),
  );
});

test('of an oversized reply only xid and zxid are kept, wherever the stream is cut', () => {
  const reply = fc.uint8Array({ minLength: 16, maxLength: 400 });
  fc.assert(
    fc.property(fc.array(reply, { maxLength: 20 }), CUTS, (contents, cuts) => {
      const frames = split(new FrameSplitter(100), Buffer.concat(contents.map(frame)), cuts);
      const expected = contents.map((content) =>
        content.length <= 100
          ? frame(content)
          : frame(Buffer.concat([content.subarray(0, 12), ints(REPLY_TOO_LARGE)])),
      );
      expect(frames).toEqual(expected);
    }),
  );
});

test('a frame is independent of the chunks, and of later frames until its memory is given back', () => {
  const memory = new FrameMemory();
  const splitter = new FrameSplitter(100_000, memory);
  const chunk = frame(new Uint8Array(50_000).fill(1));
  const [first] = splitter.push(chunk);
  chunk.fill(2, 4);
  const [second] = splitter.push(chunk);
  expect([first!.at(-1), second!.at(-1)]).toEqual([1, 2]);
  memory.giveBack(second!.buffer);
  chunk.fill(3, 4);
  const [third] = splitter.push(chunk);
  expect(third!.buffer).toBe(second!.buffer);
  expect([first!.at(-1), third!.at(-1)]).toEqual([1, 3]);
});

/** So that only memory still referenced is counted. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  // Another thread frees the content of buffers; the second run waits for it.
  collect();
}

test('an oversized reply is not buffered while it arrives', () => {
  const splitter = new FrameSplitter(1_000);
  const before = process.memoryUsage().arrayBuffers;
  splitter.push(ints(512 << 20, 1, 0, 0, 0));
  for (let mebibyte = 0; mebibyte < 500; mebibyte += 1) splitter.push(Buffer.alloc(1 << 20));
  collectGarbage();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(128 << 20);
});
