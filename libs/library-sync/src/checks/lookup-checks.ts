import { type Document, isScalar, isSeq, type Scalar, visit } from 'yaml';
import type { LibraryFinding } from '../ports/library-finding.js';
import { keyPattern, type LookupRules } from './declaration-rules.js';

/** Of one document; more may appear once these are mended. */
const MAX_NAMED = 10;

/** Files below are lookups, whatever they contain. */
const LOOKUPS_FOLDER = /^Lookups\/(.+)$/;

/** Collects the lookups that declarations name and those that exist, and tells which are missing. */
export class LookupChecks {
  private readonly keys: readonly RegExp[];
  private readonly existing: Set<string>;
  private readonly named: { readonly name: string; readonly finding: LibraryFinding }[] = [];

  constructor({ keys, known }: LookupRules = { keys: [], known: [] }) {
    this.keys = keys.map(keyPattern);
    this.existing = new Set(known);
  }

  /** @param at converts an offset to a place */
  collect(
    path: string,
    document: Document.Parsed,
    at: (offset: number) => Pick<LibraryFinding, 'line' | 'column'>,
  ): void {
    if (this.keys.length === 0) return;
    const [type, name] = ['type', 'name'].map((key) => document.getIn(['define', key]));
    if (/^lookup\b/.test(String(type)) && typeof name === 'string') this.existing.add(name);
    const places: { readonly name: string; readonly offset: number }[] = [];
    visit(document, {
      Pair: (_key, { key, value }) => {
        if (!isScalar(key) || !this.keys.some((pattern) => pattern.test(String(key.value)))) return;
        for (const item of isSeq(value) ? value.items : [value]) {
          if (isName(item)) places.push({ name: item.value, offset: item.range?.[0] ?? 0 });
        }
      },
    });
    const missing = places.filter((place) => !this.existing.has(place.name)).slice(0, MAX_NAMED);
    for (const place of missing) {
      const message = `names the lookup ${JSON.stringify(place.name)}, which is neither in the library nor in iplookup.destination_path; add it, or correct the name`;
      const finding = { severity: 'error', path, code: 'lookup', message, ...at(place.offset) } as const;
      this.named.push({ name: place.name, finding });
    }
  }

  /** After all files were collected. @param files paths of the library */
  missing(files: Iterable<string>): LibraryFinding[] {
    if (this.named.length === 0) return [];
    for (const path of files) {
      const [, name] = LOOKUPS_FOLDER.exec(path) ?? [];
      if (name === undefined) continue;
      const file = name.slice(name.lastIndexOf('/') + 1);
      for (const each of [name, file]) this.existing.add(each).add(withoutExtension(each));
    }
    return this.named.filter(({ name }) => !this.existing.has(name)).map(({ finding }) => finding);
  }
}

/** A value after a tag of the application is computed. */
const isName = (node: unknown): node is Scalar<string> =>
  isScalar(node) && typeof node.value === 'string' && node.value !== '' && !node.tag?.startsWith('!');

/** `sites.mmdb.gz` is the lookup `sites`. */
const withoutExtension = (file: string): string => file.replace(/(?:\.mmdb)?\.gz$|\.[^./]+$/, '');
