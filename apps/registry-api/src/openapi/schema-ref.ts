/** The schemas that `describeClients` and `describeRefusals` put into the API document. */
export type SchemaName =
  | 'Client'
  | 'RegisteredClient'
  | 'ClientRegistration'
  | 'ClientUpdate'
  | 'ClientPatch'
  | 'ClientList'
  | 'Features'
  | 'Problem';

/** Refers to a schema of the API document. */
export function schemaRef(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
