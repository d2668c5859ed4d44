// Sends generated requests, many at once, and judges every answer.
import fc from 'fast-check';
import { Sender } from './send.mjs';

const CHUNK = 500;
const AT_ONCE = 16;

/** Faults after which it is of no use to go on. */
const MAX_FAULTS = 30;

/** Beyond, refusals for want of room are themselves a fault. */
const MAX_BUSY_SHARE = 0.02;

/** Said of a request's head before it is read what it asks for, so that no operation tells of it. */
const BEFORE_ROUTES = [431];

/** Lines of an answer that are judged. */
const MAX_LINES = 50;

/**
 * @param {object} plan
 * @param {{ url: string, isAlive: () => boolean, residentMb: () => number | undefined, log: object }} plan.service
 * @param {import('./api-document.mjs').ApiDocument} plan.document
 * @param {() => fc.Arbitrary<object>} plan.requests of what there is by now
 * @param {number} plan.count
 * @param {number} plan.seed the same one makes the same requests
 * @param {() => Promise<void>} plan.refresh makes anew what requests have removed
 * @param {(line: string) => void} plan.log
 * @returns what was seen: `faults`, `statuses` by number, `memory` as points by requests, operations reached
 */
export async function runFuzz({ service, document, requests, count, seed, refresh, log }) {
  const sender = new Sender(service.url);
  /** @type {{ faults: string[], statuses: Record<string, number>, succeeded: Set<string>, memory: { at: number, value: number }[], sent: number }} */
  const seen = { faults: [], statuses: {}, succeeded: new Set(), memory: [], sent: 0 };
  try {
    for (let chunk = 0; seen.sent < count && seen.faults.length < MAX_FAULTS; chunk += 1) {
      const queue = fc.sample(requests(), {
        seed: seed + chunk,
        numRuns: Math.min(CHUNK, count - seen.sent),
      });
      await Promise.all(Array.from({ length: AT_ONCE }, () => work(queue)));
      seen.memory.push({ at: seen.sent, value: service.residentMb() ?? 0 });
      await refresh();
      if (chunk % 20 === 19) log(`${seen.sent} requests, ${Math.round(seen.memory.at(-1)?.value ?? 0)} MB`);
    }
  } finally {
    sender.close();
  }
  const busy = seen.statuses[503] ?? 0;
  if (busy > Math.max(5, count * MAX_BUSY_SHARE))
    seen.faults.push(`${busy} of ${count} requests were answered with 503`);
  return seen;

  async function work(queue) {
    for (let next = queue.pop(); next !== undefined && seen.faults.length < MAX_FAULTS; next = queue.pop()) {
      seen.sent += 1;
      const fault = await judged(next);
      if (fault) seen.faults.push(`${fault}\n  ${told(next)}`);
    }
  }

  async function judged(fuzzed) {
    try {
      const answer = await sender.send(fuzzed);
      seen.statuses[answer.status] = (seen.statuses[answer.status] ?? 0) + 1;
      if (fuzzed.operation && answer.status < 300) seen.succeeded.add(fuzzed.operation);
      return faultOf(document, fuzzed, answer);
    } catch (error) {
      return `no answer: ${error.message}`;
    }
  }
}

/** A request as somebody would send it again. */
function told({ body, ...head }) {
  return `${JSON.stringify(head).slice(0, 1_000)} ${JSON.stringify(body ?? '').slice(0, 1_000)}`;
}

/** @returns what is wrong with an answer, in words; nothing when all is well */
function faultOf(document, { method, operation }, { status, type, headers, text, isWhole }) {
  if (status >= 500 && status !== 503) return `status ${status}: ${text.slice(0, 300)}`;
  if (status === 503 && headers['retry-after'] === undefined) return '503 without Retry-After';
  if (method === 'HEAD' || !isWhole) return undefined;
  let values;
  try {
    values = valuesOf(type, text);
  } catch {
    return `${status} is not the ${type} that it says it is: ${text.slice(0, 300)}`;
  }
  const isJudged = operation && !BEFORE_ROUTES.includes(status);
  const fault = isJudged && document.faultOf(operation, { status, type, values });
  if (fault) return `${operation}: ${fault}: ${text.slice(0, 300)}`;
  if (status < 400) return undefined;
  if (!/[/+]json$/.test(type))
    return `${status} is ${type || 'of no type'}, not a problem: ${text.slice(0, 300)}`;
  const wrong = document.faultOfProblem(values[0]);
  return wrong === undefined ? undefined : `${status} is no problem document: ${wrong}`;
}

/** What an answer says in JSON, as a whole or a line at a time; nothing where it says it in another way. */
function valuesOf(type, text) {
  if (/[/+]json$/.test(type)) return text === '' ? [] : [JSON.parse(text)];
  if (type !== 'application/x-ndjson') return [];
  return text
    .split('\n')
    .filter(Boolean)
    .slice(0, MAX_LINES)
    .map((line) => JSON.parse(line));
}
