import { startApplication } from './application/application.js';
import { startAuthorizationServer } from './authorization-server/authorization-server.js';
import type { ExampleConfig } from './config.js';
import { startExampleRegistry } from './registry/example-registry.js';

/** The running example. */
export interface Example {
  readonly introduction: string;
  stop(): Promise<void>;
}

/** Starts a registry (unless one is given), an authorization server that uses it, and an application that registers there. */
export async function startExample(config: ExampleConfig, log: (line: string) => void): Promise<Example> {
  const started: { stop(): Promise<void> }[] = [];
  // In reverse order, so that the application can delete its Client while the registry is still running.
  const stop = async (): Promise<void> => {
    for (let next = started.pop(); next; next = started.pop()) {
      await next.stop().catch((error: unknown) => log(`stopping: ${(error as Error).message}`));
    }
  };
  try {
    const own = config.registry ? undefined : await startExampleRegistry(config.registryPort);
    if (own) started.push(own);
    const registry = config.registry ?? own;
    if (!registry) throw new Error('there is no registry');
    const server = await startAuthorizationServer({
      port: config.authorizationServerPort,
      registryUrl: registry.url,
      registryToken: registry.serverToken,
      onFeed: (state) =>
        log(state.following ? 'change feed: following' : `change feed: away: ${state.reason}`),
      onError: (reason) => log(`authorization server: ${reason}`),
    });
    started.push(server);
    const { initialAccessToken } = registry;
    const application = await startApplication({
      port: config.applicationPort,
      issuer: server.url,
      initialAccessToken,
    });
    started.push(application);
    return {
      introduction: introduction(
        registry.url,
        server.url,
        application.url,
        application.clientId,
        own?.tokenFile,
      ),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function introduction(
  registry: string,
  server: string,
  application: string,
  clientId: string,
  tokenFile: string | undefined,
): string {
  const signIn = tokenFile === undefined ? '' : `   token: ${tokenFile}`;
  return `
application            ${application}   sign in there
authorization server   ${server}   discovery: ${server}/.well-known/openid-configuration
registry               ${registry}/ui/clients/${encodeURIComponent(clientId)}${signIn}

Disable the Client in the registry, change its redirect URI or rotate its secret, and sign in again.
Ctrl-C stops all.`;
}
