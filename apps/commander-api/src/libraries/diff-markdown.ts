import { escapeLine } from '@svc/foundation';
import { findingText, type LoadReport, type PlannedChange } from '@svc/library-sync';
import { pendingText } from './report-text.js';

/** Comments have a limited size; GitHub's is 65,536 characters. */
const SHOWN = 200;

/** Longer lists are folded. */
const OPEN = 20;

/** What a load would change, as a comment on a merge request (GitHub, GitLab). */
export function diffMarkdown(report: LoadReport): string {
  const { source, revision, destination, created, updated, deleted, unchanged, changes = [] } = report;
  const { completed } = report;
  const place = `from ${code(source)} at ${code(revision.slice(0, 12))} into ${code(destination)}`;
  const counts = `${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`;
  return [
    report.changed ? '### What a load would change' : '### A load would change nothing',
    `${place}: ${counts}`,
    ...(completed === undefined ? [] : [`**${pendingText(completed)}**`]),
    ...section(
      report.problems.map((problem) => `- ${text(findingText(problem))}`),
      'note',
    ),
    ...section(changes.map(changeLine), 'change'),
    ...section(
      report.kept.map((path) => `- ${code(path)} is kept, although the source no longer has it`),
      'node that is kept',
      'nodes that are kept',
    ),
  ].join('\n\n');
}

const changeLine = ({ action, kind, path }: PlannedChange): string =>
  `- ${action} ${code(kind === 'folder' ? `${path}/` : path)}`;

/** Its title also keeps a list from continuing the one before. */
function section(lines: readonly string[], one: string, several = `${one}s`): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, SHOWN);
  if (lines.length > SHOWN) shown.push(`- and ${lines.length - SHOWN} more`);
  const title = `${lines.length} ${lines.length === 1 ? one : several}`;
  if (lines.length <= OPEN) return [`**${title}**`, shown.join('\n')];
  return [`<details><summary>${title}</summary>`, shown.join('\n'), '</details>'];
}

/** Code fenced by more backticks than the text has in a row cannot contain markup. */
function code(content: string): string {
  const line = escapeLine(content);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** A text in which nothing is markup, a mention or a link. */
const text = (content: string): string =>
  escapeLine(content).replace(/[\\`*_{}[\]()#+!|<>~@&-]/g, (character) => `\\${character}`);
