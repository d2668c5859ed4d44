// Asks the registry over HTTP and counts; an answer of another status than the expected one is a fault.

import { setTimeout as sleep } from 'node:timers/promises';

/** How often one request may be put off. */
const MAX_PUT_OFF = 5;

/** Faults that are told; the rest is counted. */
const MAX_TOLD = 10;

export class RegistryCaller {
  requests = 0;
  faults = 0;
  /** Answers of 503 that say when to come again. */
  busy = 0;
  /** The first faults in words. */
  told = [];
  /** How long answers took since they were last asked for, in milliseconds. */
  #millis = [];

  constructor(url, token) {
    this.url = url;
    this.token = token;
  }

  /**
   * Asks, and asks again where the service puts the caller off.
   *
   * @param {string} method
   * @param {string} path
   * @param {number} status the one status that is right
   * @param {{ body?: unknown, type?: string, headers?: object }} [sent]
   * @returns the body: parsed, where it is JSON; nothing when the answer was a fault
   */
  async ask(method, path, status, sent = {}) {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#send(method, path, sent);
      if (answer === undefined) return undefined;
      // What was put off may have been done all the same.
      if (answer.status === status || (attempt > 0 && method === 'DELETE' && answer.status === 404)) {
        return answer.isJson ? JSON.parse(answer.text) : answer.text;
      }
      if (answer.status !== 503 || answer.waitMs === undefined || attempt === MAX_PUT_OFF) {
        return this.fault(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
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
      return this.fault(`${method} ${path}: ${error.message} ${error.cause?.message ?? ''}`);
    }
  }

  /** @returns nothing, in the place of an answer */
  fault(words) {
    this.faults += 1;
    if (this.told.length < MAX_TOLD) this.told.push(words);
    return undefined;
  }

  /** The 99th of 100 answers since the last time, in milliseconds. */
  takeP99() {
    const sorted = this.#millis.sort((a, b) => a - b);
    this.#millis = [];
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  }
}
