export { INPUT_FORMATS, type InputFormat, type InputFormatName } from './address/input-format.js';
export { type BuildCounts } from './build/build-summary.js';
export { describeFault, type InputFault, LookupInputError, spellFault } from './build/input-fault.js';
export { type BuildOptions, planBuild } from './build/plan-build.js';
export {
  buildLookup,
  type BuildProgress,
  type BuildRequest,
  type BuildSummary,
} from './files/build-lookup.js';
export { TooManyColumnsError } from './dump/dump-columns.js';
export { type LookupDiff } from './diff/diff-lookups.js';
export { diffLookupFiles } from './files/diff-lookup-files.js';
export { dumpLookupFile, dumpLookupToFile, type DumpSummary } from './files/dump-lookup-file.js';
export { InputFileError } from './files/input-file.error.js';
export { inspectLookupFile } from './files/inspect-lookup-file.js';
export { openRegularFile } from './files/open-regular-file.js';
export { OutputFileError } from './files/output-file.error.js';
export { readLookupFile, readOpenLookup } from './files/read-lookup-file.js';
export { type FileVerification, type VerifyAgainst, verifyLookupFile } from './files/verify-lookup-file.js';
export { drawInspection } from './inspect/draw-inspection.js';
export { type FamilyCount, type GroupCount, type Inspection } from './inspect/inspect-lookup.js';
export { LookupOptionError } from './messages/lookup-option.error.js';
export { LookupTooLargeError } from './mmdb/data-section.js';
export { type LookupRecord, type LookupValue } from './mmdb/decode-value.js';
export { LookupFormatError } from './mmdb/lookup-format.error.js';
export { type Lookup, type NetworkMatch, openLookup } from './mmdb/open-lookup.js';
export { type LookupMetadata } from './mmdb/read-metadata.js';
export { type Overlap } from './rows/overlap-report.js';
export { removePartial } from './files/write-file-atomically.js';
export { vendorDatabase } from './vendor/vendor-file-name.js';
export { type Comparison } from './verify/compare-rows.js';
export { type Verification } from './verify/verify-lookup.js';
export { inWords, type OptionMention } from './messages/wording.js';
