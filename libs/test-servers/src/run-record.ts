import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Response properties that are shown once and must not appear anywhere else. */
const SECRET_MEMBERS = new Set(['client_secret', 'token', 'registration_access_token']);

/** Shorter values were made up by a test rather than issued. */
const MIN_SECRET_LENGTH = 32;

/*
 * A test run records issued secrets, responses and logs, so that its last step can search for leaked secrets
 * (tools/find-leaks.mjs). Without TEST_RUN_FOLDER nothing is recorded.
 */

/** Records values that must not appear in any log or later response. */
export function recordSecrets(...values: string[]): void {
  for (const value of values) if (value.length >= MIN_SECRET_LENGTH) append('secrets', value);
}

/** Records a service's output. */
export function recordLog(text: string): void {
  append('logs', text);
}

/** Records a response and the secrets it issues. @param request method and path */
export function recordAnswer(request: string, body: unknown): void {
  append('answers', JSON.stringify({ request, body }));
  recordSecrets(...secretsIn(body));
}

/** Records a drill's measurement for its report (tools/drills). @param value with its unit */
export function recordFigure(what: string, value: string): void {
  append('figures', JSON.stringify({ what, value }));
}

function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' ? (SECRET_MEMBERS.has(name) ? [member] : []) : secretsIn(member),
  );
}

function append(kind: string, line: string): void {
  const folder = process.env['TEST_RUN_FOLDER'];
  if (folder !== undefined) appendFileSync(join(folder, `${kind}.${process.pid}`), `${line}\n`);
}
