import { randomBytes } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ClientUse, selectsLabels } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { isClientId } from '../clients/credentials.js';
import { ForeignHashVerifier } from '../foreign-hashes/foreign-hash-verifier.js';
import { LastUseRecorder } from '../database/last-use-recorder.js';
import { createBatchLoader, mayBeMissing, PreparedStatement } from '../database/prepared-statement.js';
import type { Reach } from '../http/current-caller.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { type HashedSecret, SecretHasher } from '../secrets/secret-hasher.js';
import { UsageRecorder } from '../usage/usage-recorder.js';
import type { SecretCheck } from './checks.dto.js';

/** A row of a Client that exists. */
interface ClientRow extends StoredRow {
  readonly createdAt: Date;
  readonly labels: Readonly<Record<string, string>>;
}

interface StoredRow extends HashedSecret {
  readonly clientId: string;
  /** When the Client was registered. Null, like the next two, if there is no such Client. */
  readonly createdAt: Date | null;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly enabled: boolean | null;
  /** 0: there is no such secret that is valid now. */
  readonly id: string;
  /** Null: never. */
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** A hash of another product, until a check replaces it; null: none. */
  readonly foreignHash: string | null;
}

/** Takes the place of a secret that a Client does not have. */
const NO_SECRET = `SELECT 0::bigint, decode(repeat('00', 32), 'hex'), '', NULL::timestamptz, NULL::timestamptz, NULL::text`;

/**
 * `$1` client_ids. The newest two secrets of each, since no more can be valid at once; none for a disabled Client. Every
 * client_id has two rows, so that reading them takes the same time. Sorted by `-id` for the same reason as in `SELECT_CLIENT`.
 */
const VALID_SECRETS = new PreparedStatement<StoredRow>(
  'check_valid_secrets',
  `SELECT wanted.client_id AS "clientId", c.created_at AS "createdAt", c.labels, c.enabled, s.*
   FROM unnest($1::text[]) AS wanted (client_id)
   LEFT JOIN client c ON c.client_id = wanted.client_id
   CROSS JOIN LATERAL (
     SELECT * FROM (
       (SELECT id, hash, pepper_id AS "pepperId", expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
               foreign_hash AS "foreignHash"
        FROM client_secret WHERE c.enabled AND client_id = c.client_id AND (expires_at IS NULL OR expires_at > now())
          AND (foreign_until IS NULL OR foreign_until > now())
        ORDER BY -id LIMIT 2)
       UNION ALL ${NO_SECRET} UNION ALL ${NO_SECRET}
     ) each ORDER BY id DESC LIMIT 2
   ) s`,
);

/**
 * Replaces a hash under a former pepper, or of another product, by one under the current pepper.
 * `$1` id of the secret, `$2` hash, `$3` pepper, `$4` the previous hash
 */
const REHASH = new PreparedStatement<never>(
  'check_rehash_secret',
  `UPDATE client_secret SET hash = $2, pepper_id = $3, foreign_hash = NULL, foreign_scheme = NULL, foreign_until = NULL
   WHERE id = $1 AND hash = $4`,
);

/** A Client has at most this many valid secrets; every check makes as many comparisons. */
const COMPARISONS = 2;

@Injectable()
export class SecretCheckService implements OnApplicationShutdown {
  /** Compared where a Client has fewer secrets or does not exist, so that the check takes the same time; never matches. */
  private readonly decoy: ClientRow;
  private readonly read: (clientId: string) => Promise<readonly StoredRow[]>;
  private readonly uses: LastUseRecorder;

  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: SecretHasher,
    private readonly metrics: RegistryMetrics,
    private readonly usage: UsageRecorder,
    private readonly foreignHashes: ForeignHashVerifier,
  ) {
    const hashed = this.hasher.hash(randomBytes(32).toString('base64url'));
    const unknown = {
      clientId: '',
      createdAt: new Date(0),
      labels: {},
      enabled: true,
      id: '0',
      expiresAt: null,
      lastUsedAt: null,
      foreignHash: null,
    };
    this.decoy = { ...hashed, ...unknown };
    this.read = createBatchLoader(dataSource, VALID_SECRETS, (secret) => secret.clientId);
    this.uses = new LastUseRecorder(dataSource, {
      table: 'client_secret',
      idType: 'bigint',
      stepMs: 3_600_000,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.uses.close();
  }

  /**
   * Same steps and same answer for a wrong secret, a disabled Client, an unknown one and one that the caller does not reach. Only
   * a Client with the hash of another product takes longer.
   *
   * @throws {RegistryError} `checks_busy`
   */
  async check(clientId: string, secret: string, { selector }: Reach): Promise<SecretCheck> {
    const reached = (found: readonly StoredRow[]) =>
      found.filter(isOfClient).filter(({ labels }) => selectsLabels(selector, clientId, labels));
    let stored = isClientId(clientId) ? reached(await this.read(clientId)) : [];
    let matching = this.match(secret, stored);
    if (!matching && isClientId(clientId) && mayBeMissing(this.dataSource)) {
      stored = reached(await VALID_SECRETS.readCurrent(this.dataSource, [[clientId]]));
      matching = this.match(secret, stored);
    }
    matching ??= await this.matchForeign(secret, stored);
    this.metrics.countSecretCheck(matching ? 'valid' : 'invalid');
    if (stored[0]) this.recordUse(stored[0], matching);
    if (!matching) return { valid: false };
    this.uses.record(matching);
    this.rehash(matching, secret);
    const { expiresAt } = matching;
    return { valid: true, client_secret_expires_at: expiresAt ? Math.floor(expiresAt.getTime() / 1000) : 0 };
  }

  /** After the response, so that a check of an unknown Client, which is not counted, takes the same time. */
  private recordUse(client: ClientRow, matching: ClientRow | undefined): void {
    const use: ClientUse = matching
      ? { kind: 'secret', secret: matching.id }
      : { kind: 'secret', refusal: client.enabled === true ? 'wrong_secret' : 'client_disabled' };
    setImmediate(() => this.usage.record(client, use));
  }

  /** All of them are compared, whichever matches. */
  private match(secret: string, stored: readonly ClientRow[]): ClientRow | undefined {
    const secrets = stored.filter(isSecret);
    const compared = Array.from({ length: COMPARISONS }, (_, at) => secrets[at] ?? this.decoy);
    const [matching] = compared.filter(
      (hashed) => this.hasher.matches(secret, hashed) && hashed !== this.decoy,
    );
    return matching;
  }

  private async matchForeign(secret: string, stored: readonly ClientRow[]): Promise<ClientRow | undefined> {
    for (const each of stored) {
      const { foreignHash } = each;
      if (foreignHash !== null && (await this.foreignHashes.verify({ ...each, foreignHash }, secret)))
        return each;
    }
    return undefined;
  }

  /** The value is only known here: checks move secrets to the current pepper one by one. */
  private rehash(stored: ClientRow, secret: string): void {
    if (this.hasher.useOf(stored) === 'present') return;
    const { hash, pepperId } = this.hasher.hash(secret);
    // The check does not wait for it. If it fails, the next check tries again; the pool logs an outage.
    REHASH.run(this.dataSource, [stored.id, hash, pepperId, stored.hash]).catch(() => undefined);
  }
}

function isOfClient(row: StoredRow): row is ClientRow {
  return row.labels !== null;
}

function isSecret({ id }: ClientRow): boolean {
  return id !== '0';
}
