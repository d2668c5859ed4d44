import { liveRedirectUris, metadataNames, type TemporaryUri } from '@svc/client-metadata';
import type { ClientDocument } from '@svc/registry-client';
import { stringify } from 'yaml';

/** Format of exported declarations. */
export type DeclarationFormat = 'yaml' | 'json' | 'ndjson';

/** The fields that a declaration may contain. */
export type ClientDeclaration = Readonly<Record<string, unknown>> & { readonly client_id: string };

/**
 * A Client as a declaration, without fields that only the registry sets, except the ends of redirect URIs: imports do not
 * add those that end. Those that have ended are left out.
 */
export function toDeclaration(client: ClientDocument, now: number): ClientDeclaration {
  const members = metadataNames(client).map((field) => [field, client[field]]);
  return {
    client_id: client.client_id,
    ...(Object.fromEntries(members) as Record<string, unknown>),
    ...temporaryMembers(client, now),
    ...('enabled' in client && { enabled: client['enabled'] }),
  };
}

function temporaryMembers(client: ClientDocument, now: number): Readonly<Record<string, unknown>> {
  const uris = client['redirect_uris'] as readonly string[];
  const temporary = client['temporary_redirect_uris'] as readonly TemporaryUri[] | undefined;
  if (!temporary) return {};
  const live = liveRedirectUris(uris, temporary, now);
  const kept = temporary.filter(({ redirect_uri: uri }) => live.includes(uri));
  return { redirect_uris: live, ...(kept.length > 0 && { temporary_redirect_uris: kept }) };
}

/** Text that `apply` reads back without changes. */
export function formatDeclarations(
  declarations: readonly ClientDeclaration[],
  format: DeclarationFormat,
): string {
  switch (format) {
    case 'yaml':
      return toYaml(declarations);
    case 'json':
      return `${JSON.stringify(declarations, null, 2)}\n`;
    case 'ndjson':
      return declarations.map((declaration) => `${JSON.stringify(declaration)}\n`).join('');
  }
}

/** YAML without line folding, so that long URIs stay on one line. */
export function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
