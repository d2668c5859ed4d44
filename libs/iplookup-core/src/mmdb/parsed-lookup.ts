import { type LookupRecord, ValueDecoder } from './decode-value.js';
import { LookupFormatError } from './mmdb.errors.js';
import { DATA_SEPARATOR_BYTES } from './mmdb-format.js';
import { type LookupLayout, type LookupMetadata, readMetadata } from './metadata.js';
import { SearchTree } from './search-tree.js';

/** Cached records by offset, since addresses share them; cleared when full. */
const MAX_CACHED_RECORDS = 131_072;

/** Values in all cached records together: pointers can make a record much larger than its part of the file. */
const MAX_CACHED_VALUES = 1 << 23;

/** A parsed lookup file, for finding single addresses or walking all of them. */
export class ParsedLookup {
  readonly metadata: LookupMetadata;
  readonly tree: SearchTree;
  /** The data section. */
  readonly data: Uint8Array;
  private readonly values: ValueDecoder;
  private readonly records = new Map<number, LookupRecord>();
  private cachedValues = 0;

  /**
   * @param bytes the whole file; or its records, and where they and the tree are
   * @throws {LookupFormatError} if it is not a lookup file
   */
  constructor(bytes: Uint8Array, layout: LookupLayout = readMetadata(bytes), tree?: SearchTree) {
    const { metadata, dataStart, dataEnd } = layout;
    this.metadata = metadata;
    this.tree = tree ?? new SearchTree(bytes, metadata);
    this.data = bytes.subarray(dataStart, dataEnd);
    this.values = new ValueDecoder(this.data, 0, this.data.length);
  }

  /** Offset of a reference's target in the data section. @throws {LookupFormatError} */
  offsetOf(reference: number): number {
    const offset = reference - this.tree.nodeCount - DATA_SEPARATOR_BYTES;
    if (offset >= 0 && offset < this.data.length) return offset;
    throw new LookupFormatError(`the search tree leads to the invalid record ${reference}`);
  }

  /** @throws {LookupFormatError} if there is no record at this offset */
  recordAt(offset: number): LookupRecord {
    const known = this.records.get(offset);
    if (known !== undefined) return known;
    const record = this.values.decode(offset);
    if (typeof record !== 'object' || Array.isArray(record) || record instanceof Uint8Array) {
      throw new LookupFormatError('the record of an address is not a map of columns');
    }
    this.cache(offset, record as LookupRecord, this.values.count);
    return record as LookupRecord;
  }

  private cache(offset: number, record: LookupRecord, values: number): void {
    if (this.records.size >= MAX_CACHED_RECORDS || this.cachedValues + values > MAX_CACHED_VALUES) {
      this.records.clear();
      this.cachedValues = 0;
    }
    this.records.set(offset, record);
    this.cachedValues += values;
  }
}
