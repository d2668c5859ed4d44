import { registrationDefaults } from './grants-and-responses.js';
import { listedClients, type ProductMapping } from './product-mapping.js';
import { REGISTRATION_FIELDS } from './registration-fields.js';

/**
 * Static clients of node-oidc-provider: the configuration's `clients`, as JSON.
 *
 * @see https://github.com/panva/node-oidc-provider/blob/main/lib/consts/client_attributes.js
 */
export const OIDC_PROVIDER: ProductMapping = {
  title: 'node-oidc-provider',
  expects: 'a list of clients, or a configuration with one',
  clientsIn: (document) => listedClients(document, ['clients'], ['client_id']),
  fields: REGISTRATION_FIELDS,
  derive: registrationDefaults,
};
