/** A field that a column can be imported as. */
export interface TargetField {
  readonly name: string;
  readonly label: string;
}

/** What users call our fields in spreadsheets, without case and punctuation. */
const SYNONYMS: Readonly<Record<string, string>> = {
  id: 'client_id',
  clientidentifier: 'client_id',
  name: 'client_name',
  application: 'client_name',
  applicationname: 'client_name',
  app: 'client_name',
  appname: 'client_name',
  callback: 'redirect_uris',
  callbackurl: 'redirect_uris',
  callbackurls: 'redirect_uris',
  redirecturl: 'redirect_uris',
  redirecturls: 'redirect_uris',
  redirecturi: 'redirect_uris',
  homepage: 'client_uri',
  website: 'client_uri',
  url: 'client_uri',
  active: 'enabled',
  grants: 'grant_types',
  granttype: 'grant_types',
  responsetype: 'response_types',
  authmethod: 'token_endpoint_auth_method',
  pkce: 'code_challenge_method',
  contact: 'contacts',
  email: 'contacts',
};

/** The likely field of each column, each field at most once; `undefined` for a column that resembles none. */
export function matchColumns(
  columns: readonly string[],
  targets: readonly TargetField[],
): (string | undefined)[] {
  const known = new Map(
    targets.flatMap(({ name, label }) => [
      [plain(label), name],
      [plain(name), name],
    ]),
  );
  const names = new Set(targets.map(({ name }) => name));
  const used = new Set<string>();
  return columns.map((column) => {
    const synonym = SYNONYMS[plain(column)];
    const found =
      known.get(plain(column)) ?? (synonym !== undefined && names.has(synonym) ? synonym : undefined);
    if (found === undefined || used.has(found)) return undefined;
    used.add(found);
    return found;
  });
}

/** Without case and punctuation; a language stays, as in `client_name#de`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}#]/gu, '');
}
