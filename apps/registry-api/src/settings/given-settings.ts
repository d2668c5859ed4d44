import { type Environment, variableOf } from '@svc/foundation/config';

/** A variable that is set. */
export type GivenSetting =
  /** As it is written in the environment; for a `NAME_FILE`, the path. */
  | { readonly text: string }
  /** Its value, which must not be stored or shown. */
  | { readonly secret: string };

/** The variables that are set, by name. */
export type GivenSettings = ReadonlyMap<string, GivenSetting>;

/** Variables that are or contain secrets: connection URLs may contain a password. */
export const SECRET_SETTINGS: readonly string[] = [
  'BOOTSTRAP_TOKEN',
  'DATABASE_LISTEN_URL',
  'DATABASE_PASSWORD',
  'DATABASE_READ_URL',
  'DATABASE_URL',
  'SECRET_PEPPER',
];

/**
 * @param names of all variables
 * @param config their parsed values; only these contain secrets from files
 */
export function givenSettings(
  names: readonly string[],
  environment: Environment,
  config: Readonly<Record<string, unknown>>,
): GivenSettings {
  const given = new Map<string, GivenSetting>();
  for (const name of names) {
    const text = variableOf(environment, name) ?? variableOf(environment, `${name}_FILE`);
    if (text === undefined) continue;
    const isSecret = SECRET_SETTINGS.includes(name);
    given.set(name, isSecret ? { secret: JSON.stringify(config[name]) ?? '' } : { text });
  }
  return given;
}
