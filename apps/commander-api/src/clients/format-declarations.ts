import { metadataNames } from '@svc/client-metadata';
import type { ClientDocument } from '@svc/registry-client';
import { stringify } from 'yaml';

/** Format of exported declarations. */
export type DeclarationFormat = 'yaml' | 'json' | 'ndjson';

/** The fields that a declaration may contain. */
export type ClientDeclaration = Readonly<Record<string, unknown>> & { readonly client_id: string };

/** A Client as a declaration, without fields that only the registry sets. */
export function toDeclaration(client: ClientDocument): ClientDeclaration {
  const members = metadataNames(client).map((field) => [field, client[field]]);
  return {
    client_id: client.client_id,
    ...(Object.fromEntries(members) as Record<string, unknown>),
    ...('enabled' in client && { enabled: client['enabled'] }),
  };
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
