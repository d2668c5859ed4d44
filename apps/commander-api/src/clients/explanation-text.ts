import type { Explanation } from '@svc/registry-client';
import { escapeLine } from '@svc/foundation';

/** An explanation in lines for a terminal. */
export function explanationText(explanation: Explanation): string {
  const { client_id: id, client_name: name, valid, errors, notes } = explanation;
  const shown = name === undefined ? id : `${id} (${name})`;
  return [
    `the registry ${valid ? 'accepts' : 'rejects'} this request from ${escapeLine(shown)}`,
    ...errors.map(({ rule, error_description: why }) => `  ${rule}: ${escapeLine(why)}`),
    ...notes.map(({ code, message }) => `  note, ${code}: ${escapeLine(message)}`),
    ...nearestLines(explanation),
    ...(valid ? [lastLine(explanation)] : [lastLine(explanation), ...historyLines(explanation)]),
  ].join('\n');
}

function nearestLines({ nearest, redirect_uri: requested }: Explanation): string[] {
  if (!nearest || requested === undefined) return [];
  const { redirect_uri: registered, difference, common_start: start, common_end: end } = nearest;
  return [
    `nearest redirect URI${difference === undefined ? '' : ` (difference: ${difference})`}:`,
    ...marked('requested ', requested, start, end),
    ...marked('registered', registered, start, end),
  ];
}

/** The text, and a line that marks where it differs; where characters are missing, the place. */
function marked(label: string, text: string, start: number, end: number): string[] {
  const before = escapeLine(text.slice(0, start));
  const differing = escapeLine(text.slice(start, text.length - end));
  const mark = differing === '' ? '^' : '~'.repeat(differing.length);
  return [`  ${label}  ${escapeLine(text)}`, `${' '.repeat(label.length + 4 + before.length)}${mark}`];
}

function lastLine({ errors, last_worked_at: last, recorded_since: since }: Explanation): string {
  if (last !== undefined) return `last worked: ${last}`;
  if (errors.some(({ rule }) => rule === 'client_deleted'))
    return 'last worked: unknown, the usage of a deleted client is deleted, too';
  return since === undefined
    ? 'last worked: unknown, no usage has been recorded yet'
    : `last worked: not since ${since}, as far as usage is kept`;
}

function historyLines({ history, broken_by: change, expired_at: end }: Explanation): string[] {
  if (change) {
    const { kind, at, actor, changed } = change;
    const by = `${actor.name}${actor.address === '' ? '' : ` from ${actor.address}`}`;
    return [
      `broken by: change ${change.seq}, ${kind} at ${at} by ${escapeLine(by)}`,
      ...changed.map(({ field, before, after }) =>
        escapeLine(`  ${field}: ${json(before)} -> ${json(after)}`),
      ),
    ];
  }
  if (history === 'expired')
    return [`broken by: the expiry of the redirect URI${end === undefined ? '' : ` at ${end}`}`];
  return [
    history === 'never_valid'
      ? 'broken by: no change, the registry never accepted it'
      : 'broken by: unknown, the retained history does not show it',
  ];
}

function json(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
