import type { ApiToken } from './api-token.entity.js';

/** How long a token stays accepted after its last verification, in milliseconds. */
const ACCEPTED_MS = 3_600_000;

const MAX_REMEMBERED = 100;

interface Remembered<Token> {
  readonly token: Token;
  /** By the monotonic clock. */
  readonly until: number;
}

/**
 * Tokens that can only read metrics, as they were last verified. They are accepted while the database cannot be asked: an outage is
 * when metrics are needed most.
 */
export class MetricsTokenCache<Token> {
  private readonly remembered = new Map<string, Remembered<Token>>();

  remember(key: string, token: Token, { scopes, expiresAt, maxUses }: ApiToken): void {
    this.forget(key);
    if (scopes.length !== 1 || scopes[0] !== 'metrics:read' || maxUses !== null) return;
    const left = expiresAt === null ? ACCEPTED_MS : Math.min(ACCEPTED_MS, expiresAt.getTime() - Date.now());
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    this.remembered.set(key, { token, until: performance.now() + left });
  }

  recall(key: string): Token | undefined {
    const found = this.remembered.get(key);
    return found && found.until > performance.now() ? found.token : undefined;
  }

  forget(key: string): void {
    this.remembered.delete(key);
  }
}
