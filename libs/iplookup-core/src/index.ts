export { type LookupRecord, type LookupValue } from './mmdb/decode-value.js';
export { LookupFormatError } from './mmdb/lookup-format.error.js';
export { type Lookup, type NetworkMatch, openLookup } from './mmdb/open-lookup.js';
export { type LookupMetadata } from './mmdb/read-metadata.js';
