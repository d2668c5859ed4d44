import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { inTransaction } from '../database/transaction.js';
import { writePrivateFile } from '../secrets/private-file.js';
import { REGISTRY } from '../security-events/security-event.js';
import type { SecurityEvents } from '../security-events/security-events.js';
import { SCOPES } from './scopes.js';
import { tokenCreated } from './token-events.js';
import { UNRESTRICTED } from './token-restrictions.js';
import { hashTokenValue, insertToken, newTokenValue } from './tokens.repository.js';

const IS_USED = 'SELECT EXISTS (SELECT FROM api_token) OR EXISTS (SELECT FROM client_change) AS "isUsed"';

/**
 * At the first start, with an empty database, creates a token with all scopes: the configured one, or a new one that is written
 * to the file `bootstrap-token` (mode 0600) in the data folder. Logs where it is, never its value.
 */
export async function makeBootstrapToken(
  dataSource: DataSource,
  config: { readonly BOOTSTRAP_TOKEN?: string | undefined; readonly DATA_DIR: string },
  logger: Logger,
  events: SecurityEvents,
): Promise<void> {
  const file = join(config.DATA_DIR, 'bootstrap-token');
  const made = await inTransaction(dataSource, async (transaction) => {
    // When several replicas start together, the first one creates it.
    await transaction.query('LOCK TABLE api_token IN EXCLUSIVE MODE');
    const { rows } = await transaction.query<{ isUsed: boolean }>(IS_USED);
    if (rows[0]?.isUsed !== false) return false;
    const value = config.BOOTSTRAP_TOKEN ?? newTokenValue();
    // Before the row: a start that is interrupted in between is repeated, rather than leaving a token of unknown value.
    if (config.BOOTSTRAP_TOKEN === undefined) await writePrivateFile(file, `${value}\n`);
    const token = await insertToken(transaction, {
      name: 'bootstrap',
      hash: hashTokenValue(value),
      scopes: [...SCOPES],
      createdAt: new Date(),
      ...{ createdBy: null, issuer: null, subject: null, byRestrictedUser: false, expiresAt: null },
      ...UNRESTRICTED,
    });
    events.add(transaction, tokenCreated(token, REGISTRY));
    return true;
  });
  if (!made) return;
  const place = config.BOOTSTRAP_TOKEN === undefined ? { file } : { variable: 'BOOTSTRAP_TOKEN' };
  logger.info(place, 'bootstrap API token with all scopes created');
}
