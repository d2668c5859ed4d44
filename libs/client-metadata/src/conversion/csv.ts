import { jsonOrText } from '@svc/foundation';
import { fieldNamed } from '../fields/localized-fields.js';
import { SERVER_FIELDS } from '../fields/server-fields.js';
import { readNumberCell, unprotectCell } from './csv-cells.js';
import { REDIRECTING_GRANTS } from '../validation/client-rules.js';
import {
  type FieldRule,
  listedClients,
  type ProductMapping,
  recordFields,
  type SourceClient,
  textsOf,
} from './product-mapping.js';

/** Says which redirect URIs an import leaves out, as they end. */
const TEMPORARY_URIS = 'temporary_redirect_uris';

/**
 * CSV with a header of our field names, such as the registry's own export: lists and labels have one entry per line of
 * their cell, or are JSON.
 */
export const CSV: ProductMapping = {
  title: 'CSV',
  expects: 'CSV with a header of field names and a row for each client',
  clientsIn: (document) => listedClients(document, []),
  flattened: (client) => new Map([...client].map(([name, cell]) => [name, toValue(name, cell)])),
  fields: {
    client_secret: { secret: 'plain' },
    client_secret_hash: { secret: 'hash' },
    registration_access_token: 'secret',
    ...recordFields(...SERVER_FIELDS.map(({ name }) => name), 'cookie_name'),
    [TEMPORARY_URIS]: { copied: TEMPORARY_URIS },
    enabled: { copied: 'enabled' },
    preferred_client_id: { copied: 'client_id' },
  },
  // The validation knows our fields, and rejects others.
  otherFields: (name): FieldRule => ({ copied: name }),
  derive: (client: SourceClient) => ({
    values: {
      redirect_uris: client.get('redirect_uris') ?? [],
      response_types: client.get('response_types') ?? withoutResponses(client.get('grant_types')),
    },
  }),
};

/** An empty cell is the default, `code`, except where no grant type could have it. */
function withoutResponses(grants: unknown): readonly string[] | undefined {
  const given = textsOf(grants);
  return given && !given.some((grant) => REDIRECTING_GRANTS.includes(grant)) ? [] : undefined;
}

function toValue(name: string, cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  if (cell === '') return undefined;
  const text = unprotectCell(cell);
  if (name === TEMPORARY_URIS) return text.startsWith('[') ? jsonOrText(text) : linesOf(text).map(jsonOrText);
  const type = name === 'enabled' ? 'boolean' : fieldNamed(name)?.type;
  switch (type) {
    case 'string[]':
      return toList(text);
    case 'map':
      return toMap(text);
    case 'object':
      return jsonOrText(text);
    case 'boolean':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
    case 'number or string':
      return readNumberCell(text);
    case 'string':
    case undefined:
      return text;
  }
}

/** Labels have one `key:value` per line. */
function toMap(text: string): unknown {
  if (text.startsWith('{')) return jsonOrText(text);
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)];
    }),
  );
}

function toList(text: string): unknown {
  return text.startsWith('[') ? jsonOrText(text) : linesOf(text);
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}
