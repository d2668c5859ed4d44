import { ANY_FOLDERS, type IgnorePattern, matchesName, parseIgnorePattern } from './ignore-pattern.js';

/** A pattern's state after some segments of a path: the pattern segments that the next name may match. */
type Positions = readonly number[];

/** A parent folder of the path checked last, with the anchored patterns' state below it. */
interface Step {
  readonly name: string;
  readonly positions: readonly Positions[];
}

/**
 * A list of gitignore patterns; the last one that matches a path decides.
 *
 * Each name is matched once per pattern, however many `**` it has, so the time is proportional to the length of the
 * path times that of all patterns. The state below the last folder is cached for the next path.
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

  /** Assumes that no parent folder is ignored: nothing below an ignored folder can be re-included. */
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

/** @returns the pattern's state after one more name */
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

/** A position, plus the next one if the segment is `**`, which may match no folder; empty past the end. */
function withoutNames({ segments }: IgnorePattern, position: number): Positions {
  if (position >= segments.length) return [];
  return segments[position] === ANY_FOLDERS && position + 1 < segments.length
    ? [position, position + 1]
    : [position];
}
