import { Injectable } from '@nestjs/common';
import type { ClientMetadata, JsonWebKey } from '@svc/client-metadata';
import { ClientKeys, KeysUnavailableError } from '../assertions/client-keys.js';
import { UsedAssertions } from '../assertions/used-assertions.js';
import {
  type AssertionHead,
  AssertionError,
  mayHaveSigned,
  readHead,
  verifyAssertion,
} from '../assertions/verify-assertion.js';
import { ClientsService } from '../clients/clients.service.js';
import type { StoredClient } from '../clients/stored-client.js';
import { RegistryError } from '../errors/registry-error.js';
import type { Reach } from '../http/current-caller.js';

/** Verifies a client assertion with the keys of its Client, once. */
@Injectable()
export class ClientAssertionVerifier {
  constructor(
    private readonly clients: ClientsService,
    private readonly keys: ClientKeys,
    private readonly used: UsedAssertions,
  ) {}

  /**
   * @param client undefined: it does not exist
   * @param audience identifiers of the authorization server, one of which the assertion must name
   * @throws {AssertionError}
   */
  async verify(
    client: StoredClient | undefined,
    assertion: string,
    audience: readonly string[],
  ): Promise<void> {
    if (client?.enabled !== true || client.metadata.token_endpoint_auth_method !== 'private_key_jwt')
      throw new AssertionError('method', 'the client does not authenticate with private_key_jwt');
    const { clientId, metadata } = client;
    const head = readHead(assertion, metadata.token_endpoint_auth_signing_alg);
    const keys = await this.keysOf(metadata, head);
    const now = Date.now() / 1000;
    const { jti, expiresAt } = await verifyAssertion(assertion, keys, { clientId, audience, head, now });
    if (this.used.exceedsRate(clientId))
      throw new AssertionError(
        'too_many',
        'the client is sending too many assertions; reuse access tokens until they expire',
      );
    if (!(await this.used.use(clientId, jti, expiresAt)))
      throw new AssertionError('jti_used', 'an assertion with this jti was used before');
  }

  async find(clientId: string, caller: Reach): Promise<StoredClient | undefined> {
    return this.clients.find(clientId, caller).catch((error: unknown) => {
      if (error instanceof RegistryError && error.code === 'client_not_found') return undefined;
      throw error;
    });
  }

  private async keysOf(
    { jwks, jwks_uri }: ClientMetadata,
    head: AssertionHead,
  ): Promise<readonly JsonWebKey[]> {
    if (jwks_uri === undefined) return jwks?.keys ?? [];
    try {
      return await this.keys.keysAt(jwks_uri, (key) => mayHaveSigned(key, head));
    } catch (error) {
      if (!(error instanceof KeysUnavailableError)) throw error;
      throw new AssertionError('keys_unavailable', error.message);
    }
  }
}
