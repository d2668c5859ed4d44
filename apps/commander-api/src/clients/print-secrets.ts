import { CommanderError } from '../errors/commander-error.js';
import { SecretsFile } from '../files/secrets-file.js';

/** A secret that the registry returns only once. */
export interface IssuedSecret {
  readonly client_id: string;
  readonly client_secret: string;
}

/**
 * Runs work that creates secrets, and writes them to a file if one is given.
 *
 * @param path undefined if the caller prints the secrets
 * @param secretsIn extracts the secrets; without any, no file is created
 * @throws {CommanderError} before the work starts, if the file cannot be created
 */
export async function withSecretsFile<T>(
  path: string | undefined,
  work: () => Promise<T>,
  secretsIn: (result: T) => readonly IssuedSecret[],
): Promise<T> {
  if (path === undefined) return work();
  const file = await SecretsFile.prepare(path);
  try {
    const result = await work();
    const secrets = secretsIn(result);
    if (secrets.length > 0) await store(file, secrets);
    return result;
  } finally {
    await file.close();
  }
}

async function store(file: SecretsFile, secrets: readonly IssuedSecret[]): Promise<void> {
  const lines = secrets.map(({ client_id, client_secret }) => JSON.stringify({ client_id, client_secret }));
  try {
    await file.write(`${lines.join('\n')}\n`);
  } catch (error) {
    if (!(error instanceof CommanderError) || file.isRescued) throw error;
    const ids = secrets.map(({ client_id }) => client_id).join(', ');
    const remedy = `the change was made, but its secrets are lost; create new ones with "svccmd client rotate-secret": ${ids}`;
    throw new CommanderError(error.code, [error.message, remedy], { cause: error });
  }
}
