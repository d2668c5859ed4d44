import { nearMiss } from './near-miss.js';

/** The registered URI that resembles a requested one most, and where they differ. */
export interface NearestUri {
  readonly registered: string;
  /** One common mistake that explains it. */
  readonly difference?: string;
  /** Length of the common prefix, in UTF-16 code units. */
  readonly commonStart: number;
  /** Length of the common suffix of the rest. */
  readonly commonEnd: number;
}

/** @returns undefined only if none is registered */
export function nearestRedirectUri(requested: string, registered: readonly string[]): NearestUri | undefined {
  const near = nearMiss(requested, registered);
  if (near) return { ...compare(requested, near.registered), difference: near.difference };
  let best: NearestUri | undefined;
  for (const uri of registered) {
    const each = compare(requested, uri);
    if (!best || differing(each, requested) < differing(best, requested)) best = each;
  }
  return best;
}

function compare(requested: string, registered: string): NearestUri {
  const shorter = Math.min(requested.length, registered.length);
  let commonStart = 0;
  while (commonStart < shorter && requested[commonStart] === registered[commonStart]) commonStart += 1;
  let commonEnd = 0;
  while (
    commonEnd < shorter - commonStart &&
    requested.at(-1 - commonEnd) === registered.at(-1 - commonEnd)
  ) {
    commonEnd += 1;
  }
  return { registered, commonStart, commonEnd };
}

/** Characters that set the two apart. */
function differing({ registered, commonStart, commonEnd }: NearestUri, requested: string): number {
  return requested.length + registered.length - 2 * (commonStart + commonEnd);
}
