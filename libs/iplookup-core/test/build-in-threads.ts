import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planBuild } from '../src/build/plan-build.js';
import { StreamedBuilder, UnfitRowsError } from '../src/build/streamed-builder.js';
import { BlockClaims } from '../src/files/block-claims.js';
import { BlockNumberer } from '../src/files/block-numberer.js';
import { BlockReader } from '../src/files/block-reader.js';
import { RowNumberer } from '../src/scan/row-numberer.js';
import type { Built, BuildTestOptions } from './build-in-memory.js';

export type ThreadTestOptions = Omit<BuildTestOptions, 'chunkBytes' | 'engineFromBytes'> & {
  readonly blockBytes: number;
  /** Whether the other thread reads a block, repeated. */
  readonly isOther: readonly boolean[];
  /** Blocks that it reads before the main one reads on, repeated. */
  readonly ahead: readonly number[];
};

/**
 * Builds a lookup from CSV text as two threads do it, in turn.
 *
 * @returns `undefined` if the rows do not fit
 */
export function buildInThreads(
  csv: string | Uint8Array,
  { file = 'input.csv', blockBytes, isOther, ahead, ...options }: ThreadTestOptions,
): Built | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'lookup-threads-'));
  writeFileSync(join(folder, 'input'), csv);
  const fd = openSync(join(folder, 'input'), 'r');
  try {
    const plan = planBuild(file, { kind: 'csv', buildEpoch: 1_700_000_000, ...options });
    const size = Buffer.byteLength(csv);
    const builder = new StreamedBuilder(plan, size);
    const claims = BlockClaims.create(size, blockBytes);
    const lacking = new Int32Array(1);
    const reader = new BlockReader(builder, { fd, name: file, size }, claims, () => undefined, lacking);
    const numberer = RowNumberer.start(plan.format.width, plan.separator)!;
    const other = new BlockNumberer(numberer, fd, blockBytes);
    const blocks: number[] = [];
    for (let block = 1; block < Math.ceil(size / blockBytes) - 1; block++)
      if (isOther[block % isOther.length] && claims.claim(block)) blocks.push(block);
    const readOther = (): void => {
      const block = blocks.shift();
      if (block === undefined) return reader.receiveEnd();
      for (const piece of other.pieces(block, (words) => new Uint32Array(words).fill(0xdead_beef)))
        reader.receive(structuredClone(piece));
      reader.receive(block);
      if (lacking[0]! > 0) reader.receive(new Uint32Array(1 << 16).fill(0xdead_beef));
    };
    for (let step = 0; !reader.hasEnded; step++) {
      for (let i = ahead[step % ahead.length]!; i > 0 && blocks.length > 0; i--) readOther();
      if (!reader.read()) readOther();
    }
    builder.end();
    return finish(builder);
  } catch (error) {
    if (error instanceof UnfitRowsError) return undefined;
    throw error;
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
}

function finish(builder: StreamedBuilder): Built {
  const chunks: Uint8Array[] = [];
  const output = builder.finish();
  for (let next = output.next(); ; next = output.next()) {
    if (next.done) return { bytes: Buffer.concat(chunks), counts: next.value };
    chunks.push(Buffer.from(next.value));
  }
}
