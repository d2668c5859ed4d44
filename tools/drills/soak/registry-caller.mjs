// Calls the registry over HTTP and keeps statistics; a response with an unexpected status is a failure.

import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum retries after 503. */
const MAX_PUT_OFF = 5;

/** Failures described; further ones are only counted. */
const MAX_REPORTED = 10;

export class RegistryCaller {
  requests = 0;
  failures = 0;
  /** 503 responses with Retry-After. */
  busy = 0;
  /** Descriptions of the first failures. */
  reported = [];
  /** Response times since the last `takeP99`, in milliseconds. */
  #millis = [];

  constructor(url, token) {
    this.url = url;
    this.token = token;
  }

  /**
   * Sends a request, and retries it after 503.
   *
   * @param {string} method
   * @param {string} path
   * @param {number} status the expected status
   * @param {{ body?: unknown, type?: string, headers?: object }} [sent]
   * @returns the body, parsed if JSON; undefined after a failure
   */
  async ask(method, path, status, sent = {}) {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#send(method, path, sent);
      if (answer === undefined) return undefined;
      // A request answered with 503 may have taken effect nevertheless.
      if (answer.status === status || (attempt > 0 && method === 'DELETE' && answer.status === 404)) {
        return answer.isJson ? JSON.parse(answer.text) : answer.text;
      }
      if (answer.status !== 503 || answer.waitMs === undefined || attempt === MAX_PUT_OFF) {
        return this.fail(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
      }
      this.busy += 1;
      await sleep(answer.waitMs);
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ body?: unknown, type?: string, headers?: object }} sent
   */
  async #send(method, path, { body, type = 'application/json', headers = {} }) {
    this.requests += 1;
    const started = performance.now();
    try {
      const response = await fetch(this.url + path, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body !== undefined && { 'content-type': type }),
          ...headers,
        },
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await response.text();
      this.#millis.push(performance.now() - started);
      const { status, headers: head } = response;
      const retryAfter = head.get('retry-after');
      const isJson = /^application\/(problem\+)?json/.test(head.get('content-type') ?? '');
      return { status, text, isJson, waitMs: retryAfter === null ? undefined : Number(retryAfter) * 1000 };
    } catch (error) {
      return this.fail(`${method} ${path}: ${error.message} ${error.cause?.message ?? ''}`);
    }
  }

  /** Records a failure. @returns undefined in place of a response */
  fail(words) {
    this.failures += 1;
    if (this.reported.length < MAX_REPORTED) this.reported.push(words);
    return undefined;
  }

  /** The 99th percentile of response times since the last call, in milliseconds. */
  takeP99() {
    const sorted = this.#millis.sort((a, b) => a - b);
    this.#millis = [];
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  }
}
