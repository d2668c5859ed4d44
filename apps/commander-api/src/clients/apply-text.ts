import { escapeLine } from '@svc/foundation';
import type { AppliedClient, ApplyReport, ChangedField } from './apply-declarations.js';

const SIGNS = { created: '+', updated: '~', deleted: '-' } as const;
const PLANNED = { created: 'create', updated: 'update', deleted: 'delete' } as const;

/** Lists changes, made or planned. Unchanged Clients are omitted. */
export function applyText(report: ApplyReport): string {
  const lines = report.clients.flatMap((client) => clientLines(client, report.dry_run));
  return [...lines, summaryOf(report)].join('\n');
}

function clientLines(client: AppliedClient, isPlan: boolean): string[] {
  const { action, client_id: id, client_name: name, file, line, changed = [], client_secret } = client;
  const taken = client.taken_over ? ['    taken over'] : [];
  const verb = (isPlan ? PLANNED : { created: 'created', updated: 'updated', deleted: 'deleted' })[action];
  const place = file === undefined ? '' : `  ${file}:${line}`;
  const head = `${SIGNS[action]} ${verb} ${id}${name === null ? '' : ` (${name})`}${place}`;
  const secret = client_secret === undefined ? [] : [`    client_secret: ${client_secret}`];
  const imported = client.client_secret_imported ? ['    client_secret: imported'] : [];
  return [escapeLine(head), ...taken, ...changed.flatMap(fieldLines), ...secret, ...imported];
}

function fieldLines({ field, before, after }: ChangedField): string[] {
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return [escapeLine(`    ${field}: ${shown(before)} -> ${shown(after)}`)];
  }
  const removed = before.filter((item) => !after.includes(item)).map((item) => `- ${shown(item)}`);
  const added = after.filter((item) => !before.includes(item)).map((item) => `+ ${shown(item)}`);
  if (removed.length + added.length === 0) return [`    ${field}: order changed`];
  return [`    ${field}:`, ...[...removed, ...added].map((line) => escapeLine(`      ${line}`))];
}

function shown(value: unknown): string {
  return value === null ? '(none)' : JSON.stringify(value);
}

function summaryOf({ dry_run: isPlan, created, updated, deleted, unchanged }: ApplyReport): string {
  const verbs = isPlan ? ['to create', 'to update', 'to delete'] : ['created', 'updated', 'deleted'];
  const counts = [created, updated, deleted].map((count, index) => `${count} ${verbs[index]}`);
  const end = isPlan ? '; nothing was changed' : '';
  return `${[...counts, `${unchanged} unchanged`].join(', ')}${end}`;
}
