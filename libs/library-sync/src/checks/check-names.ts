import type { LibraryFinding } from '../ports/library-finding.js';
import { folderViolation } from './file-paths.js';

/** `library`: names that the log platform's consumers can read. `any`: names that the store can hold. */
export type NamingRules = 'library' | 'any';

type Finding = Omit<LibraryFinding, 'path' | 'line' | 'column'>;

/** In bytes of UTF-8; longer paths would leave too little of a request for the data. */
const MAX_PATH_BYTES = 4_096;

/**
 * Code units that ZooKeeper rejects in a path: control characters, surrogates (hence emoji), the private
 * use area, and the specials at the end of the basic plane.
 */
const REFUSED_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\ud800-\uf8ff\ufff0-\uffff]/;

/** Consumers treat a node as a file if its name has a dot, unless it ends in one of these. */
const FOLDER_ENDINGS = /\.(io|d)$/;

/** True for a name or path that ZooKeeper rejects. */
export function hasRefusedCharacter(path: string): boolean {
  return REFUSED_CHARACTERS.test(path);
}

/**
 * Checks the last segment of a path.
 *
 * @param folder the destination, if that is a folder
 */
export function checkName(
  path: string,
  kind: 'file' | 'folder',
  rules: NamingRules,
  folder?: string,
): Finding[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const findings: Finding[] = [];
  if (hasRefusedCharacter(name)) findings.push(REFUSED_CHARACTER);
  const violation = folderViolation(path, folder);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) findings.push(LONG_PATH);
  else if (violation !== undefined) findings.push(folderFinding(violation, folder !== undefined));
  if (rules === 'any') return findings;
  if (name.startsWith('~')) findings.push(TILDE_NAME);
  else if (name.includes('..') || name.includes('~')) findings.push(UNREADABLE_NAME);
  const readAsFile = name.includes('.') && !FOLDER_ENDINGS.test(name);
  if (kind === 'folder' && readAsFile) findings.push(FOLDER_WITH_DOT);
  if (kind === 'file' && !readAsFile) findings.push(FILE_WITHOUT_EXTENSION);
  return findings;
}

function folderFinding(reason: string, isDestination: boolean): Finding {
  return isDestination
    ? { severity: 'error', code: 'name-length', message: `${reason}; shorten it` }
    : { severity: 'warning', code: 'name-length', message: `${reason}: it cannot be pulled` };
}

const REFUSED_CHARACTER: Finding = {
  severity: 'error',
  code: 'name-characters',
  message: 'contains a character that ZooKeeper rejects (control character, emoji, private use); rename it',
};

const LONG_PATH: Finding = {
  severity: 'error',
  code: 'path-length',
  message: `has a path of more than ${MAX_PATH_BYTES} bytes; shorten it`,
};

const UNREADABLE_NAME: Finding = {
  severity: 'warning',
  code: 'name-unreadable',
  message: 'has ".." or "~" in its name: consumers refuse to open it',
};

const TILDE_NAME: Finding = {
  severity: 'error',
  code: 'name-tilde',
  message: 'has a name that starts with "~": consumers refuse such paths; rename it',
};

const FOLDER_WITH_DOT: Finding = {
  severity: 'error',
  code: 'folder-with-dot',
  message:
    'is a folder whose name has a dot: consumers would take it for a file; rename it (only .io and .d may end a folder name)',
};

const FILE_WITHOUT_EXTENSION: Finding = {
  severity: 'warning',
  code: 'file-without-extension',
  message: 'has no file extension: consumers will take it for a folder',
};

/**
 * Finds names that differ only in case or Unicode form, which would clash on other file systems.
 *
 * @param paths in any order
 */
export function findTwins(paths: Iterable<string>): LibraryFinding[] {
  const seen = new Map<string, string>();
  const problems: LibraryFinding[] = [];
  for (const path of paths) {
    const key = path.normalize('NFC').toLowerCase();
    const twin = seen.get(key);
    if (twin === undefined) seen.set(key, path);
    else {
      const difference = twin.normalize('NFC') === path.normalize('NFC') ? 'Unicode form' : 'case';
      const message = `differs from ${twin} only in ${difference}`;
      problems.push({ severity: 'warning', path, code: 'name-twins', message });
    }
  }
  return problems;
}
