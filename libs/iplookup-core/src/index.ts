export { INPUT_FORMATS, type InputFormat, type InputFormatName } from './address/input-format.js';
export { ipv4OfSixToFour } from './address/six-to-four.js';
export { type BuildCounts } from './build/build-counts.js';
export {
  describeViolation,
  type InputViolation,
  LookupInputError,
  nameOptions,
} from './build/input-violations.js';
export { type OverlapRule } from './build/build-plan.js';
export type { BuildOptions } from './build/build-options.js';
export { isLookupName, planBuild } from './build/plan-build.js';
export {
  buildLookup,
  type BuildProgress,
  type BuildRequest,
  type BuildSummary,
} from './files/build-lookup.js';
export { type JoinFile } from './files/read-joins.js';
export { TooManyColumnsError } from './dump/dump-columns.js';
export { type LookupDiff } from './diff/diff-lookups.js';
export { diffLookupFiles } from './files/diff-lookup-files.js';
export { dumpLookupFile, dumpLookupToFile, type DumpSummary } from './files/dump-lookup-file.js';
export { InputFileError, OutputFileError } from './files/file.errors.js';
export { findCoveringRow } from './files/find-covering-row.js';
export { previousLookupFile } from './files/guard-swap.js';
export { guessInputFile } from './files/guess-input-file.js';
export { type BuildGuess } from './guess/guess-build.js';
export { inspectLookupFile } from './files/inspect-lookup-file.js';
export { type LayerFile, mergeLookupFiles } from './files/merge-lookup-files.js';
export { type LookupManifest, readManifest, sha256OfFile } from './files/lookup-manifest.js';
export {
  deleteVersions,
  listVersions,
  type LookupVersion,
  restoreVersion,
  type Rollback,
} from './files/lookup-versions.js';
export { maxmindDatabase } from './files/open-maxmind.js';
export { openRegularFile } from './files/open-regular-file.js';
export { readLookupFile, readOpenLookup } from './files/read-lookup-file.js';
export { type FileVerification, type VerifyAgainst, verifyLookupFile } from './files/verify-lookup-file.js';
export { describeGuard, guardMessage, LookupGuardError } from './guard/guard.errors.js';
export { type GuardOptions, type GuardOutcome, USUAL_GUARDS } from './guard/guard-options.js';
export { parseColumnLimit, parseProbe, parseProbes, parseShare } from './guard/parse-guards.js';
export { drawInspection } from './inspect/draw-inspection.js';
export { type FamilyCount, type GroupCount, type Inspection } from './inspect/inspect-lookup.js';
export { type MergeCounts, MERGE_RULES, type MergeRule } from './merge/merge-lookups.js';
export { formatMessage, LookupOptionError, type OptionMention } from './messages/option-message.js';
export { type LookupRecord, type LookupValue } from './mmdb/decode-value.js';
export { LookupFormatError, LookupTooLargeError } from './mmdb/mmdb.errors.js';
export { type Lookup, type NetworkMatch, openLookup } from './mmdb/open-lookup.js';
export { type LookupMetadata } from './mmdb/metadata.js';
export { type Overlap } from './rows/overlap-report.js';
export { removePartial, removeStale, writeFileAtomically } from './files/write-file-atomically.js';
export { writeOutput } from './files/write-output.js';
export { type SourceTerms, termsOf } from './vendor/source-terms.js';
export { vendorDatabase } from './vendor/vendor-file-name.js';
export { type Comparison } from './verify/compare-rows.js';
export { type Verification } from './verify/verify-lookup.js';
