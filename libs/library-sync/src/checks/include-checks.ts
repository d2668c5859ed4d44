import { dirname, join } from 'node:path/posix';
import type { LibraryFinding } from '../ports/library-finding.js';

/** Maximum number of cycles reported, and of files named in each; more may appear once these are fixed. */
const MAX_CIRCLES = 10;
const MAX_NAMED = 5;

interface Include {
  readonly path: string;
  /** As it is written. */
  readonly text: string;
  /** Relative to the library's root. A path above the root names no file of the library, so it counts as missing. */
  readonly target: string;
  readonly place: Pick<LibraryFinding, 'line' | 'column'>;
}

/** Collects which files include which, and finds targets that are missing, and files that include themselves. */
export class IncludeChecks {
  private readonly byFile = new Map<string, Include[]>();

  collect(path: string, text: string, place: Include['place']): void {
    const target = join(text.startsWith('/') ? '.' : dirname(path), text);
    const others = this.byFile.get(path);
    const include = { path, text, target, place };
    if (others) others.push(include);
    else this.byFile.set(path, [include]);
  }

  /** After all files were collected. @param files of the library, by path */
  findings(files: ReadonlyMap<string, unknown>): LibraryFinding[] {
    const missing = [...this.byFile.values()].flatMap((includes) =>
      includes.filter(({ target }) => !files.has(target)),
    );
    return [
      ...missing.map((include) => findingOf(include, 'which is not in the library')),
      ...this.circles(),
    ];
  }

  /** Depth first; without recursion, since a chain may have as many files as the library. */
  private circles(): LibraryFinding[] {
    const found: LibraryFinding[] = [];
    const visited = new Set<string>();
    for (const start of this.byFile.keys()) {
      const chain = visited.has(start) ? [] : [{ file: start, next: 0 }];
      const open = new Set([start]);
      visited.add(start);
      for (let top = chain.at(-1); top && found.length < MAX_CIRCLES; top = chain.at(-1)) {
        const include = this.byFile.get(top.file)?.[top.next];
        top.next += 1;
        if (include === undefined) open.delete(chain.pop()!.file);
        else if (open.has(include.target)) found.push(circleOf(include, [...open]));
        else if (!visited.has(include.target)) {
          chain.push({ file: include.target, next: 0 });
          open.add(include.target);
          visited.add(include.target);
        }
      }
    }
    return found;
  }
}

/** @param open the files from the first one to the one that includes */
function circleOf(include: Include, open: readonly string[]): LibraryFinding {
  const others = open.slice(open.indexOf(include.target), -1);
  if (others.length === 0) return findingOf(include, 'which is this file itself');
  const named = others.slice(0, MAX_NAMED).join(', ');
  const more = others.length > MAX_NAMED ? `, and ${others.length - MAX_NAMED} more` : '';
  return findingOf(include, `which in turn includes this file (by way of ${named}${more})`);
}

const findingOf = ({ path, text, place }: Include, reason: string): LibraryFinding => ({
  severity: 'error',
  path,
  code: 'include',
  message: `includes ${JSON.stringify(text)}, ${reason}`,
  ...place,
});
