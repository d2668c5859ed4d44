import { type LookupRecord, type LookupValue, ValueDecoder } from '../mmdb/decode-value.js';
import { LookupFormatError } from '../mmdb/mmdb.errors.js';
import { DATA_SEPARATOR_BYTES, METADATA_MARKER } from '../mmdb/mmdb-format.js';
import { type LookupMetadata, readMetadata } from '../mmdb/metadata.js';
import { SearchTree } from '../mmdb/search-tree.js';
import { verifyTree } from './verify-tree.js';

/** Further problems are only counted. */
const MAX_PROBLEMS = 20;

/** The result of verifying a lookup file. */
export interface Verification {
  readonly metadata: LookupMetadata | undefined;
  /** Distinct referenced records. */
  readonly records: number;
  /** Problems that make some reader reject the file; empty if valid. */
  readonly problems: readonly string[];
  readonly problemCount: number;
  /** Valid by the format, but unsupported by some readers. */
  readonly warnings: readonly string[];
}

/**
 * Checks a lookup file by the strictest rules of its readers: those of libmaxminddb, and of `mmdbverify` (Go), which
 * requires every byte of the data section to be referenced.
 */
export function verifyLookup(bytes: Uint8Array): Verification {
  return new Verifier(bytes).run();
}

class Verifier {
  private readonly problems: string[] = [];
  private readonly warnings = new Set<string>();
  private problemCount = 0;
  private records = 0;

  constructor(private readonly bytes: Uint8Array) {}

  run(): Verification {
    let metadata: LookupMetadata | undefined;
    try {
      const layout = readMetadata(this.bytes);
      metadata = layout.metadata;
      this.verifyMetadata(metadata, layout.dataEnd);
      this.verifySections(metadata, layout.dataStart, layout.dataEnd);
    } catch (error) {
      if (!(error instanceof LookupFormatError)) throw error;
      this.report(error.message);
    }
    const { records, problems, problemCount, warnings } = this;
    return { metadata, records, problems, problemCount, warnings: [...warnings] };
  }

  private readonly report = (problem: string): void => {
    this.problemCount++;
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  };

  private verifyMetadata(metadata: LookupMetadata, marker: number): void {
    const start = marker + METADATA_MARKER.length;
    const decoder = new ValueDecoder(this.bytes, start, this.bytes.length);
    const fields = decoder.decode(0) as LookupRecord;
    if (start + decoder.next !== this.bytes.length) this.report('bytes follow the metadata');
    if (fields['binary_format_minor_version'] !== 0) this.report('the minor format version is not 0');
    if (metadata.databaseType === '') this.report('the metadata has no database_type');
    if (/^GeoIP/i.test(metadata.databaseType))
      this.warnings.add('database_type begins with GeoIP, which is reserved for MaxMind');
    if (Object.keys(metadata.description).length === 0) this.report('the metadata has no description');
    const last = Object.values(fields).at(-1);
    if (typeof last === 'object' && Object.keys(last).length === 0) {
      this.report('the metadata ends with an empty map or array, which libmaxminddb 1.13.0 to 1.13.2 reject');
    }
  }

  private verifySections(metadata: LookupMetadata, dataStart: number, dataEnd: number): void {
    const separator = this.bytes.subarray(dataStart - DATA_SEPARATOR_BYTES, dataStart);
    if (separator.some((byte) => byte !== 0))
      this.report('the 16 bytes between tree and data are not all zero');
    const tree = new SearchTree(this.bytes, metadata);
    const bits = metadata.ipVersion === 4 ? 32 : 128;
    const { records, isReferred } = verifyTree(tree, bits, dataEnd - dataStart, this.report);
    this.records = records;
    const seen = this.verifyData(dataStart, dataEnd, isReferred);
    if (seen !== records)
      this.report(`the search tree points to ${records - seen} places where no value begins`);
  }

  /** Reads the whole data section. @returns how many of its values the tree references */
  private verifyData(dataStart: number, dataEnd: number, isReferred: (offset: number) => boolean): number {
    const decoder = new ValueDecoder(this.bytes, dataStart, dataEnd);
    let seen = 0;
    for (let offset = 0; dataStart + offset < dataEnd; offset = decoder.next) {
      const value = decoder.decode(offset);
      if (isReferred(offset)) seen++;
      else this.report(`the data section has an unreferenced value at ${offset}`);
      this.warnOf(value, true);
    }
    return seen;
  }

  private warnOf(value: LookupValue, top: boolean): void {
    if (value instanceof Uint8Array)
      this.warnings.add('values of type bytes crash syslog-ng, and Vector finds no record');
    else if (typeof value === 'bigint')
      this.warnings.add('integers of more than 53 bits are misread by many readers');
    else if (Array.isArray(value)) this.warnings.add('arrays are not read by Fluent Bit, nginx and others');
    else if (typeof value === 'object')
      for (const item of Object.values(value)) this.warnOf(item as LookupValue, false);
    else if (top) this.warnings.add('records that are not maps are not supported by many readers');
  }
}
