import type { Adapter, AdapterConstructor, AdapterFactory, Client, Configuration } from 'oidc-provider';
import { NEEDED_PROPERTIES } from './to-provider-metadata.js';

type IsPkceRequired = NonNullable<NonNullable<Configuration['pkce']>['required']>;
type ExtraMetadata = NonNullable<Configuration['extraClientMetadata']>;

/** A configuration of oidc-provider with an adapter for all models but `Client`. */
export type ProviderConfiguration = Configuration & { readonly adapter: AdapterConstructor | AdapterFactory };

/** The configuration, so that oidc-provider takes its Clients from `clients` and holds them to what they are registered for. */
export function configure(configuration: ProviderConfiguration, clients: Adapter): Configuration {
  const { adapter, pkce, extraClientMetadata } = configuration;
  return {
    ...configuration,
    adapter: (model: string) => (model === 'Client' ? clients : make(adapter, model)),
    extraClientMetadata: withNeededProperties(extraClientMetadata),
    pkce: { ...pkce, required: requiredAsRegistered(pkce?.required ?? isRequiredUsually) },
  };
}

/** A Client whose `code_challenge_method` is `S256` or `plain` must use PKCE; oidc-provider knows S256 only. */
function requiredAsRegistered(isRequired: IsPkceRequired): IsPkceRequired {
  return (ctx, client) => isRegisteredForPkce(client) || isRequired(ctx, client);
}

function isRegisteredForPkce({ code_challenge_method: method }: Client): boolean {
  return method === 'S256' || method === 'plain';
}

/** As oidc-provider's own default, which is not exported, and a little stricter: under every FAPI profile. */
const isRequiredUsually: IsPkceRequired = ({ oidc }, client) =>
  client.tokenEndpointAuthMethod === 'none' || oidc.isFapi('2.0', '1.0 Final') !== undefined;

function withNeededProperties({ properties = [], validator }: ExtraMetadata = {}): ExtraMetadata {
  return {
    properties: [...new Set([...properties, ...NEEDED_PROPERTIES])],
    validator: (ctx, key, value, metadata) => {
      if (properties.includes(key)) validator?.(ctx, key, value, metadata);
    },
  };
}

/** Told apart as oidc-provider does: what has a prototype is a class. */
function make(adapter: AdapterConstructor | AdapterFactory, model: string): Adapter {
  return isConstructor(adapter) ? new adapter(model) : adapter(model);
}

function isConstructor(adapter: AdapterConstructor | AdapterFactory): adapter is AdapterConstructor {
  return Object.hasOwn(adapter, 'prototype');
}
