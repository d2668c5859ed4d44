import { Injectable } from '@nestjs/common';
import { selectsAll } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { inTransaction, type Transaction } from '../database/transaction.js';
import type { RegistryPrincipal } from '../http/registry-principal.js';
import { IdempotencyKeys, requestFingerprint } from '../idempotency/idempotency-keys.js';
import { type LocatedPrincipal, type RevokedToken, TokenEvents } from './token-events.js';
import type { ApiToken } from './api-token.entity.js';
import {
  grantorEnded,
  idempotentTokenEnded,
  scopeNotHeld,
  tokenChainTooLong,
  tokenNotFound,
} from './token.errors.js';
import {
  CHAIN_LENGTH,
  createToken,
  ENDED_DESCENDANTS,
  ENDED_TOKENS,
  HOLD_TOKEN,
  IS_DESCENDANT,
  LIVING_DESCENDANTS,
  LIVING_TOKENS,
  MAX_CHAIN,
  type NewToken,
  REVOKE_TOKENS,
  type TokenCreator,
  type TokenWithValue,
  TOKEN_BY_ID,
} from './tokens.repository.js';
import { holdsScope } from './scopes.js';
import { assertMayCreateToken } from './token-limits.js';
import { isRestricted, restrictedBy } from './token-restrictions.js';
import type { RetentionPolicy } from '../settings/registry-settings.js';

/** What configuration decides about API tokens. */
export class TokenLifetimes {
  constructor(
    /** The longest lifetime of a token created with an issuer's access token, in seconds. */
    readonly createdByIssuersUsers: number,
    /** How long a token that has ended can be read. */
    readonly retention: RetentionPolicy,
  ) {}
}

const TOKEN_ID = /^[0-9a-f]{16}$/;

/** Who created the first tokens of a line: an API token, or a user of an issuer. */
type LineStart = Pick<RegistryPrincipal, 'id' | 'issuer'>;

/** As the statements take it. */
function lineParameters({ id, issuer }: LineStart): [id: string, issuer: string | null] {
  return [id, issuer ?? null];
}

function seesAll({ selector }: RegistryPrincipal): boolean {
  return selectsAll(selector);
}

/** A token, with its value unless the request is a repetition. */
export type TokenCreatedOnce = Omit<TokenWithValue, 'value'> & { readonly value?: string };

/** A page of revoked and expired tokens. */
export interface EndedTokens {
  readonly tokens: readonly ApiToken[];
  readonly hasMore: boolean;
}

/** API tokens: creates, lists and revokes them. */
@Injectable()
export class TokensService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: TokenEvents,
    private readonly lifetimes: TokenLifetimes,
    private readonly keys: IdempotencyKeys,
  ) {}

  /** The usable tokens that the caller sees, newest first. */
  async living(caller: RegistryPrincipal): Promise<ApiToken[]> {
    if (!seesAll(caller)) return this.livingDescendants(caller);
    return LIVING_TOKENS.run(this.dataSource, [new Date()]);
  }

  /**
   * The revoked and expired tokens that the caller sees, newest first.
   *
   * @param before id of the last token of the previous page
   * @throws {RegistryError} `token_not_found`
   */
  async ended(caller: RegistryPrincipal, limit: number, before?: string): Promise<EndedTokens> {
    if (before !== undefined) await this.find(before, caller);
    const page = [new Date(), before ?? null, limit + 1];
    const found = await (seesAll(caller)
      ? ENDED_TOKENS.run(this.dataSource, page)
      : ENDED_DESCENDANTS.run(this.dataSource, [...page, ...lineParameters(caller)]));
    return { tokens: found.slice(0, limit), hasMore: found.length > limit };
  }

  /** @throws {RegistryError} `token_not_found`, also for a token that the caller does not see */
  async find(id: string, caller: RegistryPrincipal): Promise<ApiToken> {
    const token = await this.own(id);
    if (!token || !(await this.sees(caller, id))) throw tokenNotFound();
    return token;
  }

  /** The usable tokens created with a token, those created with them, and so on; newest first. */
  async livingDescendants(creator: LineStart): Promise<ApiToken[]> {
    return LIVING_DESCENDANTS.run(this.dataSource, [new Date(), ...lineParameters(creator)]);
  }

  /** The token of a principal. `undefined` where the id is the subject of an access token. */
  async own(id: string): Promise<ApiToken | undefined> {
    if (!TOKEN_ID.test(id)) return undefined;
    const [token] = await TOKEN_BY_ID.run(this.dataSource, [id]);
    return token;
  }

  /**
   * Creates a token that expires no later than the one it is created with or, with an issuer's access token, than
   * configuration allows.
   *
   * @throws {RegistryError} `scope_not_held`, `restriction_not_held`, `invalid_restriction`, `token_invalid`,
   *   `token_chain_too_long`, `too_many_tokens`
   */
  async create(wanted: NewToken, grantor: LocatedPrincipal): Promise<TokenWithValue> {
    return this.events.creating(wanted, grantor, async () =>
      inTransaction(this.dataSource, async (transaction) => this.createIn(transaction, wanted, grantor)),
    );
  }

  /**
   * The same, once per Idempotency-Key; a repetition has no value.
   *
   * @throws {RegistryError} like `create`, and `invalid_idempotency_key`
   * @throws {RegistryError} `idempotency_key_reused`, `idempotent_token_ended`: the key was used otherwise
   */
  async createOnce(wanted: NewToken, grantor: LocatedPrincipal, key: string): Promise<TokenCreatedOnce> {
    const { name, scopes, lifetime = null, restrictions } = wanted;
    return this.keys.once<TokenCreatedOnce>({
      ...{ key, actorId: grantor.id },
      fingerprint: await requestFingerprint('token', [
        ...[name, scopes, lifetime],
        ...(isRestricted(restrictions) ? [restrictions] : []),
      ]),
      perform: async (transaction) => {
        const created = await this.events.creating(wanted, grantor, async () =>
          this.createIn(transaction, wanted, grantor),
        );
        return { result: created, outcome: { answer: { id: created.token.id } } };
      },
      repeat: async ({ answer }) => ({
        token: await this.stillLiving((answer as { id: string }).id, grantor),
      }),
    });
  }

  /**
   * Revokes a token: immediately here, within a second on other replicas.
   *
   * @param withDescendants also revoke the tokens created with it
   * @returns the tokens that this call revoked
   * @throws {RegistryError} `token_not_found`
   */
  async revoke(id: string, withDescendants: boolean, caller: LocatedPrincipal): Promise<ApiToken[]> {
    const token = await this.find(id, caller);
    const now = new Date();
    return inTransaction(this.dataSource, async (transaction) => {
      const ended: RevokedToken[] = [];
      let next = [token];
      // Until it is revoked, a descendant can create another token: look again until there are none.
      while (next.length > 0) {
        const rows = await REVOKE_TOKENS.run(transaction, [now, next.map((one) => one.id)]);
        const hashes = new Map(rows.map((row) => [row.id, row.formerHash]));
        for (const one of next) {
          const formerHash = hashes.get(one.id);
          if (formerHash) ended.push({ ...one, revokedAt: now, formerHash });
        }
        next = withDescendants
          ? await LIVING_DESCENDANTS.run(transaction, [now, ...lineParameters({ id })])
          : [];
      }
      this.events.revoked(transaction, ended, caller);
      return ended;
    });
  }

  private async createIn(
    transaction: Transaction,
    wanted: NewToken,
    grantor: LocatedPrincipal,
  ): Promise<TokenWithValue> {
    const lacking = wanted.scopes.filter((scope) => !holdsScope(grantor.scopes, scope));
    if (lacking.length > 0) throw scopeNotHeld(lacking);
    const restrictions = restrictedBy(grantor, wanted.restrictions, wanted.scopes);
    const now = new Date();
    const creator = await this.creatorFor(grantor, now, transaction);
    await assertMayCreateToken(transaction, grantor, now);
    const created = await createToken(transaction, { ...wanted, restrictions }, creator, {
      now,
      keptFrom: this.lifetimes.retention.keptFrom(now),
    });
    this.events.created(transaction, created.token, grantor);
    return created;
  }

  /** @throws {RegistryError} `idempotent_token_ended` */
  private async stillLiving(id: string, caller: RegistryPrincipal): Promise<ApiToken> {
    const token = (await this.living(caller)).find((one) => one.id === id);
    if (!token) throw idempotentTokenEnded(id);
    return token;
  }

  /** Callers that reach only some Clients see only themselves and the tokens created with them, and so on. */
  private async sees(caller: RegistryPrincipal, id: string): Promise<boolean> {
    if (seesAll(caller) || caller.id === id) return true;
    return (await IS_DESCENDANT.run(this.dataSource, [id, ...lineParameters(caller)])).length > 0;
  }

  /** @throws {RegistryError} `token_invalid`, `token_chain_too_long` */
  private async creatorFor(
    grantor: RegistryPrincipal,
    now: Date,
    transaction: Transaction,
  ): Promise<TokenCreator> {
    const { id: createdBy, issuer, subject, selector } = grantor;
    if (!TOKEN_ID.test(createdBy)) {
      const latestEnd = new Date(now.getTime() + this.lifetimes.createdByIssuersUsers * 1_000);
      return { createdBy, issuer, subject, isRestrictedUser: !selectsAll(selector), latestEnd };
    }
    const [held] = await HOLD_TOKEN.run(transaction, [now, createdBy]);
    if (!held) throw grantorEnded();
    const [chain] = await CHAIN_LENGTH.run(transaction, [createdBy]);
    if ((chain?.length ?? 0) >= MAX_CHAIN) throw tokenChainTooLong(MAX_CHAIN);
    return { createdBy, latestEnd: held.expiresAt ?? undefined };
  }
}
