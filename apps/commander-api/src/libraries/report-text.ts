import type { LoadReport, PlannedChange } from '@svc/library-sync';

/** A load's outcome in a few lines for people. */
export function reportText(report: LoadReport): string {
  const { source, revision, destination, seconds } = report;
  const lines = [`${source} (${revision.slice(0, 12)}) -> ${destination}`];
  if (report.skipped) lines.push(`nothing to do: load ${report.load} has this revision already`);
  else lines.push(...(report.changes ?? []).map(changeText), countsText(report));
  lines.push(...listText('left alone, not put there by a load', report.foreign));
  lines.push(...listText('kept, though the source no longer has it', report.kept));
  lines.push(`${statusText(report)} (${seconds.toFixed(2)} s)`);
  return lines.join('\n');
}

const SIGNS = { create: '+', update: '~', remove: '-' } as const;

/** `+ Parsers/ssh.yaml`; folders end with `/`. */
export function changeText({ action, kind, path }: PlannedChange): string {
  return `${SIGNS[action]} ${path}${kind === 'folder' ? '/' : ''}`;
}

function countsText({ created, updated, deleted, unchanged, bytes }: LoadReport): string {
  return `${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged, ${bytes} bytes written`;
}

function statusText({ dry_run, changed, skipped, load, version }: LoadReport): string {
  if (dry_run) return changed ? 'dry run: nothing was written' : 'dry run: the library is as it should be';
  if (skipped || !changed) return `unchanged since load ${load}`;
  return `load ${load} is done${version === undefined ? '' : `, version ${version}`}`;
}

const SHOWN = 20;

function listText(title: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > SHOWN ? [`  ... and ${paths.length - SHOWN} more`] : [];
  return [`${paths.length} ${title}:`, ...paths.slice(0, SHOWN).map((path) => `  ${path}`), ...more];
}
