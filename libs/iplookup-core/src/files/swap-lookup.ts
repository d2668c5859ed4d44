import { type GuardRequest, type GuardResult, guardSwap } from './guard-swap.js';
import { lockLookup } from './lookup-lock.js';
import { type LookupManifest, pruneManifests, writeManifest } from './lookup-manifest.js';
import { keepVersion, pruneVersions } from './lookup-versions.js';
import { writeFileAtomically, type WriteOptions } from './write-file-atomically.js';

/** How a lookup file replaces the former one. */
export interface SwapRequest extends GuardRequest, Pick<WriteOptions, 'gzip' | 'signal' | 'writer'> {
  /** How many former versions of the file to keep. Default: none. */
  readonly keepVersions?: number | undefined;
  /** Describes the complete file, under its temporary name. Default: it gets no manifest. */
  readonly describe?: ((partial: string, guarded: GuardResult) => Promise<LookupManifest>) | undefined;
  /** Called with the complete file, under its temporary name, before it replaces the former one; it may reject it. */
  readonly beforeSwap?: ((partial: string) => Promise<void>) | undefined;
}

/**
 * Writes a lookup file. The previous one stays in place until the new one is complete and has passed its guards; then it
 * is kept as a version.
 *
 * @throws {LookupGuardError} if the lookup fails a guard, unless it is forced
 * @throws {OutputFileError} if the file cannot be written; also whatever `content` throws
 */
export async function swapLookup(
  file: string,
  content: AsyncIterable<Uint8Array>,
  { gzip, signal, writer, keepVersions = 0, describe, beforeSwap, ...guarding }: SwapRequest,
): Promise<GuardResult & { readonly bytes: number }> {
  let guarded: GuardResult = { guards: [] };
  let restoreManifest: (() => Promise<void>) | undefined;
  let lock: Awaited<ReturnType<typeof lockLookup>>;
  const swap = async (partial: string): Promise<void> => {
    guarded = await guardSwap(partial, file, guarding);
    const manifest = await describe?.(partial, guarded);
    if (keepVersions > 0 || beforeSwap !== undefined) lock = await lockLookup(file, { writer, signal });
    await beforeSwap?.(partial);
    if (manifest !== undefined) restoreManifest = await writeManifest(file, manifest);
    if (keepVersions > 0) await keepVersion(file);
  };
  try {
    const bytes = await writeFileAtomically(file, content, { gzip, signal, writer, beforeSwap: swap }).catch(
      async (error: unknown) => {
        // Failed runs would in time displace the manifest of the lookup that stays. Why this one failed matters more than an
        // error here.
        await restoreManifest?.().catch(() => undefined);
        throw error;
      },
    );
    await pruneVersions(file, keepVersions);
    if (restoreManifest !== undefined) await pruneManifests(file, keepVersions);
    return { bytes, ...guarded };
  } finally {
    await lock?.release();
  }
}
