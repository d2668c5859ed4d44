import { escapeLines } from '@svc/foundation';
import {
  type Drift,
  type LibraryStatus,
  type LoadRecord,
  type LoadReport,
  type PlannedChange,
  findingText,
  type SourceSignature,
  type ValidationReport,
} from '@svc/library-sync';
import type { PullReport } from './pull-stored-library.js';

/** A load's outcome in a few lines of text. */
export function reportText(report: LoadReport): string {
  const { source, revision, destination, seconds } = report;
  const lines = [`${source} (${revision.slice(0, 12)}) -> ${destination}`, ...signatureText(report)];
  if (report.skipped)
    lines.push(
      `nothing to do: the source is unchanged since load ${report.load}, or at a revision that was rolled back`,
    );
  else {
    // Not push(...changes): the number of arguments is limited.
    for (const change of report.changes ?? []) lines.push(changeText(change));
    lines.push(countsText(report));
  }
  const unreadable = new Set(report.unreadable);
  const mark = (path: string) => (unreadable.has(path) ? `${path} (not readable)` : path);
  lines.push(...listText('left alone, not created by a load', report.foreign.map(mark)));
  lines.push(...listText('kept, although the source no longer has it', report.kept.map(mark)));
  lines.push(`${outcomeText(report)} (${seconds.toFixed(2)} s)`);
  return escapeLines(lines);
}

function signatureText({ signed_by, signing_key, signed_at }: Partial<SourceSignature>): string[] {
  return signed_by === undefined ? [] : [`signed by ${signed_by} (${signing_key}), ${signed_at}`];
}

const SIGNS = { create: '+', update: '~', remove: '-' } as const;

/** `+ Parsers/ssh.yaml`; folders end with `/`. */
export function changeText({ action, kind, path }: PlannedChange): string {
  return `${SIGNS[action]} ${path}${kind === 'folder' ? '/' : ''}`;
}

function countsText({ dry_run, created, updated, deleted, unchanged, bytes }: LoadReport): string {
  const [toBe, written] = dry_run ? ['to be ', 'to be written'] : ['', 'written'];
  return `${created} ${toBe}created, ${updated} ${toBe}updated, ${deleted} ${toBe}deleted, ${unchanged} unchanged, ${bytes} bytes ${written}`;
}

function outcomeText({ dry_run, changed, load, version, completed }: LoadReport): string {
  if (dry_run) return dryRunText(changed, completed);
  if (!changed && completed === undefined) return `unchanged since load ${load}`;
  const done = `load ${load} is done${version === undefined ? '' : `, version ${version}`}`;
  return completed === undefined
    ? done
    : `${done}; it completed load ${completed}, which had been interrupted`;
}

function dryRunText(changed: boolean, completed: number | undefined): string {
  const done = changed || completed !== undefined ? 'nothing was written' : 'the library is up to date';
  const pending = completed === undefined ? '' : `; ${pendingText(completed)}`;
  return `dry run: ${done}${pending}`;
}

/** What a plan says of a load that is not finished. */
export const pendingText = (load: number): string =>
  `load ${load} was interrupted or is still running; the next load completes it`;

const SHOWN = 20;

function listText(title: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > SHOWN ? [`  ... and ${paths.length - SHOWN} more`] : [];
  return [`${paths.length} ${title}:`, ...paths.slice(0, SHOWN).map((path) => `  ${path}`), ...more];
}

export function validationText(report: ValidationReport): string {
  const { source, revision, files, folders, bytes, problems, valid } = report;
  return escapeLines([
    `${source} (${revision.slice(0, 12)})`,
    ...problems.map(findingText),
    `${valid ? 'valid' : 'not valid'}: ${files} files in ${folders} folders, ${bytes} bytes`,
  ]);
}

export function statusText(status: LibraryStatus & { readonly drift?: readonly Drift[] }): string {
  const { destination, last, version, pending, lock, drift } = status;
  const lines = [destination, ...(last ? recordLines(last) : [withoutRecord(status)])];
  if (version !== undefined) lines.push(`version ${version}`);
  if (lock) lines.push(`a load is running: ${lock.by}, since ${lock.since}`);
  else if (pending) {
    const { load, by, since, restores } = pending;
    const remedy =
      restores === undefined
        ? 'load again to complete it, or run rollback --to again if it was a rollback'
        : `run svccmd library rollback --to ${restores} to complete it, or load again`;
    lines.push(`load ${load} was interrupted (${by}, ${since}); ${remedy}`);
  }
  if (drift?.length === 0) lines.push('the library is unchanged since the last load');
  return escapeLines([...lines, ...driftLines(drift ?? [])]);
}

const withoutRecord = ({ load }: LibraryStatus): string =>
  load === 0
    ? 'nothing has been loaded yet'
    : `load ${load} is the last finished one, but its record is missing; load again to write a new one`;

export const driftLines = (drift: readonly Drift[]): string[] =>
  drift.map(({ path, change }) => `${change}: ${path}`);

export function historyText(records: readonly LoadRecord[]): string {
  return records.length === 0 ? 'nothing has been loaded yet' : escapeLines(records.flatMap(recordLines));
}

const KINDS = { rollback: 'a rollback', repair: 'a repair of what others had changed' } as const;

function recordLines(record: LoadRecord): string[] {
  const { load, finished_at = '', revision, created = 0, updated = 0, deleted = 0, source, by } = record;
  const line = `load ${load}  ${finished_at}  ${revision.slice(0, 12)}  +${created} ~${updated} -${deleted}  ${source}  (${by})`;
  const what = record.kind === undefined ? [] : [KINDS[record.kind]];
  const older = record.allowed_older ? ['older than the load before, accepted with --allow-older'] : [];
  return [line, ...[...what, ...signatureText(record), ...older].map((text) => `  ${text}`)];
}

export function pullText(report: PullReport): string {
  const { destination, folder, files, folders, bytes, unreadable, without_data } = report;
  return escapeLines([
    `${destination} -> ${folder}`,
    `${files} files in ${folders} folders, ${bytes} bytes`,
    ...listText('skipped, not readable', unreadable),
    ...listText("written without the data stored on the folder's node", without_data),
  ]);
}
