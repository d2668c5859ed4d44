/** Reads lookup files, without the modules that build, compare and draw them. */
export { readLookupFile } from './files/read-lookup-file.js';
export { type LookupRecord, type LookupValue } from './mmdb/decode-value.js';
export { LookupFormatError } from './mmdb/mmdb.errors.js';
export { type Lookup, openLookup } from './mmdb/open-lookup.js';
