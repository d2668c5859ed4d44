export {
  type CheckOptions,
  checkLibrary,
  contentHash,
  type Library,
  type LibraryFile,
} from './checks/check-library.js';
export { hasRefusedCharacter, type NamingRules } from './checks/check-names.js';
export { folderViolation } from './checks/file-paths.js';
export { createEntryFilter, IGNORE_FILE } from './checks/ignore-rules.js';
export { IgnoreList } from './checks/ignore-list.js';
export { LARGE_FILE_BYTES, MAX_FILE_BYTES, MAX_REQUEST_BYTES, maxDataBytes } from './checks/node-limits.js';
export { assertSchemas } from './checks/assert-schemas.js';
export {
  type DeclarationRules,
  keyPattern,
  type LookupRules,
  type SchemaRule,
  type TagKind,
} from './checks/declaration-rules.js';
export type { CheckedSource, ReadingOptions, ReadingRun, ReadLibrary } from './checked-source.js';
export { bytesOf, type FileContent } from './ports/file-content.js';
export {
  BlockedLibraryError,
  InvalidLibraryError,
  type LibraryFinding,
  findingText,
} from './ports/library-finding.js';
export {
  type EntryFilter,
  type LastLoaded,
  type LibrarySource,
  type LinkRefusal,
  SourceChangedError,
  SourceConfigurationError,
  type SourceEntry,
  type SourceIdentity,
  type SourceSignature,
  type SourceTree,
  SourceUnreachableError,
  UnverifiedSourceError,
} from './ports/library-source.js';
export {
  type LibraryLock,
  LibraryLockedError,
  type LibraryStore,
  type LockHolder,
  LockLostError,
  OutcomeUnknownError,
  type StoreArea,
  type StoredNode,
  StoreRefusedError,
  StoreUnreachableError,
  WriteConflictError,
  type WriteOperation,
} from './ports/library-store.js';
export {
  IncompleteLoadError,
  InterruptedRollbackError,
  OvertakenError,
  UnreadableStateError,
} from './load.errors.js';
export { OtherSourceError } from './other-source.js';
export { loadLibrary } from './load-library.js';
export { readAndCheck, validateLibrary, type ValidationReport } from './read-library.js';
export type { LoadOptions, LoadRun } from './load-task.js';
export { type LoadProgress, type LoadReport, type PlannedChange } from './load-report.js';
export { type PruneMode } from './plan-sync.js';
export {
  type Drift,
  type LastLoad,
  type LibraryStatus,
  readBetweenLoads,
  readDrift,
  readHistory,
  type LoadedPaths,
  readLastLoad,
  readLoadedPaths,
  readStatus,
} from './library-status.js';
export { readPaths } from './load-state.js';
export { type LoadRecord, signatureOf } from './manifest.js';
export { assertVersionNode } from './version-node.js';
export {
  atRevision,
  type DriftEvent,
  type WatchedLibrary,
  watchDelay,
  watchLibrary,
  type WatchEvent,
  type WatchOptions,
} from './watch-library.js';
