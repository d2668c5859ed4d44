import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { MIN_PEPPER_LENGTH, type SecretHasher } from './secret-hasher.js';
import { readOrMakePrivateFile } from './private-file.js';

/** The current one, then former ones. */
export type Peppers = readonly [string, ...string[]];

/**
 * The configured peppers, or that of the file `secret-pepper` in the data folder, which is created if it is missing. (In
 * production a pepper must be configured, because replicas must share it.)
 *
 * @throws {RangeError} that names the file if its pepper is too short
 */
export async function loadPeppers(config: {
  readonly SECRET_PEPPER?: readonly string[] | undefined;
  readonly DATA_DIR: string;
}): Promise<Peppers> {
  const [first, ...former] = config.SECRET_PEPPER ?? [];
  if (first !== undefined) return [first, ...former];
  const made = () => `${randomBytes(32).toString('base64url')}\n`;
  const file = join(config.DATA_DIR, 'secret-pepper');
  const pepper = (await readOrMakePrivateFile(file, made)).trim();
  if (pepper.length >= MIN_PEPPER_LENGTH) return [pepper];
  throw new RangeError(
    `${file} must contain at least ${MIN_PEPPER_LENGTH} characters; restore it from its backup, or remove it to have a new ` +
      'one created, after which every client needs a new secret',
  );
}

const SECRETS_BY_PEPPER = new PreparedStatement<{ pepperId: string; secrets: number }>(
  'secrets_by_pepper',
  `SELECT pepper_id AS "pepperId", count(*)::int AS secrets FROM client_secret
   WHERE (expires_at IS NULL OR expires_at > now()) AND foreign_hash IS NULL GROUP BY pepper_id`,
);

/** Logs how many secrets still need a previous pepper, and how many cannot be checked because theirs is not configured. */
export async function reportPeppers(
  dataSource: DataSource,
  hasher: SecretHasher,
  logger: Logger,
): Promise<void> {
  const counts = await SECRETS_BY_PEPPER.run(dataSource, []);
  const sum = (use: ReturnType<SecretHasher['useOf']>) =>
    counts.filter((each) => hasher.useOf(each) === use).reduce((total, { secrets }) => total + secrets, 0);
  const [former, unknown] = [sum('former'), sum('unknown')];
  if (former > 0) logger.info({ secrets: former }, 'client secrets still need a pepper other than the first');
  if (unknown > 0)
    logger.warn({ secrets: unknown }, 'some client secrets are hashed with a pepper that is not configured');
  if (hasher.hasFormer && former === 0) logger.info('no client secret needs a pepper other than the first');
}
