import type { ClientDocument } from '@svc/registry-client';
import type { CommandContext } from '../command-line/command-context.js';
import { withRegistry } from './open-registry.js';

export interface RedirectFlags {
  readonly expiresIn?: string;
  readonly note?: string;
}

export async function addRedirect(
  context: CommandContext,
  clientId: string,
  uri: string,
  { expiresIn, note }: RedirectFlags,
): Promise<void> {
  const added = {
    redirect_uri: uri,
    ...(expiresIn !== undefined && { expires_in: expiresIn }),
    ...(note !== undefined && { note }),
  };
  const client = await withRegistry(context, async (registry) => registry.addRedirectUri(clientId, added));
  const end = endOf(client, uri);
  const text = `${clientId} has the redirect URI ${uri}${end === undefined ? '' : ` until ${end}`}`;
  context.answer({ text, value: redirectsOf(client) });
}

export async function removeRedirect(context: CommandContext, clientId: string, uri: string): Promise<void> {
  const client = await withRegistry(context, async (registry) => registry.removeRedirectUri(clientId, uri));
  context.answer({
    text: `${clientId} does not have the redirect URI ${uri}`,
    value: redirectsOf(client),
  });
}

function redirectsOf(client: ClientDocument) {
  const { client_id, redirect_uris, temporary_redirect_uris } = client;
  return {
    client_id,
    redirect_uris,
    ...(temporary_redirect_uris !== undefined && { temporary_redirect_uris }),
  };
}

/** @returns when the redirect URI expires; undefined if it does not */
function endOf({ temporary_redirect_uris: temporary }: ClientDocument, uri: string): string | undefined {
  const uris = Array.isArray(temporary)
    ? (temporary as { redirect_uri?: unknown; expires_at?: unknown }[])
    : [];
  const found = uris.find(({ redirect_uri: each }) => each === uri)?.expires_at;
  return typeof found === 'string' ? found : undefined;
}
