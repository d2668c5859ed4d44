import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { ClientChange } from '../clients/client-change.entity.js';
import { writePrivateFile } from '../secrets/private-file.js';
import { ApiToken } from './api-token.entity.js';
import { SCOPES } from './scopes.js';
import { hashTokenValue, newTokenValue } from './tokens.repository.js';

/**
 * At the first start, with an empty database, creates a token with all scopes: the configured one, or a new one that is written
 * to the file `bootstrap-token` (mode 0600) in the data folder. Logs where it is, never its value.
 */
export async function makeBootstrapToken(
  dataSource: DataSource,
  config: { readonly BOOTSTRAP_TOKEN?: string | undefined; readonly DATA_DIR: string },
  logger: Logger,
): Promise<void> {
  const file = join(config.DATA_DIR, 'bootstrap-token');
  const made = await dataSource.transaction(async (manager) => {
    // When several replicas start together, the first one creates it.
    await manager.query('LOCK TABLE api_token IN EXCLUSIVE MODE');
    if ((await manager.exists(ApiToken)) || (await manager.exists(ClientChange))) return false;
    const value = config.BOOTSTRAP_TOKEN ?? newTokenValue();
    // Before the row: a start that is interrupted in between is repeated, rather than leaving a token of unknown value.
    if (config.BOOTSTRAP_TOKEN === undefined) await writePrivateFile(file, `${value}\n`);
    await manager.insert(ApiToken, {
      id: randomBytes(8).toString('hex'),
      name: 'bootstrap',
      hash: hashTokenValue(value),
      scopes: [...SCOPES],
      createdAt: new Date(),
    });
    return true;
  });
  if (!made) return;
  const place = config.BOOTSTRAP_TOKEN === undefined ? { file } : { variable: 'BOOTSTRAP_TOKEN' };
  logger.info(place, 'bootstrap API token with all scopes created');
}
