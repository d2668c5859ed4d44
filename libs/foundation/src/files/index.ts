export { makeFolders } from './make-folders.js';
export { withPlainFile } from './plain-file.js';
export { readVersion } from './read-version.js';
export { TimeSlice } from './time-slice.js';
