import { escapeLine } from '../command-line/escape-controls.js';
import type { ClientDocument } from '@svc/registry-client';

/** Wider columns push the others out of sight. */
const MAX_WIDTH = 48;

const COLUMNS = ['client_id', 'client_name', 'state', 'updated_at'] as const;

/** Clients for people, one a line under a header. */
export function clientTable(clients: readonly ClientDocument[]): string {
  if (clients.length === 0) return 'no Clients';
  const rows = [COLUMNS.map((name) => name.toUpperCase()), ...clients.map(rowOf)];
  const widths = COLUMNS.map((_, column) =>
    Math.min(MAX_WIDTH, Math.max(...rows.map((row) => [...(row[column] ?? '')].length))),
  );
  const lines = rows.map((row) => row.map((cell, column) => padded(cell, widths[column] ?? 0)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}

function rowOf(client: ClientDocument): string[] {
  const warnings = Array.isArray(client['warnings']) ? client['warnings'].length : 0;
  const state = client['enabled'] === false ? 'disabled' : warnings > 0 ? `warnings: ${warnings}` : 'enabled';
  return [client.client_id, client['client_name'], state, client['updated_at']].map((cell) =>
    escapeLine(String(cell)),
  );
}

function padded(text: string, width: number): string {
  const characters = [...text];
  return text + ' '.repeat(Math.max(0, width - characters.length));
}
