export { ContentFile, openUnnamedFile, type StoredContent } from './content-file.js';
export { ContentStore } from './content-store.js';
export {
  DamagedLockError,
  type FileLock,
  FileLockedError,
  type FileLockHolder,
  holdsFileLock,
  isFileLockAbandoned,
  takeFileLock,
} from './file-lock.js';
export { makeFolders } from './make-folders.js';
export { packageVersion } from './package-version.js';
export { BufferPool, withPlainFile } from './plain-file.js';
export { TimeSlice } from './time-slice.js';
export { writeFlushed } from './write-flushed.js';
