import { isDeepStrictEqual } from 'node:util';
import { selectsAll, sortedSelector } from '@svc/client-metadata';
import type { Transaction } from '../database/transaction.js';
import type { Caller } from '../http/current-caller.js';
import type { ApiToken } from '../tokens/api-token.entity.js';
import { TOKEN_BY_ID } from '../tokens/tokens.repository.js';
import type { StoredProblem } from './client-job.entity.js';
import type { StoredJob } from './job-statements.js';

/**
 * Jobs end after this time where the registry cannot know how long the token would have been valid: with an issuer's access
 * token, and with an API token whose last use has ended it.
 */
const UNVERIFIED_TOKEN_MS = 3_600_000;

export const NOT_ALLOWED: StoredProblem = {
  error: 'invalid_token',
  detail: 'The token that started the job was revoked or has expired.',
};

/** The actor in the history, with its reach at the start. */
export function callerOf({ actorId: id, actorName: name, address, issuer, selector }: StoredJob): Caller {
  return { id, name, address, selector, seesActors: true, ...(issuer !== null && { issuer }) };
}

/** Whether the token that started the job still allows it. */
export async function isStillAllowed(
  { actorId, issuer, createdAt }: StoredJob,
  transaction: Transaction,
): Promise<boolean> {
  const now = new Date();
  const isRecent = now.getTime() - createdAt.getTime() < UNVERIFIED_TOKEN_MS;
  if (issuer !== null) return isRecent;
  const [token] = await TOKEN_BY_ID.run(transaction, [actorId]);
  if (token?.revokedAt !== null) return false;
  if (isUsedUp(token)) return isRecent;
  return token.expiresAt === null || token.expiresAt > now;
}

/** Its last use ends a token, but not the job which that use started. */
function isUsedUp({ uses, maxUses }: ApiToken): boolean {
  return maxUses !== null && uses >= maxUses;
}

/** Callers that reach all Clients see all jobs; others see their own, while they reach the same Clients as at the start. */
export function seesJob({ id, issuer, selector }: Caller, job: StoredJob): boolean {
  const isOwn =
    job.actorId === id &&
    job.issuer === (issuer ?? null) &&
    // Earlier versions stored the values of an access token in the order of its claim.
    isDeepStrictEqual(sortedSelector(job.selector), sortedSelector(selector));
  return isOwn || selectsAll(selector);
}
