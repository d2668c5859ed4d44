import type { ImportedClient } from './import-clients.js';

/** The new secrets as NDJSON, which no program that opens it takes for a formula; ids may hold any printable character. */
export function secretLines(clients: readonly ImportedClient[]): {
  readonly lines: string;
  readonly count: number;
} {
  const made = clients.flatMap(({ client_id, client_secret }) =>
    client_secret === undefined ? [] : [JSON.stringify({ client_id, client_secret })],
  );
  return { lines: made.map((line) => `${line}\n`).join(''), count: made.length };
}
