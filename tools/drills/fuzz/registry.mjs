// Runs the registry for fuzzing, with tokens of every kind, and Clients that requests can refer to.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askJson, startPostgres } from '@svc/test-servers';
import { startService } from '../parts/service-process.mjs';
import { ApiDocument } from './api-document.mjs';
import { requestsFor } from './requests.mjs';

const CLIENT_IDS = [
  'fuzz-0',
  'fuzz-1',
  'fuzz-2',
  'fuzz-3',
  'a b/c%',
  '__proto__',
  'constructor',
  '%2e',
  '?#;',
  '~',
];

/** Expensive or blocking calls, made less often. */
const RARE = /^\/(clients\/(bulk|import|export)|metrics|health|client\/features)|cookie_webhook$/;

const URIS = ['https://shop.example/', 'https://app.example/path?x=1', 'https://127.0.0.1:9/'];

/** A job of each round patches it. */
const PATCHED_ID = 'fuzz-1';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Valid values of body properties. */
const MEMBERS = {
  ...{
    client_uri: URIS,
    cookie_webhook_uri: URIS,
    cookie_entry_uri: URIS,
    authorize_uri: URIS,
    login_uri: URIS,
  },
  redirect_uris: [
    ['https://shop.example/cb'],
    ['https://shop.example/cb', 'https://app.example/'],
    ['http://127.0.0.1/cb'],
  ],
  redirect_uri: ['https://shop.example/cb', 'https://evil.example/', 'https://shop.example/cb?code=1'],
  ...{
    response_type: ['code', 'token', ''],
    response_types: [['code']],
    grant_types: [['authorization_code']],
  },
  ...{ client_name: ['Shop', '店', 'x'.repeat(255)], name: ['fuzz'], cookie_domain: ['shop.example'] },
  ...{
    session_expiration: [60, '8 h'],
    anonymous_cid: ['guest'],
    overlap: [0, '1 h'],
    expires_in: ['1 h', '2 d'],
  },
};

const OTHER_PATHS = [
  '/',
  '/ui/',
  '/ui/assets/',
  '/docs',
  '/docs/',
  '/openapi.json',
  '/client/',
  '/token/',
  '/register/',
  '/nothing/',
];

export async function openRegistry() {
  const folder = await mkdtemp(join(tmpdir(), 'fuzz-registry-'));
  const postgres = await startPostgres();
  let service;
  const close = async () => {
    await service?.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    service = await startService('registry-api', {
      DATABASE_URL: await postgres.createDatabase(),
      DATA_DIR: folder,
      PORT: '0',
      ...{ RATE_LIMIT_PER_TOKEN: 'off', RATE_LIMIT_PER_ADDRESS: 'off', TRUSTED_PROXIES: '127.0.0.1' },
      ...{
        REGISTRATION: 'token',
        APPLICATION_TYPES: 'native',
        GRANT_TYPES: 'refresh_token client_credentials',
      },
    });
    const token = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
    const document = await ApiDocument.of(service.url);
    const stock = new Stock(service.url, token, scopesOf(document));
    await stock.open();
    return {
      service,
      document,
      requests: () => requestsFor(document, stock.plan()),
      refresh: () => stock.refresh(),
      isServing: () => stock.isServing(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** All token scopes. */
function scopesOf(document) {
  const { requestBody } = document.operations.get('POST /token');
  const { properties } = document.resolved(requestBody.content['application/json'].schema);
  return properties.scopes.items.enum;
}

/**
 * The properties of the registry's responses used here.
 *
 * @typedef {object} Answer
 * @property {string | number} [id]
 * @property {string} [token]
 * @property {{ id: string }[]} [tokens]
 * @property {string} [client_id]
 * @property {string} [client_name]
 * @property {string} [client_secret]
 * @property {boolean} [enabled]
 * @property {string} [registration_access_token]
 * @property {string} [next]
 * @property {string} [last_seq]
 * @property {{ seq: number }[]} [changes]
 */

/** Objects that requests can refer to, recreated when removed. */
class Stock {
  #secrets = new Map();
  #kept = new Set();
  #scoped = [];
  #registered = { id: '', token: '' };
  #spare = [];
  #cursors = ['x'];
  #lastSeq = '0';
  #jobs = ['1'];
  #changes = ['1'];

  constructor(url, token, scopes) {
    this.url = url;
    this.token = token;
    this.scopes = scopes;
  }

  async open() {
    for (const { id } of (await this.#ask('GET', '/token')).tokens ?? []) this.#kept.add(id);
    for (const scope of this.scopes) {
      const { id, token } = await this.#ask('POST', '/token', { name: scope, scopes: [scope] });
      this.#kept.add(id);
      this.#scoped.push(token);
    }
    const { id, token } = await this.#ask('POST', '/token', { name: 'revoked', scopes: ['clients:read'] });
    await this.#ask('DELETE', `/token/${id}`);
    this.revoked = token;
    await this.refresh();
  }

  async refresh() {
    for (const id of CLIENT_IDS) await this.#refreshClient(id);
    await this.#refreshTokens();
    const own = { path: `/register/${this.#registered.id || 'none'}`, token: this.#registered.token };
    if ((await this.#ask('GET', own.path, undefined, own.token)).client_id === undefined) {
      const made = await this.#ask('POST', '/register', registration('Own'));
      this.#registered = { id: made.client_id ?? '', token: made.registration_access_token ?? '' };
    }
    const { next } = await this.#ask('GET', '/client?limit=2');
    this.#cursors = [next ?? 'x', 'x', 'eyJ9'];
    await this.#refreshJob();
    this.#lastSeq = (await this.#ask('GET', '/clients/changes?limit=1')).last_seq ?? '0';
  }

  plan() {
    const { id, token } = this.#registered;
    const bearer = (value) => `Bearer ${value}`;
    return {
      known: {
        ...MEMBERS,
        scopes: [['clients:read'], [], this.scopes],
        client_id: [...CLIENT_IDS, id],
        preferred_client_id: ['fuzz-0', 'new', 'features', ...CLIENT_IDS],
        id: this.#spare,
        cursor: this.#cursors,
        since: [0, 1, this.#lastSeq, '7-0123456789ab'],
        client_secret: [...this.#secrets.values()],
        if_match: ['"1"', '*', '"', 'W/"2"'],
      },
      namesFor: ({ path }) => this.#namesFor(path),
      wholes: this.#wholes(),
      samples: {
        'application/x-ndjson': [
          `${JSON.stringify({ client_id: 'fuzz-0', ...registration('Imported') })}\n`,
          `${JSON.stringify(registration('Imported'))}\n${JSON.stringify(registration('Imported'))}`,
          '{}\n{}\n',
          '\n\n',
        ],
      },
      tokens: {
        goodFor: (operation) => {
          const own = Array(operation?.path.startsWith('/register/') ? 100 : 1).fill(bearer(token));
          return [...Array(20).fill(bearer(this.token)), ...own, ...this.#scoped.map(bearer)];
        },
        bad: [
          '',
          'Bearer',
          'Bearer ',
          'Basic eDp5',
          'Bearer wrong',
          bearer(this.revoked),
          `Bearer ${'x'.repeat(17_000)}`,
          `bearer  ${this.token}`,
          `Bearer ${this.token}, ${this.token}`,
        ],
      },
      weightOf: ({ path }) => (RARE.test(path) ? 1 : path.startsWith('/register/') ? 8 : 4),
      otherPaths: OTHER_PATHS,
    };
  }

  /** @returns {Record<string, string[]>} */
  #namesFor(path) {
    const { id } = this.#registered;
    if (path.startsWith('/register/')) return { client_id: [id, id, id, 'fuzz-0'] };
    if (path.startsWith('/clients/jobs/')) return { id: this.#jobs };
    if (path.endsWith('/{seq}')) return { client_id: [PATCHED_ID], seq: this.#changes };
    return path.endsWith('/cookie_webhook') ? { client_id: [PATCHED_ID] } : {};
  }

  #wholes() {
    const to = new Date().toISOString();
    const report = { batch_id: randomUUID(), reporter: randomUUID(), from: to, to, rows: [] };
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: PATCHED_ID,
      redirect_uri: 'https://shop.example/cb/',
    });
    return {
      'POST /clients/usage': [{ headers: JSON_TYPE, body: JSON.stringify(report) }],
      'POST /clients/explain': [{ headers: JSON_TYPE, body: JSON.stringify({ url: `?${query}` }) }],
    };
  }

  /** Checks that the registry still works: it is ready, registers, reads and deletes. */
  async isServing() {
    const { status } = await fetch(`${this.url}/health/ready`);
    const { client_id: id } = await this.#ask('POST', '/client', registration('Last'));
    const read = await this.#ask('GET', `/client/${id}`);
    return status === 200 && id !== undefined && read.client_name === 'Last';
  }

  async #refreshClient(id) {
    const path = `/client/${encodeURIComponent(id)}`;
    const found = await this.#ask('GET', path);
    if (found.client_id === undefined)
      await this.#ask('POST', '/client', { ...registration(id), preferred_client_id: id });
    if (found.enabled === false) await this.#ask('POST', `${path}/enable`);
    const { client_secret: secret } = await this.#ask('POST', `${path}/reset_secret`);
    if (secret !== undefined) this.#secrets.set(id, secret);
  }

  async #refreshJob() {
    const patch = { client_name: `Patched ${Date.now()}`, cookie_webhook_uri: 'https://127.0.0.1:9/' };
    const { id } = await this.#ask('POST', '/clients/jobs', {
      action: 'patch',
      client_ids: [PATCHED_ID],
      patch,
    });
    this.#jobs = [String(id ?? 1)];
    const { changes = [] } = await this.#ask('GET', `/client/${PATCHED_ID}/history?limit=5`);
    if (changes.length > 0) this.#changes = changes.map(({ seq }) => String(seq));
  }

  async #refreshTokens() {
    const { tokens = [] } = await this.#ask('GET', '/token');
    for (const { id } of tokens) if (!this.#kept.has(id)) await this.#ask('DELETE', `/token/${id}`);
    const made = await Promise.all(
      ['a', 'b', 'c'].map((name) => this.#ask('POST', '/token', { name, scopes: ['clients:read'] })),
    );
    this.#spare = made.map(({ id }) => id ?? 'none');
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @param {string} [token]
   * @returns {Promise<Answer>} the body; `{}` if empty
   */
  async #ask(method, path, body, token = this.token) {
    return (await askJson(this.url + path, { method, token, body })).body ?? {};
  }
}

function registration(name) {
  return { client_name: name, redirect_uris: ['https://shop.example/cb', 'https://app.example/'] };
}
