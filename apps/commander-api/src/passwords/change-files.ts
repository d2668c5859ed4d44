import { type DocumentError, documentFormat, type DocumentFormat } from '@svc/password-format';
import type { CommandContext } from '../command-line/command-context.js';
import { counted } from '../command-line/text.js';
import { CommanderError } from '../errors/commander-error.js';
import type { FileInput } from '../files/read-at-most.js';
import { decodeText } from '../files/decode-text.js';
import { digestOf, type Replacement, replaceFiles } from '../files/replace-files.js';
import { listDocuments } from './list-documents.js';
import { decodeDocument, readDocumentBytes } from './read-document-file.js';

/** One file's new text. */
export interface Change {
  readonly text: string;
  /** How many passwords were replaced. */
  readonly passwords: number;
  readonly errors: readonly DocumentError[];
  /** Ids of the keys that they had. */
  readonly from?: readonly string[];
}

/** One file after the change. */
export type ChangedFile = Pick<Change, 'passwords' | 'from'> & { readonly file: string };

interface ChangeOptions {
  readonly dryRun: boolean;
  /** Skips files with errors. */
  readonly keepGoing: boolean;
}

/** Files with passwords, and what could not be changed. */
export interface Changes {
  readonly files: readonly ChangedFile[];
  /** Symbolic links in folders: only files that are named themselves are changed through one. */
  readonly links: readonly string[];
  readonly errors: readonly string[];
}

/**
 * Changes the passwords of files in place. All files are read and all new files written before the first is replaced, so that an
 * error changes nothing unless `keepGoing` is set. Each file changes as a whole.
 *
 * @param paths files and folders
 * @param change computes the new text
 * @throws {CommanderError} with a line for each error, unless `keepGoing` is set
 */
export async function changeFiles(
  paths: readonly string[],
  change: (text: string, format: DocumentFormat) => Promise<Change>,
  { dryRun, keepGoing }: ChangeOptions,
  input: FileInput,
): Promise<Changes> {
  const listed = await listDocuments(paths, input.signal);
  const errors = [...listed.errors];
  const files: ChangedFile[] = [];
  const replacements: Replacement[] = [];
  for (const file of listed.files) {
    const done = await changeOne(file).catch((error: unknown) => {
      if (!(error instanceof CommanderError)) throw error;
      errors.push(error.message);
    });
    if (!done) continue;
    const { text, errors: found, before, ...counts } = done;
    errors.push(...found.map(({ line, message }) => `${file}:${line}: ${message}`));
    if (found.length > 0) continue;
    files.push({ file, ...counts });
    // The text of the others need not be kept.
    if (counts.passwords > 0) replacements.push({ path: file, content: text, before });
  }
  if (errors.length > 0 && !keepGoing) throw new CommanderError('failed', [...errors, 'no file was changed']);
  if (!dryRun) await replaceFiles(replacements, input.signal);
  return { files, errors, links: listed.links };

  async function changeOne(file: string): Promise<Change & { readonly before: string }> {
    const bytes = await readDocumentBytes(file, input);
    const before = digestOf(bytes);
    // A file without a mark need not be valid.
    if (!decodeText(bytes)?.includes('!encpwd')) return { text: '', passwords: 0, errors: [], before };
    const text = decodeDocument(file, bytes);
    return { ...(await change(text, documentFormat(file) ?? 'yaml')), before };
  }
}

const MAX_NAMED_LINKS = 5;

/** Says which symbolic links were skipped, since the files that they name may hold passwords. */
export function noteLinks({ note }: Pick<CommandContext, 'note'>, { links }: Changes): void {
  if (links.length === 0) return;
  const named = links.slice(0, MAX_NAMED_LINKS).join(', ');
  const more = links.length > MAX_NAMED_LINKS ? ` and ${links.length - MAX_NAMED_LINKS} more` : '';
  note(`skipped ${counted(links.length, 'symbolic link')}: ${named}${more}; name the files to change them`);
}
