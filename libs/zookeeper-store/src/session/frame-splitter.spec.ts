import fc from 'fast-check';
import { FrameSplitter } from './frame-splitter.js';

const frame = (content: Uint8Array) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length);
  return Buffer.concat([length, content]);
};

test('frames come out whole and in order, wherever the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 }),
      (contents, cuts) => {
        const stream = Buffer.concat(contents.map(frame));
        const splitter = new FrameSplitter();
        const frames: Buffer[] = [];
        for (let start = 0, turn = 0; start < stream.length; turn += 1) {
          const end = start + cuts[turn % cuts.length]!;
          frames.push(...splitter.push(stream.subarray(start, end)));
          start = end;
        }
        expect(frames).toEqual(contents.map(frame));
      },
    ),
  );
});
