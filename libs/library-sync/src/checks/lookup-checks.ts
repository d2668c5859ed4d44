import { type Document, isScalar, isSeq, type Scalar, visit } from 'yaml';
import type { LibraryFinding } from '../ports/library-finding.js';
import { keyPattern, type LookupRules } from './declaration-rules.js';

/** Maximum findings per document; more may appear once these are fixed. */
const MAX_FINDINGS = 10;

/** Files below are lookups, whatever they contain. */
const LOOKUPS_FOLDER = /^Lookups\/(.+)$/;

/** A value that names a lookup. */
interface NamedLookup {
  readonly name: string;
  readonly place: Pick<LibraryFinding, 'line' | 'column'>;
}

/** Collects the lookups that declarations name and those that exist, and finds the missing ones. */
export class LookupChecks {
  private readonly keys: readonly RegExp[];
  private readonly existing: Set<string>;
  /** By document: which of its lookups exist is known only after the last file. */
  private readonly documents: { readonly path: string; readonly named: readonly NamedLookup[] }[] = [];

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
    const named: NamedLookup[] = [];
    visit(document, {
      Pair: (_key, { key, value }) => {
        if (!isScalar(key) || !this.keys.some((pattern) => pattern.test(String(key.value)))) return;
        for (const item of isSeq(value) ? value.items : [value]) {
          if (isName(item) && !this.existing.has(item.value))
            named.push({ name: item.value, place: at(item.range?.[0] ?? 0) });
        }
      },
    });
    if (named.length > 0) this.documents.push({ path, named });
  }

  /** After all files were collected. @param files paths of the library */
  missing(files: Iterable<string>): LibraryFinding[] {
    if (this.documents.length === 0) return [];
    for (const path of files) {
      const [, name] = LOOKUPS_FOLDER.exec(path) ?? [];
      if (name === undefined) continue;
      const file = name.slice(name.lastIndexOf('/') + 1);
      for (const each of [name, file]) this.existing.add(each).add(withoutExtension(each));
    }
    return this.documents.flatMap(({ path, named }) =>
      named
        .filter(({ name }) => !this.existing.has(name))
        .slice(0, MAX_FINDINGS)
        .map(({ name, place }) => missingLookup(path, name, place)),
    );
  }
}

function missingLookup(path: string, name: string, place: NamedLookup['place']): LibraryFinding {
  const message = `names the lookup ${JSON.stringify(name)}, which is neither in the library nor in iplookup.destination_path; add it, or correct the name`;
  return { severity: 'error', path, code: 'lookup', message, ...place };
}

/** Text that names a lookup. A value with an application's tag is not the name itself: the application computes it. */
const isName = (node: unknown): node is Scalar<string> =>
  isScalar(node) && typeof node.value === 'string' && node.value !== '' && !node.tag?.startsWith('!');

/** `sites.mmdb.gz` is the lookup `sites`. */
const withoutExtension = (file: string): string => file.replace(/(?:\.mmdb)?\.gz$|\.[^./]+$/, '');
