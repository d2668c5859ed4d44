import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { CommanderPrincipal } from '../access/caller.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { EndedToken } from '../audit/refusal-log.js';
import type { Logger } from '../http/providers.module.js';
import { readTokenFile } from './change-tokens.js';
import { LastUseRecorder } from './last-uses.js';
import { hashToken, stateOf, type StoredToken } from './token-file.js';

/** How often the file is checked: a revoked token works for at most this much longer. */
const POLL_MS = 1_000;

const FLUSH_MS = 60_000;

/** The API tokens of a file, which is read again whenever it changes. */
export class StoredTokens {
  /** By hash. Empty while the file cannot be used. */
  private valid: ReadonlyMap<string, StoredToken> = new Map();
  /** By id, as last read. */
  private known: ReadonlyMap<string, StoredToken> = new Map();
  private stamp = '';
  /** Why the file cannot be used, so that it is logged once. */
  private failure = '';
  private isRefreshing = false;
  private readonly uses: LastUseRecorder;

  private constructor(
    private readonly file: string,
    private readonly audit: AuditLog,
    private readonly logger: Logger,
  ) {
    this.uses = new LastUseRecorder(file);
  }

  /** @throws {CommanderError} `configuration`, if the file exists but cannot be used */
  static async open(file: string, audit: AuditLog, logger: Logger): Promise<StoredTokens> {
    const tokens = new StoredTokens(file, audit, logger);
    tokens.stamp = await stampOf(file);
    tokens.use(readTokenFile(file));
    if (tokens.known.size > 0) logger.info({ file }, 'API tokens are in this file');
    return tokens;
  }

  verify(value: string, nowMs = Date.now()): CommanderPrincipal | undefined {
    const token = this.valid.get(hashToken(value));
    if (token === undefined || stateOf(token, nowMs) !== 'valid') return undefined;
    this.uses.note(token.id, nowMs);
    const { id, name, scopes, libraries, lookups } = token;
    return { id, name, scopes, libraries, lookups };
  }

  /** Why a token that was refused is not valid. */
  explain(value: string, nowMs = Date.now()): EndedToken {
    const sha256 = hashToken(value);
    const token = [...this.known.values()].find((known) => known.sha256 === sha256);
    const reason = token && stateOf(token, nowMs);
    if (!token || !reason || reason === 'valid') return { reason: 'unknown' };
    return { reason, principal_id: token.id, principal: token.name };
  }

  /** Follows the file until the service closes. */
  follow(fastify: FastifyInstance): void {
    const polls = setInterval(() => void this.refresh(), POLL_MS);
    const flushes = setInterval(() => void this.flush(), FLUSH_MS);
    for (const timer of [polls, flushes]) timer.unref();
    fastify.addHook('onClose', async () => {
      for (const timer of [polls, flushes]) clearInterval(timer);
      await this.flush();
    });
  }

  /** Reads the file again if it has changed. While it cannot be used, its tokens are refused. */
  async refresh(): Promise<void> {
    if (this.isRefreshing) return;
    this.isRefreshing = true;
    try {
      const stamp = await stampOf(this.file);
      if (stamp === this.stamp) return;
      const former = this.known;
      this.use(readTokenFile(this.file));
      this.stamp = stamp;
      this.recordChanges(former);
    } catch (error) {
      this.refuseAll((error as Error).message);
    } finally {
      this.isRefreshing = false;
    }
  }

  private refuseAll(reason: string): void {
    this.valid = new Map();
    this.stamp = '';
    if (reason !== this.failure)
      this.logger.error(
        { file: this.file, reason },
        'cannot use the file of API tokens; rejecting the tokens in it until it is restored or deleted',
      );
    this.failure = reason;
  }

  private use(tokens: readonly StoredToken[]): void {
    this.known = new Map(tokens.map((token) => [token.id, token]));
    this.valid = new Map(tokens.map((token) => [token.sha256, token]));
    this.failure = '';
  }

  private recordChanges(former: ReadonlyMap<string, StoredToken>): void {
    for (const token of this.known.values()) {
      const before = former.get(token.id);
      if (!before) this.recordCreated(token);
      if (token.revoked_at !== undefined && before?.revoked_at === undefined)
        this.recordRevoked(token, token.revoked_by);
    }
    for (const token of former.values())
      if (!this.known.has(token.id) && stateOf(token, Date.now()) === 'valid') this.recordRevoked(token);
  }

  private recordCreated({ id, name, scopes, libraries, lookups, expires_at, created_by }: StoredToken): void {
    this.audit.record(
      'token.created',
      { actor: 'command', principal: created_by },
      { outcome: 'succeeded', target: id, details: { name, scopes, libraries, lookups, expires_at } },
    );
  }

  private recordRevoked({ id, name }: StoredToken, by?: string): void {
    this.audit.record(
      'token.revoked',
      { actor: 'command', ...(by !== undefined && { principal: by }) },
      { outcome: 'succeeded', target: id, details: { name } },
    );
  }

  private async flush(): Promise<void> {
    await this.uses.flush([...this.known.keys()]).catch((error: unknown) => {
      this.logger.warn({ reason: (error as Error).message }, 'the last use of API tokens is not recorded');
    });
  }
}

/** Changes whenever the file does; the same for all files that do not exist. */
async function stampOf(file: string): Promise<string> {
  try {
    const { ino, ctimeNs, size } = await stat(file, { bigint: true });
    return `${ino} ${ctimeNs} ${size}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable';
  }
}
