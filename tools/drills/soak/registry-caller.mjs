// Asks the registry over HTTP and counts; an answer of another status than the expected one is a fault.

/** Faults that are told; the rest is counted. */
const MAX_TOLD = 10;

export class RegistryCaller {
  requests = 0;
  faults = 0;
  /** The first faults in words. */
  told = [];
  /** How long answers took since they were last asked for, in milliseconds. */
  #millis = [];

  constructor(url, token) {
    this.url = url;
    this.token = token;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {number} status the one status that is right
   * @param {{ body?: unknown, type?: string, headers?: object }} [sent]
   * @returns the body: parsed, where it is JSON; nothing when the answer was a fault
   */
  async ask(method, path, status, { body, type = 'application/json', headers = {} } = {}) {
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
      if (response.status !== status)
        return this.fault(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
      return /^application\/(problem\+)?json/.test(response.headers.get('content-type'))
        ? JSON.parse(text)
        : text;
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
