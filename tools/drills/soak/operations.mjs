// A realistic mix of operations by administrators and authorization servers. Each Client is used by one operation at a
// time, so that every response's status is predictable.

/** Approximate number of registered Clients. */
const CLIENTS = 500;

const IMPORTED = 200;

const REDIRECT_URI = 'https://app.example/cb';

/** Relative frequencies. */
const WEIGHTS = {
  read: 30,
  list: 10,
  register: 8,
  remove: 8,
  patch: 10,
  replace: 4,
  rotate: 4,
  checkRequest: 14,
  checkSecret: 10,
  history: 3,
  changes: 3,
  disableAndEnable: 2,
  bulk: 1,
  tokens: 1,
  features: 1,
  overviews: 1,
};

export class Operations {
  /** Clients not in use by an operation: client_id and client_secret. */
  #free = [];
  #names = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array(weight).fill(name));
  #count = 0;
  #lastBulk = Promise.resolve();

  constructor(caller) {
    this.caller = caller;
  }

  /** Registers the first Clients. */
  async begin() {
    for (let index = 0; index < CLIENTS / 2; index += 1) await this.register();
  }

  /** Runs one operation, chosen by `random` (0 to 1). */
  async next(random) {
    await this[this.#names[Math.floor(random * this.#names.length)]]();
  }

  async register() {
    if (this.#free.length > CLIENTS) return this.remove();
    this.#count += 1;
    const body = {
      client_name: `Soak ${this.#count}`,
      redirect_uris: [REDIRECT_URI, `https://app${this.#count}.example/cb`],
    };
    const headers = { 'idempotency-key': `soak-${this.#count}` };
    const client = await this.caller.ask('POST', '/client', 201, { body, headers });
    // After a retried registration that had succeeded, the secret is unknown.
    const known = client && (client.client_secret === undefined ? await this.#newSecret(client) : client);
    if (known) this.#give(known);
  }

  async remove() {
    if (this.#free.length < CLIENTS / 10) return this.register();
    await this.#with(async (path) => {
      await this.caller.ask('DELETE', path, 204);
      return 'gone';
    });
  }

  read() {
    return this.#with(async (path) => this.caller.ask('GET', path, 200));
  }

  async list() {
    const page = await this.caller.ask('GET', '/client?limit=50&sort=client_name&q=soak&count=true', 200);
    if (page?.next !== undefined) {
      await this.caller.ask(
        'GET',
        `/client?limit=50&sort=client_name&q=soak&cursor=${encodeURIComponent(page.next)}`,
        200,
      );
    }
  }

  patch() {
    const body = { client_name: `Renamed ${this.caller.requests}`, cookie_domain: null };
    return this.#with(async (path) =>
      this.caller.ask('PATCH', path, 200, { body, type: 'application/merge-patch+json' }),
    );
  }

  replace() {
    const body = { client_name: `Soak again ${this.caller.requests}`, redirect_uris: [REDIRECT_URI] };
    return this.#with(async (path) => this.caller.ask('PUT', path, 200, { body }));
  }

  rotate() {
    return this.#with(async (path, client) => {
      const rotated = await this.caller.ask('POST', `${path}/reset_secret`, 200, {
        body: { overlap: '1 h' },
      });
      if (rotated) client.client_secret = rotated.client_secret;
    });
  }

  checkRequest() {
    const body = { response_type: 'code', redirect_uri: REDIRECT_URI };
    return this.#with(async (path) => {
      const verdict = await this.caller.ask('POST', `${path}/check/authorization_request`, 200, { body });
      if (verdict?.valid === false)
        this.caller.fail(`${path}: a valid request is refused: ${JSON.stringify(verdict)}`);
    });
  }

  checkSecret() {
    return this.#with(async (path, { client_secret }) => {
      const verdict = await this.caller.ask('POST', `${path}/check/secret`, 200, { body: { client_secret } });
      if (verdict?.valid === false) this.caller.fail(`${path}: the right secret is refused`);
    });
  }

  history() {
    return this.#with(async (path) => this.caller.ask('GET', `${path}/history?limit=20`, 200));
  }

  async changes() {
    await this.caller.ask('GET', '/clients/changes?limit=100', 200);
  }

  disableAndEnable() {
    return this.#with(async (path) => {
      await this.caller.ask('POST', `${path}/disable`, 200);
      await this.caller.ask('POST', `${path}/enable`, 200);
    });
  }

  /** One after the other: a token may have two bulk requests under way, and a third is refused. */
  bulk() {
    this.#lastBulk = this.#lastBulk.then(() => this.#registerAndDeleteInBulk());
    return this.#lastBulk;
  }

  async #registerAndDeleteInBulk() {
    const operations = Array.from({ length: 20 }, (_, index) => ({
      op: 'register',
      client: { client_name: `Bulk ${index}`, redirect_uris: [REDIRECT_URI] },
    }));
    const made = await this.caller.ask('POST', '/clients/bulk', 200, { body: { operations } });
    if (!made) return;
    const removals = made.results.map(({ client_id }) => ({ op: 'delete', client_id }));
    await this.caller.ask('POST', '/clients/bulk', 200, { body: { atomic: false, operations: removals } });
  }

  async tokens() {
    const body = { name: 'soak', scopes: ['clients:read'], expires_in: '1 h' };
    const made = await this.caller.ask('POST', '/token', 201, { body });
    if (made) await this.caller.ask('DELETE', `/token/${made.id}`, 200);
  }

  async features() {
    await this.caller.ask('GET', '/client/features', 200);
  }

  async overviews() {
    await this.caller.ask('GET', '/clients/stats', 200);
    await this.caller.ask('GET', '/clients/cookie_entrypoints', 200);
    await this.caller.ask('GET', '/token', 200);
  }

  /** Re-imports the same Clients under other names, and exports all. */
  async moveAll() {
    const lines = Array.from({ length: IMPORTED }, (_, index) =>
      JSON.stringify({
        client_id: `imported-${index}`,
        client_name: `Imported ${this.caller.requests}`,
        redirect_uris: [REDIRECT_URI],
      }),
    );
    await this.caller.ask('POST', '/clients/import', 200, {
      body: lines.join('\n'),
      type: 'application/x-ndjson',
    });
    const exported = await this.caller.ask('GET', '/clients/export', 200, {
      headers: { accept: 'application/x-ndjson' },
    });
    if (exported === undefined) return;
    const count = exported.split('\n').filter((line) => line.includes('"imported-')).length;
    if (count !== IMPORTED) this.caller.fail(`the export has ${count} of ${IMPORTED} imported Clients`);
  }

  /** Call when idle: checks that the registry has exactly the Clients registered and not removed. */
  async end() {
    const exported = await this.caller.ask('GET', '/clients/export', 200, {
      headers: { accept: 'application/x-ndjson' },
    });
    const clients = (exported ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    // Retried operations that had succeeded leave Clients with unknown names.
    const ours = clients.filter(
      ({ client_id: id, client_name: name }) => !id.startsWith('imported-') && !name.startsWith('Bulk '),
    );
    const found = ours.map(({ client_id: id }) => id).sort();
    const expected = this.#free.map(({ client_id: id }) => id).sort();
    if (found.join() !== expected.join()) {
      this.caller.fail(`the registry has ${found.length} Clients where ${expected.length} should be`);
    }
  }

  /** @param act returns `gone` if it deleted the Client */
  async #with(act) {
    // The least recently used one, so that all take turns.
    const client = this.#free.shift();
    if (!client) return this.register();
    const outcome = await act(`/client/${client.client_id}`, client);
    if (outcome !== 'gone') this.#free.push(client);
  }

  async #newSecret({ client_id: id }) {
    return this.caller.ask('POST', `/client/${id}/reset_secret`, 200);
  }

  #give({ client_id, client_secret }) {
    this.#free.push({ client_id, client_secret });
  }
}
