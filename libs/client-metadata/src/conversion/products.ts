import { AUTH0 } from './auth0.js';
import { AUTHENTIK } from './authentik.js';
import { CSV } from './csv.js';
import { HYDRA } from './hydra.js';
import { KEYCLOAK } from './keycloak.js';
import { OIDC_PROVIDER } from './oidc-provider.js';
import { SEACAT } from './seacat.js';
import type { ProductMapping } from './product-mapping.js';

/** The products whose exports can be converted. A new product is a new row. */
export const PRODUCTS = {
  keycloak: KEYCLOAK,
  hydra: HYDRA,
  seacat: SEACAT,
  'oidc-provider': OIDC_PROVIDER,
  auth0: AUTH0,
  authentik: AUTHENTIK,
  csv: CSV,
} as const satisfies Readonly<Record<string, ProductMapping>>;

export type Product = keyof typeof PRODUCTS;
