import type { BuildCounts } from '../src/build/build-counts.js';
import { LookupBuilder } from '../src/build/lookup-builder.js';
import type { BuildOptions } from '../src/build/build-options.js';
import { planBuild } from '../src/build/plan-build.js';
import { LookupInputError } from '../src/build/input-violations.js';

export interface Built {
  readonly bytes: Buffer;
  readonly counts: BuildCounts;
}

export type BuildTestOptions = Partial<BuildOptions> & {
  readonly file?: string;
  /** Chunk size of the input. Default: a single chunk. */
  readonly chunkBytes?: number;
  /** Size of the first chunk. */
  readonly firstChunkBytes?: number;
  /** Size of the input from which on the engine is used. */
  readonly engineFromBytes?: number;
};

/** Builds a lookup from CSV text in memory. Default: a from-csv build of IPv4 rows. */
export function build(
  csv: string | Uint8Array,
  { file = 'input.csv', chunkBytes, firstChunkBytes, engineFromBytes, ...options }: BuildTestOptions = {},
): Built {
  const kind = options.kind ?? 'csv';
  const builder = new LookupBuilder(
    planBuild(file, {
      kind,
      buildEpoch: 1_700_000_000,
      ...(kind === 'csv' ? { inputFormat: 'ipv4' as const } : {}),
      ...options,
    }),
    engineFromBytes,
  );
  const input = Buffer.from(csv);
  const step = chunkBytes ?? Math.max(1, input.length);
  builder.push(input.subarray(0, firstChunkBytes ?? 0));
  for (let at = firstChunkBytes ?? 0; at < input.length; at += step) {
    builder.push(input.subarray(at, at + step));
  }
  const chunks: Uint8Array[] = [];
  const output = builder.finish();
  for (let next = output.next(); ; next = output.next()) {
    if (next.done) return { bytes: Buffer.concat(chunks), counts: next.value };
    chunks.push(Buffer.from(next.value));
  }
}

/** The violations that make a build fail, as printed. */
export function violationsOf(csv: string | Uint8Array, options: BuildTestOptions = {}): string[] {
  try {
    build(csv, options);
  } catch (error) {
    if (error instanceof LookupInputError) return error.message.split('\n');
    throw error;
  }
  throw new Error('it was accepted');
}
