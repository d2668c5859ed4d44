import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { SecretHasher } from './secret-hasher.js';

const SECRETS_BY_PEPPER = new PreparedStatement<{ pepperId: string; secrets: number }>(
  'secrets_by_pepper',
  `SELECT pepper_id AS "pepperId", count(*)::int AS secrets FROM client_secret
   WHERE expires_at IS NULL OR expires_at > now() GROUP BY pepper_id`,
);

/** Logs how many secrets still need a former pepper, and how many nobody can check since theirs is not configured. */
export async function reportPeppers(
  dataSource: DataSource,
  hasher: SecretHasher,
  logger: Logger,
): Promise<void> {
  const counts = await SECRETS_BY_PEPPER.run(dataSource, []);
  const sum = (use: ReturnType<SecretHasher['useOf']>) =>
    counts.filter((each) => hasher.useOf(each) === use).reduce((total, { secrets }) => total + secrets, 0);
  const [former, unknown] = [sum('former'), sum('unknown')];
  if (former > 0) logger.info({ secrets: former }, 'client secrets still need a former pepper');
  if (unknown > 0)
    logger.warn({ secrets: unknown }, 'client secrets are under a pepper that is not configured');
  if (hasher.hasFormer && former === 0) logger.info('no client secret needs a former pepper any more');
}
