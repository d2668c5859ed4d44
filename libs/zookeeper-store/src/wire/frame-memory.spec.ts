import { FrameMemory } from './frame-memory.js';

const FRAME_BYTES = 1 << 17;

test('memory is used again once it is given back', () => {
  const memory = new FrameMemory();
  const first = memory.take(FRAME_BYTES);
  expect(memory.take(FRAME_BYTES).buffer).not.toBe(first.buffer);
  memory.giveBack(first.buffer);
  expect(memory.take(FRAME_BYTES).buffer).toBe(first.buffer);
});

test('memory of other buffers, or given back twice, is never used for two frames', () => {
  const memory = new FrameMemory();
  const other = Buffer.allocUnsafeSlow(FRAME_BYTES);
  memory.giveBack(other.buffer);
  const frame = memory.take(FRAME_BYTES);
  memory.giveBack(frame.buffer);
  memory.giveBack(frame.buffer);
  const taken = [memory.take(FRAME_BYTES), memory.take(FRAME_BYTES)].map(({ buffer }) => buffer);
  expect(taken).not.toContain(other.buffer);
  expect(taken[0]).not.toBe(taken[1]);
});
