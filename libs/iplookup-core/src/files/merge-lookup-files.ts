import { setImmediate as otherWork } from 'node:timers/promises';
import {
  type LookupLayer,
  type MergeCounts,
  mergeLookups,
  type MergeOptions,
  type MergeRule,
} from '../merge/merge-lookups.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';
import { freeLeftovers } from './collect-garbage.js';
import type { GuardResult } from './guard-swap.js';
import { openPagedLookup, type PagedLookup } from './open-paged-lookup.js';
import { nameFile, type UnzipLimits, withFileName } from './read-lookup-file.js';
import { swapLookup, type SwapRequest } from './swap-lookup.js';

/** A lookup file as a layer of another. */
export interface LayerFile {
  readonly path: string;
  readonly merge: MergeRule;
}

/** What to write, in addition to the {@link MergeOptions}. */
export interface MergeRequest extends MergeOptions, Omit<SwapRequest, 'lookup' | 'beforeSwap'> {
  /** Lowest first. */
  readonly layers: readonly LayerFile[];
  /** Limits of gzipped layers. Default: those of the format. */
  readonly limits?: UnzipLimits;
  readonly file: string;
  /** Called with the complete file, under its temporary name, before it replaces the former one; it may reject it. */
  readonly beforeSwap?: (partial: string, counts: MergeCounts) => Promise<void>;
}

/**
 * Merges lookup files into one. The previous lookup file stays in place until the new one is complete.
 *
 * @returns the counts, and the file's size in bytes
 * @throws {InputFileError} if a layer cannot be read
 * @throws {LookupFormatError} naming the file, if one is damaged or not a lookup file
 * @throws {LookupTooLargeError} if the result would exceed the format's limits
 * @throws {LookupGuardError} if the lookup fails a guard, unless it is forced
 * @throws {OutputFileError} if the lookup file cannot be written
 */
export async function mergeLookupFiles(
  request: MergeRequest,
): Promise<MergeCounts & GuardResult & { readonly bytes: number }> {
  // The rows of layers that were just built.
  freeLeftovers();
  const layers: (LookupLayer & PagedLookup)[] = [];
  const closeLayers = async (): Promise<void> => {
    // Before the guards read the new lookup into memory.
    for (const { close } of layers.splice(0)) await close();
  };
  try {
    for (const { path, merge } of request.layers) {
      const opened = await openPagedLookup(path, true, request.limits).catch((error: unknown) => {
        throw nameFile(path, error);
      });
      layers.push({ ...opened, merge });
    }
    return await swapMerged(request, layers, closeLayers);
  } finally {
    await closeLayers();
  }
}

/** @param closeLayers called once they are no longer needed */
async function swapMerged(
  request: MergeRequest,
  layers: readonly LookupLayer[],
  closeLayers: () => Promise<void>,
): Promise<MergeCounts & GuardResult & { readonly bytes: number }> {
  const step = (output: ReturnType<typeof mergeLookups>): ReturnType<typeof output.next> => {
    try {
      return output.next();
    } catch (error) {
      if (error instanceof LookupFormatError) nameDamagedLayer(request, layers);
      throw error;
    }
  };
  let counts: MergeCounts | undefined;
  const content = async function* (): AsyncGenerator<Uint8Array> {
    const output = mergeLookups(layers, request);
    for (let next = step(output); ; next = step(output)) {
      request.signal?.throwIfAborted();
      if (next.done) {
        counts = next.value;
        await closeLayers();
        return;
      }
      yield next.value;
      await otherWork();
    }
  };
  const swapped = await swapLookup(request.file, content(), {
    ...request,
    lookup: request.lookupName,
    beforeSwap: async (partial) => request.beforeSwap?.(partial, counts!),
  });
  return { ...counts!, ...swapped };
}

/**
 * Layers are read together, so finding the damaged one requires reading each alone.
 *
 * @throws {LookupFormatError} naming the file
 */
function nameDamagedLayer(request: MergeRequest, layers: readonly LookupLayer[]): void {
  for (const [index, layer] of layers.entries())
    withFileName(request.layers[index]!.path, () => {
      const output = mergeLookups([layer], request);
      while (!output.next().done) request.signal?.throwIfAborted();
    });
}
