export { makeFolders } from './make-folders.js';
export { withPlainFile } from './plain-file.js';
export { packageVersion } from './package-version.js';
export { TimeSlice } from './time-slice.js';
