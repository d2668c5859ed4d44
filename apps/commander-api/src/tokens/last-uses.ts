import { decodeUtf8 } from '../files/read-at-most.js';
import { digestOf, replaceFiles } from '../files/replace-files.js';
import { createIfMissing, readIfExists } from './change-tokens.js';

const HOUR_MS = 3_600_000;

/** More than a thousand tokens need. */
const MAX_FILE_BYTES = 1 << 20;

/** By the tokens' ids: the hour, in ISO 8601. */
export type LastUses = ReadonlyMap<string, string>;

const fileOf = (tokenFile: string): string => `${tokenFile}.used`;

/** The last uses that servers have written beside the file of tokens; none if they cannot be read. */
export function readLastUses(tokenFile: string): LastUses {
  try {
    return toLastUses(readIfExists(fileOf(tokenFile), MAX_FILE_BYTES));
  } catch {
    return new Map();
  }
}

/** None if the content is damaged: it is rewritten. */
function toLastUses(content: Buffer): LastUses {
  try {
    const found = JSON.parse(decodeUtf8(content)) as object;
    return new Map(Object.entries(found).filter(([, hour]) => typeof hour === 'string'));
  } catch {
    return new Map();
  }
}

/** Remembers in which hour each token was last used, and writes that beside the file of tokens now and then. */
export class LastUseRecorder {
  private readonly hours = new Map<string, number>();
  private isChanged = false;

  constructor(private readonly tokenFile: string) {}

  note(id: string, nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (this.hours.get(id) === hour) return;
    this.hours.set(id, hour);
    this.isChanged = true;
  }

  /** @param ids of the tokens in the file: others are forgotten */
  async flush(ids: readonly string[]): Promise<void> {
    if (!this.isChanged) return;
    this.isChanged = false;
    try {
      await this.write(ids);
    } catch (error) {
      this.isChanged = true;
      throw error;
    }
  }

  private async write(ids: readonly string[]): Promise<void> {
    const path = fileOf(this.tokenFile);
    const content = readIfExists(path, MAX_FILE_BYTES);
    const former = toLastUses(content);
    const entries = ids.flatMap((id) => {
      const hour = this.hours.get(id);
      const own = hour === undefined ? '' : new Date(hour * HOUR_MS).toISOString();
      // Another server may have written a later one.
      const latest = [own, former.get(id) ?? ''].sort().at(-1)!;
      return latest === '' ? [] : [[id, latest] as const];
    });
    for (const id of this.hours.keys()) if (!ids.includes(id)) this.hours.delete(id);
    await createIfMissing(path);
    const text = `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
    const replacement = { path, content: text, before: digestOf(content) };
    await replaceFiles([replacement], new AbortController().signal);
  }
}
