import { readFileSync } from 'node:fs';
import { readConfig, wholeNumber } from '@svc/foundation/config';
import { z } from 'zod';

const port = (usual: number) => wholeNumber(0, 65_535).default(usual);

const schema = z.object({
  /** A running registry; if not set, the example starts one. */
  REGISTRY_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** With `clients:follow` and `clients:check`. */
  REGISTRY_TOKEN: z.string().optional(),
  /** With `clients:register`. */
  INITIAL_ACCESS_TOKEN: z.string().optional(),
  AUTHORIZATION_SERVER_PORT: port(8082),
  APPLICATION_PORT: port(8083),
  REGISTRY_PORT: port(8084),
});

/** The example's configuration. */
export interface ExampleConfig {
  readonly authorizationServerPort: number;
  readonly applicationPort: number;
  readonly registryPort: number;
  /** If absent, one is started. */
  readonly registry?: {
    readonly url: string;
    readonly serverToken: string;
    readonly initialAccessToken: string;
  };
}

/** @throws {ConfigError} */
export function readExampleConfig(environment: Readonly<Record<string, string | undefined>>): ExampleConfig {
  const required =
    environment['REGISTRY_URL'] === undefined
      ? schema
      : schema.required({ REGISTRY_TOKEN: true, INITIAL_ACCESS_TOKEN: true });
  const read = readConfig(required, environment, (path) => readFileSync(path, 'utf8'));
  const { REGISTRY_URL: url, REGISTRY_TOKEN: serverToken, INITIAL_ACCESS_TOKEN: initialAccessToken } = read;
  return {
    authorizationServerPort: read.AUTHORIZATION_SERVER_PORT,
    applicationPort: read.APPLICATION_PORT,
    registryPort: read.REGISTRY_PORT,
    ...(url !== undefined &&
      serverToken !== undefined &&
      initialAccessToken !== undefined && { registry: { url, serverToken, initialAccessToken } }),
  };
}
