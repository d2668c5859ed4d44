import { CLIENT_FIELDS } from '@svc/client-metadata';
import type { ClientDocument } from '@svc/registry-client';
import { stringify } from 'yaml';

/** How exported declarations are written. */
export type DeclarationFormat = 'yaml' | 'json' | 'ndjson';

/** All that a declaration may hold: what applying it would set. */
export type ClientDeclaration = Readonly<Record<string, unknown>> & { readonly client_id: string };

const FIELDS = CLIENT_FIELDS.filter(({ editable }) => editable === 'always').map(({ name }) => name);

/** A Client as a declaration, without what the registry alone decides. */
export function toDeclaration(client: ClientDocument): ClientDeclaration {
  const members = FIELDS.flatMap((field) => (field in client ? [[field, client[field]]] : []));
  return {
    client_id: client.client_id,
    ...(Object.fromEntries(members) as Record<string, unknown>),
    ...('enabled' in client && { enabled: client['enabled'] }),
  };
}

/** Text that `apply` reads back to the same. */
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

/** YAML of any value, in which a long URI stays on its line. */
export function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
