import { CommanderError } from '../errors/commander-error.js';
import { SecretsFile } from '../files/secrets-file.js';

/** A secret that the registry tells once. */
export interface ToldSecret {
  readonly client_id: string;
  readonly client_secret: string;
}

/**
 * Does what makes secrets, and puts them into a file where one is named.
 *
 * @param path undefined: the caller shows them
 * @param secretsIn those that came of it; without any there is no file
 * @throws {CommanderError} before anything is done when the file cannot be made
 */
export async function withSecretsFile<T>(
  path: string | undefined,
  work: () => Promise<T>,
  secretsIn: (result: T) => readonly ToldSecret[],
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

async function store(file: SecretsFile, secrets: readonly ToldSecret[]): Promise<void> {
  const lines = secrets.map(({ client_id, client_secret }) => JSON.stringify({ client_id, client_secret }));
  try {
    await file.write(`${lines.join('\n')}\n`);
  } catch (error) {
    if (!(error instanceof CommanderError) || file.isRescued) throw error;
    const ids = secrets.map(({ client_id }) => client_id).join(', ');
    const remedy = `the change was made and its secrets are lost; get new ones with "svccmd client rotate-secret": ${ids}`;
    throw new CommanderError(error.code, `${error.message}\n${remedy}`, { cause: error });
  }
}
