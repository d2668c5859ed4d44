import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.mjs';

/** Statuses after which to retry. */
const AGAIN = new Set([429, 502, 503, 504]);

/** Attempts per request, 100 ms, 200 ms, ... apart. */
const ATTEMPTS = 10;

/**
 * Callers that register Clients and read them back sequentially, retrying failed requests; registrations are retried
 * with the same Idempotency-Key.
 */
export class Callers {
  requests = 0;
  retried = 0;
  failed = [];
  /** Names of the Clients whose registration was acknowledged. */
  registered = [];
  #stopped = false;
  #running = [];

  constructor(url, token) {
    this.url = url;
    this.token = token;
  }

  start(count) {
    this.#running = Array.from({ length: count }, () => this.#call());
    return this;
  }

  async stop() {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  async #call() {
    while (!this.#stopped) {
      const name = `Caller ${randomUUID()}`;
      const body = { client_name: name, redirect_uris: ['https://caller.example.com/callback'] };
      const headers = { 'idempotency-key': randomUUID() };
      const made = await this.#insist('POST', '/client', 201, body, headers);
      if (!made) continue;
      this.registered.push(name);
      const read = await this.#insist('GET', `/client/${made.client_id}`, 200);
      if (read && read.client_name !== name) this.failed.push(`${name} was read as ${read.client_name}`);
    }
  }

  /** @returns the response body; undefined if the request finally failed */
  async #insist(method, path, expected, body, headers) {
    this.requests += 1;
    let seen;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (attempt > 1) {
        this.retried += 1;
        await sleep(100 * (attempt - 1));
      }
      const answer = await ask(method, this.url + path, this.token, body, headers).catch((error) => error);
      if (answer.status === expected) return answer.body;
      seen = answer.status === undefined ? String(answer.cause ?? answer) : `${answer.status} ${answer.text}`;
      if (answer.status !== undefined && !AGAIN.has(answer.status)) break;
    }
    this.failed.push(`${method} ${path}: ${seen}`);
    return undefined;
  }
}
