import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isClientId } from '../clients/credentials.js';
import { createBatchLoader } from '../database/batch-loader.js';
import { RegistryFigures } from '../metrics/registry-figures.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { NOTE_USE, REHASH, VALID_SECRETS, type ValidSecret } from './secret-statements.js';

/** Whether a secret is valid now, and how long it will be. */
export type SecretVerdict =
  | { readonly valid: false }
  /** Seconds since 1970; 0 when it does not expire (RFC 7591 section 3.2.1). */
  | { readonly valid: true; readonly client_secret_expires_at: number };

/** At most this many secrets of a Client are valid at once; so many comparisons are made for every check. */
const COMPARISONS = 2;

/** The use of a secret is noted at most this often, in milliseconds: a write for each check would cost more than it tells. */
const LAST_USED_STEP_MS = 3_600_000;

@Injectable()
export class SecretCheckService {
  /** Stands where a Client has fewer secrets, or where there is no Client: it matches nothing, in the same time. */
  private readonly decoy: ValidSecret;
  private readonly read: (clientId: string) => Promise<readonly ValidSecret[]>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: SecretHasher,
    private readonly figures: RegistryFigures,
  ) {
    const hashed = this.hasher.hash(randomBytes(32).toString('base64url'));
    this.decoy = { ...hashed, clientId: '', id: '0', expiresAt: null, lastUsedAt: null };
    this.read = createBatchLoader(dataSource, VALID_SECRETS, (secret) => secret.clientId);
  }

  /** Takes the same steps for a wrong secret, a disabled Client and one that does not exist, and answers all alike. */
  async check(clientId: string, secret: string): Promise<SecretVerdict> {
    const stored = isClientId(clientId) ? await this.read(clientId) : [];
    const compared = Array.from({ length: COMPARISONS }, (_, at) => stored[at] ?? this.decoy);
    // All of them are compared, whichever matches.
    const [matching] = compared.filter(
      (hashed) => this.hasher.matches(secret, hashed) && hashed !== this.decoy,
    );
    this.figures.countSecretCheck(matching ? 'valid' : 'invalid');
    if (!matching) return { valid: false };
    await this.noteUse(matching);
    await this.rehash(matching, secret);
    const { expiresAt } = matching;
    return { valid: true, client_secret_expires_at: expiresAt ? Math.floor(expiresAt.getTime() / 1000) : 0 };
  }

  /** Only here is the value at hand: with each secret that is checked the former pepper is needed less. */
  private async rehash(stored: ValidSecret, secret: string): Promise<void> {
    if (this.hasher.useOf(stored) === 'present') return;
    const { hash, pepperId } = this.hasher.hash(secret);
    await REHASH.run(this.dataSource, [stored.id, hash, pepperId, stored.hash]);
  }

  private async noteUse({ id, lastUsedAt }: ValidSecret): Promise<void> {
    const now = new Date();
    const before = new Date(now.getTime() - LAST_USED_STEP_MS);
    if (lastUsedAt === null || lastUsedAt < before) await NOTE_USE.run(this.dataSource, [id, now, before]);
  }
}
