import type { Adapter, AdapterConstructor, AdapterFactory, Client, Configuration } from 'oidc-provider';
import { NEEDED_PROPERTIES } from './to-provider-metadata.js';

type IsPkceRequired = NonNullable<NonNullable<Configuration['pkce']>['required']>;
type ExtraMetadata = NonNullable<Configuration['extraClientMetadata']>;

/** An oidc-provider configuration whose adapter serves every model except `Client`. */
export type ProviderConfiguration = Configuration & { readonly adapter: AdapterConstructor | AdapterFactory };

/** Extends the configuration so that oidc-provider takes Clients from `clients` and enforces their registered metadata. */
export function configure(configuration: ProviderConfiguration, clients: Adapter): Configuration {
  const { adapter, pkce, extraClientMetadata } = configuration;
  return {
    ...configuration,
    adapter: (model: string) => (model === 'Client' ? clients : make(adapter, model)),
    extraClientMetadata: withNeededProperties(extraClientMetadata),
    pkce: { ...pkce, required: requiredAsRegistered(pkce?.required ?? isRequiredByDefault) },
  };
}

/** A Client whose `code_challenge_method` is `S256` or `plain` must use PKCE; oidc-provider supports only S256. */
function requiredAsRegistered(isRequired: IsPkceRequired): IsPkceRequired {
  return (ctx, client) => {
    const isNeeded = isRegisteredForPkce(client) || isRequired(ctx, client);
    if (isNeeded) requiring.add(ctx);
    return isNeeded;
  };
}

function isRegisteredForPkce({ code_challenge_method: method }: Client): boolean {
  return method === 'S256' || method === 'plain';
}

/** Contexts of the requests that the provider found to require PKCE. */
const requiring = new WeakSet<object>();

/** The method that the provider required of a request, as far as it came to that check. */
export function requiredMethod(ctx: object, client: Client): 'S256' | 'none' {
  return isRegisteredForPkce(client) || requiring.has(ctx) ? 'S256' : 'none';
}

/** oidc-provider's default, which it does not export, but required under every FAPI profile. */
const isRequiredByDefault: IsPkceRequired = ({ oidc }, client) =>
  client.tokenEndpointAuthMethod === 'none' || oidc.isFapi('2.0', '1.0 Final') !== undefined;

function withNeededProperties({ properties = [], validator }: ExtraMetadata = {}): ExtraMetadata {
  return {
    properties: [...new Set([...properties, ...NEEDED_PROPERTIES])],
    validator: (ctx, key, value, metadata) => {
      if (properties.includes(key)) validator?.(ctx, key, value, metadata);
    },
  };
}

/** A class if it has a prototype, otherwise a factory: the same test as oidc-provider's. */
function make(adapter: AdapterConstructor | AdapterFactory, model: string): Adapter {
  return isConstructor(adapter) ? new adapter(model) : adapter(model);
}

function isConstructor(adapter: AdapterConstructor | AdapterFactory): adapter is AdapterConstructor {
  return Object.hasOwn(adapter, 'prototype');
}
