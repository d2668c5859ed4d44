/** A file to start from, for each format that is written by hand. */
export const SAMPLES = [
  {
    name: 'clients.csv',
    type: 'text/csv',
    content: `client_id,client_name,redirect_uris,token_endpoint_auth_method
wiki,Wiki,https://wiki.example.com/callback,client_secret_basic
,Mobile app,https://mobile.example.com/callback,none
`,
  },
  {
    name: 'clients.yaml',
    type: 'application/yaml',
    content: `- client_id: wiki
  client_name: Wiki
  redirect_uris:
    - https://wiki.example.com/callback
- client_name: Shop
  redirect_uris:
    - https://shop.example.com/callback
    - https://staging.shop.example.com/callback
  labels:
    team: shop
`,
  },
  {
    name: 'clients.ndjson',
    type: 'application/x-ndjson',
    content: `{"client_id":"wiki","client_name":"Wiki","redirect_uris":["https://wiki.example.com/callback"]}
{"client_id":"shop","client_name":"Shop","redirect_uris":["https://shop.example.com/callback"]}
`,
  },
] as const;
