/** A public web client, with every setting that registration sets. */
export const WEB_CLIENT = {
  client_name: 'Shop',
  redirect_uris: ['https://shop.example/cb'],
  application_type: 'web',
  response_types: ['code'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none',
  code_challenge_method: 'S256',
  redirect_uri_validation_method: 'full_match',
} as const;
