import { ANY_FOLDERS, type IgnorePattern, matchesName, parseIgnorePattern } from './ignore-pattern.js';

/** Where a pattern stands after some names of a path: the segments that the next name may match. */
type Positions = readonly number[];

/** A folder on the way to the path that was asked for last, and where the anchored patterns stand below it. */
interface Step {
  readonly name: string;
  readonly positions: readonly Positions[];
}

/**
 * Patterns in gitignore's syntax; of those that match a path the last one decides.
 *
 * Each name of a path is matched once with each pattern, however many `**` it has: the time grows with the length of the
 * path times that of all patterns. Where the patterns stand below the last folder is kept for the next path.
 */
export class IgnoreList {
  private readonly patterns: readonly IgnorePattern[];
  private readonly start: readonly Positions[];
  private steps: Step[] = [];
  private folder = '';

  constructor(lines: readonly string[]) {
    this.patterns = lines.map(parseIgnorePattern).filter((pattern) => pattern !== undefined);
    this.start = this.patterns.map((pattern) => (pattern.isAnchored ? withoutNames(pattern, 0) : []));
  }

  /** True for a path that is not wanted, if no folder above it is: what is below those cannot be wanted after all. */
  ignores(path: string, isFolder: boolean): boolean {
    const slash = path.lastIndexOf('/');
    this.enter(slash < 0 ? '' : path.slice(0, slash));
    const positions = this.steps.at(-1)?.positions ?? this.start;
    const name = path.slice(slash + 1);
    for (let index = this.patterns.length - 1; index >= 0; index -= 1) {
      const pattern = this.patterns[index]!;
      if (pattern.isForFolders && !isFolder) continue;
      if (isMatch(pattern, positions[index]!, name)) return !pattern.isNegated;
    }
    return false;
  }

  private enter(folder: string): void {
    if (folder === this.folder) return;
    const names = folder === '' ? [] : folder.split('/');
    let depth = 0;
    while (depth < names.length && this.steps[depth]?.name === names[depth]) depth += 1;
    this.steps.length = depth;
    for (const name of names.slice(depth)) {
      const before = this.steps.at(-1)?.positions ?? this.start;
      const positions = before.map((one, index) => advance(this.patterns[index]!, one, name));
      this.steps.push({ name, positions });
    }
    this.folder = folder;
  }
}

function isMatch({ isAnchored, segments }: IgnorePattern, positions: Positions, name: string): boolean {
  const last = segments.length - 1;
  const isLastMatched = (position: number): boolean => {
    const segment = segments[position]!;
    return position === last && (segment === ANY_FOLDERS || matchesName(segment, name));
  };
  return isAnchored ? positions.some(isLastMatched) : isLastMatched(0);
}

/** @returns where a pattern stands after one more name */
function advance(pattern: IgnorePattern, positions: Positions, name: string): Positions {
  if (positions.length === 0) return positions;
  const next = new Set<number>();
  for (const position of positions) {
    const segment = pattern.segments[position]!;
    const isAnyFolders = segment === ANY_FOLDERS;
    if (!isAnyFolders && !matchesName(segment, name)) continue;
    for (const one of withoutNames(pattern, isAnyFolders ? position : position + 1)) next.add(one);
  }
  return [...next];
}

/** A position, and the one after it where `**` may be no folder at all; none after the last one. */
function withoutNames({ segments }: IgnorePattern, position: number): Positions {
  if (position >= segments.length) return [];
  return segments[position] === ANY_FOLDERS && position + 1 < segments.length
    ? [position, position + 1]
    : [position];
}
