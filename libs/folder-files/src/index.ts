export { makeFolders } from './make-folders.js';
export { withPlainFile } from './plain-file.js';
export { Turns } from './turns.js';
