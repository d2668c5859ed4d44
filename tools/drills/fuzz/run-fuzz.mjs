// Sends generated requests concurrently, and checks every response.
import fc from 'fast-check';
import { Sender } from './send.mjs';

const CHUNK = 500;
const AT_ONCE = 16;

/** Stops after this many failures. */
const MAX_FAILURES = 30;

/** Maximum share of 503 responses. */
const MAX_BUSY_SHARE = 0.02;

/** Statuses sent before routing, which operations do not document. */
const BEFORE_ROUTES = [431];

/** Maximum lines checked per response. */
const MAX_LINES = 50;

/**
 * @param {object} plan
 * @param {{ url: string, isAlive: () => boolean, memoryMb: () => Promise<{ resident: number }>, log: object }} plan.service
 * @param {import('./api-document.mjs').ApiDocument} plan.document
 * @param {() => fc.Arbitrary<object>} plan.requests generates requests for existing objects
 * @param {number} plan.count
 * @param {number} plan.seed makes requests reproducible
 * @param {() => Promise<void>} plan.refresh recreates removed objects
 * @param {(line: string) => void} plan.log
 * @returns what was seen: `failures`, `statuses` by number, `memory` as points by requests, operations reached
 */
export async function runFuzz({ service, document, requests, count, seed, refresh, log }) {
  const sender = new Sender(service.url);
  /**
   * @type {{ failures: string[], statuses: Record<string, number>, succeeded: Set<string>, memory: { at: number, value:
   * number }[], sent: number }}
   */
  const seen = { failures: [], statuses: {}, succeeded: new Set(), memory: [], sent: 0 };
  try {
    for (let chunk = 0; seen.sent < count && seen.failures.length < MAX_FAILURES; chunk += 1) {
      const queue = fc.sample(requests(), {
        seed: seed + chunk,
        numRuns: Math.min(CHUNK, count - seen.sent),
      });
      await Promise.all(Array.from({ length: AT_ONCE }, () => work(queue)));
      if (!service.isAlive()) break;
      const { resident } = await service.memoryMb();
      seen.memory.push({ at: seen.sent, value: resident });
      await refresh();
      if (chunk % 20 === 19) log(`${seen.sent} requests, ${Math.round(resident)} MB`);
    }
  } finally {
    sender.close();
  }
  const busy = seen.statuses[503] ?? 0;
  if (busy > Math.max(5, count * MAX_BUSY_SHARE))
    seen.failures.push(`${busy} of ${count} requests were answered with 503`);
  return seen;

  async function work(queue) {
    for (
      let next = queue.pop();
      next !== undefined && seen.failures.length < MAX_FAILURES;
      next = queue.pop()
    ) {
      seen.sent += 1;
      const failure = await checked(next);
      if (failure) seen.failures.push(`${failure}\n  ${described(next)}`);
    }
  }

  async function checked(fuzzed) {
    try {
      const answer = await sender.send(fuzzed);
      seen.statuses[answer.status] = (seen.statuses[answer.status] ?? 0) + 1;
      if (fuzzed.operation && answer.status < 300) seen.succeeded.add(fuzzed.operation);
      return failureOf(document, fuzzed, answer);
    } catch (error) {
      return `no answer: ${error.message}`;
    }
  }
}

/** A request in reproducible form. */
function described({ body, ...head }) {
  return `${JSON.stringify(head).slice(0, 1_000)} ${JSON.stringify(body ?? '').slice(0, 1_000)}`;
}

/** @returns a description of what is wrong with a response; undefined if nothing is */
function failureOf(document, { method, operation }, { status, type, headers, text, isWhole }) {
  if (status >= 500 && status !== 503) return `status ${status}: ${text.slice(0, 300)}`;
  if (status === 503 && headers['retry-after'] === undefined) return '503 without Retry-After';
  if (method === 'HEAD' || !isWhole) return undefined;
  let values;
  try {
    values = valuesOf(type, text);
  } catch {
    return `${status} is not the ${type} that it says it is: ${text.slice(0, 300)}`;
  }
  const isChecked = operation && !BEFORE_ROUTES.includes(status);
  const failure = isChecked && document.failureOf(operation, { status, type, values });
  if (failure) return `${operation}: ${failure}: ${text.slice(0, 300)}`;
  if (status < 400) return undefined;
  if (!/[/+]json$/.test(type))
    return `${status} is ${type || 'of no type'}, not a problem: ${text.slice(0, 300)}`;
  const wrong = document.failureOfProblem(values[0]);
  return wrong === undefined ? undefined : `${status} is not a problem document: ${wrong}`;
}

/** A response's JSON value, or one per line; empty for other formats. */
function valuesOf(type, text) {
  if (/[/+]json$/.test(type)) return text === '' ? [] : [JSON.parse(text)];
  if (type !== 'application/x-ndjson') return [];
  return text
    .split('\n')
    .filter(Boolean)
    .slice(0, MAX_LINES)
    .map((line) => JSON.parse(line));
}
