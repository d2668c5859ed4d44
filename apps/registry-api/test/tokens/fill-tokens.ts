import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ApiToken } from '../../src/tokens/api-token.entity.js';

/** Stores usable tokens, as if they had been created. */
export async function fillTokens(
  dataSource: DataSource,
  count: number,
  members: Partial<ApiToken> = {},
): Promise<void> {
  const filler = Array.from({ length: count }, () => ({
    scopes: [],
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
    ...members,
    id: randomBytes(8).toString('hex'),
    name: 'filler',
    hash: randomBytes(32),
  }));
  await dataSource.getRepository(ApiToken).insert(filler);
}

/** Deletes what `fillTokens` stored. */
export async function deleteFiller(dataSource: DataSource): Promise<void> {
  await dataSource.getRepository(ApiToken).delete({ name: 'filler' });
}
