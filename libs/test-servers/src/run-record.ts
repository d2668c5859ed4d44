import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Members of answers whose values are shown once and must be found nowhere else. */
const SECRET_MEMBERS = new Set(['client_secret', 'token', 'registration_access_token']);

/** Whatever is shorter was not issued, but made up by a test. */
const MIN_SECRET_LENGTH = 32;

/*
 * A run of the tests keeps what the services issue, what they answer and what they write, so that its last step can look
 * for secrets where none should be (tools/find-leaks.mjs). Without TEST_RUN_FOLDER nothing is kept.
 */

/** Keeps values that must not be found in any log or later answer. */
export function recordSecrets(...values: string[]): void {
  for (const value of values) if (value.length >= MIN_SECRET_LENGTH) append('secrets', value);
}

/** Keeps what a service has written. */
export function recordLog(text: string): void {
  append('logs', text);
}

/** Keeps an answer, and the secrets that it issues. @param request method and path */
export function recordAnswer(request: string, body: unknown): void {
  append('answers', JSON.stringify({ request, body }));
  recordSecrets(...secretsIn(body));
}

/** Keeps what a drill has measured, for who runs it (tools/drills). @param value with its unit */
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
